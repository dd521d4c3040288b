// SPDX-License-Identifier: Apache-2.0
#include "surface/markers.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"

namespace spindrift {
namespace {

constexpr std::size_t kMarkersPerBlock = 4096;

// Keeps places inside the box, off its sides by so much: cells.
constexpr double kOffWalls = 1e-6;

// Full cells show as liquid, however few markers there are at the moment.
constexpr double kFullPart = 0.75;

bool holds_markers(CellContent kind) { return kind == CellContent::empty || is_liquid(kind); }

// A face of an inflow cell through which liquid comes in.
template <int Dim>
struct Mouth {
    Index<Dim> face;
    int axis;
    double velocity;  // m/s, along the axis
};

template <int Dim>
std::vector<Mouth<Dim>> mouths_of(const CellFlow<Dim>& flow) {
    std::vector<Mouth<Dim>> list;
    for (int a = 0; a < Dim; ++a) {
        const Dense<double, Dim>& u = flow.velocity[static_cast<std::size_t>(a)];
        for_each_index(flow.faces(a), [&](const Index<Dim>& face) {
            const std::ptrdiff_t n = u.offset(face);
            const CellContent above = flow.kind[n], below = flow.kind[n - u.stride(a)];
            const bool comes_in = (below == CellContent::inflow && holds_markers(above) && u[n] > 0) ||
                                  (above == CellContent::inflow && holds_markers(below) && u[n] < 0);
            if (comes_in) list.push_back({face, a, u[n]});
        });
    }
    return list;
}

}  // namespace

template <int Dim>
Index<Dim> cell_of(const Vec<double, Dim>& place, const IndexBox<Dim>& box) {
    return map([](double x) { return static_cast<int>(std::floor(x)); }, place + middle_of(box));
}

template <int Dim>
void seed(Markers<Dim>& markers, const CellFlow<Dim>& flow, const GridTransform<Dim>& grid, int across,
          const std::function<double(const Vec<double, Dim>&)>& distance) {
    const Vec<double, Dim> middle = middle_of(flow.box);
    const double volume = std::pow(across, -Dim);
    for_each_index(flow.box, [&](const Index<Dim>& cell) {
        if (!holds_markers(flow.kind[cell])) return;
        for_each_index<Dim>({{}, Index<Dim>(across)}, [&](const Index<Dim>& k) {
            Vec<double, Dim> place;
            // From the cell's centre, so that both sums are exact or mirrored.
            for (int a = 0; a < Dim; ++a)
                place[a] = (cell[a] + 0.5 - middle[a]) + (2 * k[a] + 1 - across) / (2.0 * across);
            if (distance(grid.world_from_cell(place + middle)) < 0) markers.add(place, volume);
        });
    });
}

template <int Dim>
Vec<double, Dim> AreaWeighting<Dim>::operator()(const Vec<double, Dim>& place) const {
    Vec<double, Dim> result;
    for (int a = 0; a < Dim; ++a) {
        const Dense<double, Dim>& u = flow_.velocity[static_cast<std::size_t>(a)];
        // The lower corner of the cell of faces around the place; weights are distances from the opposite side.
        Index<Dim> corner;
        std::array<std::array<double, 2>, Dim> weight;
        for (int b = 0; b < Dim; ++b) {
            const double offset = b == a ? 0 : 0.5;
            const int last = flow_.box.hi[b] - 1, first = flow_.box.lo[b] - (b == a ? 0 : 1);
            corner[b] = std::clamp(static_cast<int>(std::floor(place[b] + middle_[b] - offset)), first, last);
            const double lower = corner[b] + offset - middle_[b], upper = corner[b] + 1 + offset - middle_[b];
            weight[static_cast<std::size_t>(b)] = {std::clamp(upper - place[b], 0.0, 1.0),
                                                   std::clamp(place[b] - lower, 0.0, 1.0)};
        }
        // Axis by axis, as sums of two, which do not depend on their order.
        std::array<double, std::size_t{1} << Dim> value;
        const std::ptrdiff_t n = u.offset(corner);
        for (std::size_t k = 0; k < value.size(); ++k) {
            std::ptrdiff_t at = n;
            for (int b = 0; b < Dim; ++b)
                if ((k >> b & 1U) != 0) at += u.stride(b);
            value[k] = u[at];
        }
        for (std::size_t b = 0, left = value.size(); b < Dim; ++b) {
            left /= 2;
            for (std::size_t k = 0; k < left; ++k)
                value[k] = value[2 * k] * weight[b][0] + value[2 * k + 1] * weight[b][1];
        }
        result[a] = value[0];
    }
    return result;
}

template <int Dim>
Vec<double, Dim> moved(const Vec<double, Dim>& place, const AreaWeighting<Dim>& velocity, const CellFlow<Dim>& flow,
                       double dt) {
    const double cells = dt / flow.dx;
    const Vec<double, Dim> first = velocity(place), second = velocity(place + first * cells);
    const Vec<double, Dim> step = (first + second) * (0.5 * cells);
    const Vec<double, Dim> middle = middle_of(flow.box);
    Vec<double, Dim> result = place;
    // Axis by axis; one that leads into a wall leads along it.
    for (int a = 0; a < Dim; ++a) {
        Vec<double, Dim> next = result;
        next[a] += step[a];
        const Index<Dim> cell = cell_of(next, flow.box);
        const bool is_held = flow.kind.box().contains(cell);
        if (is_held && !is_wall(flow.kind[cell])) {
            result = next;
        } else if (!is_held || !flow.box.contains(cell)) {
            const double half = flow.box.hi[a] - middle[a] - kOffWalls;
            result[a] = std::clamp(next[a], -half, half);
        }
    }
    return result;
}

template <int Dim>
MarkerReport move(Markers<Dim>& markers, const CellFlow<Dim>& flow, double dt) {
    const AreaWeighting<Dim> velocity(flow);
    parallel_ranges(markers.count(), kMarkersPerBlock, [&](std::size_t begin, std::size_t end) {
        for (std::size_t n = begin; n < end; ++n) markers.set_place(n, moved(markers.place(n), velocity, flow, dt));
    });
    MarkerReport report;
    erase_if(markers, [&](std::size_t n) {
        if (holds_markers(flow.kind[cell_of(markers.place(n), flow.box)])) return false;
        report.flowed_out += markers.volumes()[n];
        ++report.removed;
        return true;
    });
    return report;
}

template <int Dim>
MarkerReport emit(Markers<Dim>& markers, const CellFlow<Dim>& flow, double dt, int per_cell, double per_second,
                  std::uint64_t seed, std::uint32_t step) {
    const std::vector<Mouth<Dim>> mouths = mouths_of(flow);
    std::vector<double> sums;  // of what comes in, cells
    double all = 0;
    for (const Mouth<Dim>& mouth : mouths) sums.push_back(all += std::abs(mouth.velocity) * dt / flow.dx);
    if (!(all > 0)) return {};
    const double due = per_second > 0 ? per_second * dt : all * per_cell;
    markers.owed += due;
    MarkerReport report{.flowed_in = all};
    const Vec<double, Dim> middle = middle_of(flow.box);
    for (; markers.owed >= 1; markers.owed -= 1) {
        Random random(seed, markers.next_id, step, Purpose("inflow markers"));
        const double chosen = double{random.uniform()} * all;
        const auto found = std::upper_bound(sums.begin(), sums.end() - 1, chosen) - sums.begin();
        const Mouth<Dim>& mouth = mouths[static_cast<std::size_t>(found)];
        Vec<double, Dim> place = Vec<double, Dim>(mouth.face) - middle;
        for (int a = 0; a < Dim; ++a)
            place[a] +=
                a == mouth.axis ? double{random.uniform()} * mouth.velocity * dt / flow.dx : double{random.uniform()};
        // A place on the face itself belongs to the cell above it.
        const double off = mouth.velocity > 0 ? kOffWalls : -kOffWalls;
        place[mouth.axis] += off;
        if (!holds_markers(flow.kind[cell_of(place, flow.box)])) continue;
        markers.add(place, all / due);
        ++report.added;
    }
    return report;
}

template <int Dim>
double label_cells(CellFlow<Dim>& flow, const Markers<Dim>& markers) {
    Dense<double, Dim> content(flow.kind.box());
    for_each_cell(flow.box, [&](const Index<Dim>& cell) {
        if (holds_markers(flow.kind[cell])) flow.kind[cell] = CellContent::empty;
    });
    for (std::size_t n = 0; n < markers.count(); ++n) {
        const std::ptrdiff_t cell = content.offset(cell_of(markers.place(n), flow.box));
        if (flow.kind[cell] == CellContent::empty) flow.kind[cell] = CellContent::full;
        content[cell] += markers.volumes()[n];
    }
    label_surface(flow);
    return sum_over_cells(flow.box, 0.0, [&](const Index<Dim>& cell) {
        if (flow.kind[cell] == CellContent::full) return 1.0;
        return flow.kind[cell] == CellContent::surface ? std::min(1.0, content[cell]) : 0.0;
    });
}

template <int Dim>
Dense<double, Dim> liquid_part(const CellFlow<Dim>& flow, const Markers<Dim>& markers) {
    Dense<double, Dim> part(flow.kind.box());
    const Vec<double, Dim> middle = middle_of(flow.box);
    for (std::size_t n = 0; n < markers.count(); ++n) {
        const Vec<double, Dim> from_centres = markers.place(n) + middle - Vec<double, Dim>(0.5);
        const Index<Dim> corner = map([](double x) { return static_cast<int>(std::floor(x)); }, from_centres);
        for_each_index<Dim>({{}, Index<Dim>(2)}, [&](const Index<Dim>& k) {
            const Index<Dim> cell = corner + k;
            if (!part.box().contains(cell)) return;
            double weight = markers.volumes()[n];
            for (int a = 0; a < Dim; ++a) weight *= 1 - std::abs(from_centres[a] - cell[a]);
            part[cell] += weight;
        });
    }
    // As if liquid went on behind walls: by the weight that full cells which are no walls would have.
    constexpr double kOwn = 0.75, kBeside = 0.125;
    for_each_cell(flow.box, [&](const Index<Dim>& cell) {
        const CellContent kind = flow.kind[cell];
        if (kind == CellContent::inflow) part[cell] = 1;
        if (!holds_markers(kind)) return;
        double possible = 0, inflow = 0;
        for_each_index<Dim>({Index<Dim>(-1), Index<Dim>(2)}, [&](const Index<Dim>& step) {
            double weight = 1;
            for (int a = 0; a < Dim; ++a) weight *= step[a] == 0 ? kOwn : kBeside;
            const CellContent other = flow.kind[cell + step];
            if (holds_markers(other)) possible += weight;
            if (other == CellContent::inflow) inflow += weight;
        });
        double& here = part[cell];
        here = (here + inflow) / (possible + inflow);
        if (kind == CellContent::full) here = std::max(here, kFullPart);
    });
    return part;
}

#define INSTANTIATE(Dim)                                                                                               \
    template Index<Dim> cell_of(const Vec<double, Dim>&, const IndexBox<Dim>&);                                        \
    template void seed(Markers<Dim>&, const CellFlow<Dim>&, const GridTransform<Dim>&, int,                            \
                       const std::function<double(const Vec<double, Dim>&)>&);                                         \
    template class AreaWeighting<Dim>;                                                                                 \
    template Vec<double, Dim> moved(const Vec<double, Dim>&, const AreaWeighting<Dim>&, const CellFlow<Dim>&, double); \
    template MarkerReport move(Markers<Dim>&, const CellFlow<Dim>&, double);                                           \
    template MarkerReport emit(Markers<Dim>&, const CellFlow<Dim>&, double, int, double, std::uint64_t,                \
                               std::uint32_t);                                                                         \
    template double label_cells(CellFlow<Dim>&, const Markers<Dim>&);                                                  \
    template Dense<double, Dim> liquid_part(const CellFlow<Dim>&, const Markers<Dim>&);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
