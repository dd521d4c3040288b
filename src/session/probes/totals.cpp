// SPDX-License-Identifier: Apache-2.0
#include "session/probes/totals.h"

#include <algorithm>

#include "grid/halo.h"
#include "grid/plane_fraction.h"

namespace spindrift {

template <int Dim>
FluidTotals<Dim>& FluidTotals<Dim>::operator+=(const FluidTotals& b) {
    volume += b.volume;
    squared_speed += b.squared_speed;
    momentum += b.momentum;
    first_moment += b.first_moment;
    angular_momentum += b.angular_momentum;
    enstrophy += b.enstrophy;
    return *this;
}

namespace {

// A tile of the fluid with the cells around it.
template <int Dim>
class TileTotals {
  public:
    TileTotals(const FluidFields<Dim>& fluid, Slot slot)
        : fluid_(fluid), origin_(fluid.velocity->tiles().origin(slot)) {
        for (int a = 0; a < Dim; ++a) u_[static_cast<std::size_t>(a)].load((*fluid.velocity)[a], slot);
        if (fluid.surface != nullptr) phi_.load(*fluid.surface, slot);
    }

    FluidTotals<Dim> sum(const Vec<double, Dim>& about) const {
        FluidTotals<Dim> total;
        for_each_index(IndexBox<Dim>{Index<Dim>(0), Index<Dim>(kTileSide)}, [&](const Index<Dim>& cell) {
            if (!fluid_.domain.contains(origin_ + cell)) return;
            if (const double part = fluid_part(cell); part > 0) add(total, cell, part, about);
        });
        return total;
    }

  private:
    double dx() const { return fluid_.grid.dx; }

    double fluid_part(const Index<Dim>& cell) const {
        double part = 1;
        if (fluid_.surface != nullptr) {
            const double here = double{phi_(cell)} / dx();
            if (here >= 1) return 0;
            part = fraction_below(
                here, distance_gradient(here, origin_ + cell, fluid_.domain,
                                        [&](const Index<Dim>& step) { return double{phi_(cell + step)} / dx(); }));
        }
        if (part > 0 && fluid_.solid_distance) {
            const double away = fluid_.solid_distance(fluid_.grid.world_of_centre(origin_ + cell)) / dx();
            part *= std::clamp(0.5 + away, 0.0, 1.0);
        }
        return part;
    }

    // Velocity of the upper face, which lies on no tile where an open side ends the tiles.
    double upper(int a, const Index<Dim>& cell) const {
        const bool is_last = (origin_ + cell)[a] + 1 == fluid_.domain.hi[a];
        const auto& u = u_[static_cast<std::size_t>(a)];
        return double{u(is_last && fluid_.open[static_cast<std::size_t>(a)][1] ? cell : cell + unit<Dim>(a))};
    }

    void add(FluidTotals<Dim>& total, const Index<Dim>& cell, double part, const Vec<double, Dim>& about) const {
        double volume = part;
        for (int a = 0; a < Dim; ++a) volume *= dx();
        const Vec<double, Dim> x = fluid_.grid.world_of_centre(origin_ + cell), r = x - about;
        Vec<double, Dim> u;
        double squares = 0;
        for (int a = 0; a < Dim; ++a) {
            const double lo = double{u_[static_cast<std::size_t>(a)](cell)}, hi = upper(a, cell);
            u[a] = 0.5 * (lo + hi);
            squares += 0.5 * (lo * lo + hi * hi);
        }
        total.volume += volume;
        total.squared_speed += squares * volume;
        total.momentum += u * volume;
        total.first_moment += x * volume;
        if constexpr (Dim == 2) {
            total.angular_momentum[0] += (r[0] * u[1] - r[1] * u[0]) * volume;
        } else {
            for (int a = 0; a < 3; ++a) {
                const int b = (a + 1) % 3, c = (a + 2) % 3;
                total.angular_momentum[a] += (r[b] * u[c] - r[c] * u[b]) * volume;
            }
        }
        for (int a = 0; a < Dim; ++a)
            for (int b = a + 1; b < Dim; ++b) total.enstrophy += 0.5 * squared_vorticity(cell, a, b) * volume;
    }

    // In the plane of two axes: the mean over the corners of the cell around which there is fluid.
    double squared_vorticity(const Index<Dim>& cell, int a, int b) const {
        double sum = 0;
        int corners = 0;
        for (int up = 0; up < 4; ++up) {
            Index<Dim> corner = cell;
            if ((up & 1) != 0) corner += unit<Dim>(a);
            if ((up & 2) != 0) corner += unit<Dim>(b);
            if (!is_fluid(corner) || !is_fluid(corner - unit<Dim>(a)) || !is_fluid(corner - unit<Dim>(b)) ||
                !is_fluid(corner - unit<Dim>(a) - unit<Dim>(b)))
                continue;
            const auto &ua = u_[static_cast<std::size_t>(a)], &ub = u_[static_cast<std::size_t>(b)];
            const double turn = (double{ub(corner)} - double{ub(corner - unit<Dim>(a))} - double{ua(corner)} +
                                 double{ua(corner - unit<Dim>(b))}) /
                                dx();
            sum += turn * turn;
            ++corners;
        }
        return corners > 0 ? sum / corners : 0;
    }
    bool is_fluid(const Index<Dim>& cell) const {
        for (int a = 0; a < Dim; ++a)
            if (cell[a] < -1 || cell[a] > kTileSide) return false;
        return fluid_.domain.contains(origin_ + cell) && (fluid_.surface == nullptr || phi_(cell) < 0);
    }

    const FluidFields<Dim>& fluid_;
    Index<Dim> origin_;
    std::array<HaloBlock<float, Dim, 1>, Dim> u_;
    HaloBlock<float, Dim, 1> phi_;
};

}  // namespace

template <int Dim>
FluidTotals<Dim> fluid_totals(const FluidFields<Dim>& fluid, const Vec<double, Dim>& about) {
    return sum_over_tiles(fluid.velocity->tiles(), FluidTotals<Dim>{},
                          [&](Slot slot) { return TileTotals<Dim>(fluid, slot).sum(about); });
}

template struct FluidTotals<2>;
template struct FluidTotals<3>;
template FluidTotals<2> fluid_totals(const FluidFields<2>&, const Vec<double, 2>&);
template FluidTotals<3> fluid_totals(const FluidFields<3>&, const Vec<double, 3>&);

}  // namespace spindrift
