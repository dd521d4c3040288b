// SPDX-License-Identifier: Apache-2.0
#include "liquid/whitewater_births.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "base/random.h"
#include "grid/halo.h"
#include "liquid/spray.h"

namespace spindrift {
namespace {

constexpr Purpose kBirth{"whitewater birth"};

// Limits of the potentials.  Speeds are those of splashes, from which [Ihmsen12] has its energies of 5 to 50 J/kg.
constexpr double kTrappedFrom = 0.05, kTrappedTo = 0.5;    // m/s, mean approach of neighbouring cells
constexpr double kRelativeFrom = 0.1, kRelativeTo = 0.6;   // m/s, mean relative speed of neighbouring cells
constexpr double kCurvatureFrom = 0.15, kCurvatureTo = 1;  // per cell
constexpr double kAlongNormal = 0.6;                       // [Ihmsen12] (7)
constexpr double kFullSpeed = 4;                           // times min_speed

constexpr double kRate = 2;       // 1/s, β: volume of air entrained per volume of liquid where the potentials are 1
constexpr double kDepth = 2.5;    // cells below the surface from which trapped air comes
constexpr double kSpread = 0.15;  // of the speed, at which drops of a crest part from each other
constexpr double kNear = 3;       // cells from the surface within which the velocity there is known

// From 0 to 1 between two limits.  [Ihmsen12] (1)
double potential(double value, double from, double to) { return (std::clamp(value, from, to) - from) / (to - from); }

struct CellRates {
    int cell = 0;         // of its tile
    double expected = 0;  // births
    double crest = 0;     // part of these that come off as spray
    double strength = 0;  // of both potentials and the energy, 0 to 1
};

template <int Dim>
struct Blocks {
    HaloBlock<float, Dim, 1> phi;
    HaloBlock<bool, Dim, 1> is_open;  // in the box and outside solids
    std::array<HaloBlock<float, Dim, 1>, Dim> velocity;

    Vec<double, Dim> velocity_at(const Index<Dim>& cell) const {
        Vec<double, Dim> v;
        for (int a = 0; a < Dim; ++a) v[a] = velocity[static_cast<std::size_t>(a)](cell);
        return v;
    }
};

struct RelativeMotion {
    double approach = 0, speed = 0;  // m/s, means over the cells around
};

template <int Dim>
RelativeMotion relative_motion(const Blocks<Dim>& at, const Index<Dim>& cell, const Vec<double, Dim>& v) {
    RelativeMotion sum;
    int count = 0;
    for_each_index(IndexBox<Dim>{Index<Dim>(-1), Index<Dim>(2)}, [&](const Index<Dim>& side) {
        const Index<Dim> beside = cell + side;
        if (side == Index<Dim>(0) || !(at.phi(beside) < 0) || !at.is_open(beside)) return;
        const Vec<double, Dim> relative = at.velocity_at(beside) - v, way(side);
        sum.approach += std::max(0.0, -dot(relative, way) / length(way));
        sum.speed += length(relative);
        ++count;
    });
    if (count > 0) sum.approach /= count, sum.speed /= count;
    return sum;
}

// Curvature (per cell) where the surface is convex and moves outwards.
template <int Dim>
double crest_curvature(const Blocks<Dim>& at, const Index<Dim>& cell, const Vec<double, Dim>& v, double dx) {
    // Walls and solids are no edges of the liquid.
    const auto level = [&](const Index<Dim>& beside) { return at.phi(at.is_open(beside) ? beside : cell); };
    Vec<double, Dim> slope;
    double sum = 0;
    for (int a = 0; a < Dim; ++a) {
        const double above = level(cell + unit<Dim>(a)), below = level(cell - unit<Dim>(a));
        slope[a] = above - below;
        sum += above + below - 2 * at.phi(cell);
    }
    const double steepness = length(slope), along = dot(v, slope);
    return steepness > 0 && along > kAlongNormal * length(v) * steepness ? sum / dx : 0;
}

template <int Dim>
class Births {
  public:
    Births(const WhitewaterFlow<Dim>& flow, double dt, const WhitewaterSettings& settings, std::uint32_t step)
        : flow_(flow), dt_(dt), settings_(settings), step_(step) {}

    // Of the cells of a tile that have any.
    std::vector<CellRates> rates(Slot slot) const {
        const Field<float, Dim>& phi = *flow_.phi;
        std::vector<CellRates> list;
        Blocks<Dim> at;
        bool is_loaded = false;
        const double min_square = settings_.min_speed * settings_.min_speed;
        for (int n = 0; n < kTileCells<Dim>; ++n) {
            const double level = phi.tile(slot)[n];
            if (!(level < 0 && level > -kDepth * flow_.grid.dx) || !(speed_square(slot, n) > min_square)) continue;
            if (!is_loaded) load(at, slot);
            is_loaded = true;
            if (const CellRates one = rates_of(at, slot, n); one.expected > 0) list.push_back(one);
        }
        return list;
    }

    void make(std::vector<WhitewaterBirth<Dim>>& births, Slot slot, const std::vector<CellRates>& cells, double part) {
        if (cells.empty()) return;
        WhitewaterSampler<Dim> liquid(flow_);
        for (const CellRates& rates : cells) {
            const Index<Dim> cell = flow_.phi->tiles().origin(slot) + cell_in_tile<Dim>(rates.cell);
            Random rng(settings_.seed, number_of(cell), step_, kBirth);
            const auto count = static_cast<int>(std::floor(rates.expected * part + rng.uniform()));
            for (int n = 0; n < count; ++n) add(births, cell, rates, rng, liquid);
        }
    }

  private:
    double speed_square(Slot slot, int n) const {
        double sum = 0;
        for (int a = 0; a < Dim; ++a) {
            const double v = (*flow_.velocity)[a].tile(slot)[n];
            sum += v * v;
        }
        return sum;
    }

    void load(Blocks<Dim>& at, Slot slot) const {
        at.phi.load(*flow_.phi, slot);
        const Index<Dim> origin = flow_.phi->tiles().origin(slot);
        for_each_index(IndexBox<Dim>{Index<Dim>(-1), Index<Dim>(kTileSide + 1)},
                       [&](const Index<Dim>& cell) { at.is_open(cell) = is_open(origin + cell); });
        for (int a = 0; a < Dim; ++a) at.velocity[static_cast<std::size_t>(a)].load((*flow_.velocity)[a], slot);
    }

    CellRates rates_of(const Blocks<Dim>& at, Slot slot, int n) const {
        const Index<Dim> local = cell_in_tile<Dim>(n);
        if (!at.is_open(local) || !flow_.box.contains(flow_.phi->tiles().origin(slot) + local)) return {};
        const double dx = flow_.grid.dx, least = settings_.min_speed;
        const Vec<double, Dim> v = at.velocity_at(local);
        const RelativeMotion relative = relative_motion(at, local, v);
        const double trapped = potential(relative.approach, kTrappedFrom, kTrappedTo);
        double crest = 0;
        if (at.phi(local) > -dx)
            crest = potential(crest_curvature(at, local, v, dx), kCurvatureFrom, kCurvatureTo) *
                    potential(relative.speed, kRelativeFrom, kRelativeTo);
        const double energy = potential(dot(v, v), least * least, least * least * kFullSpeed * kFullSpeed);
        const double sum = trapped + crest;
        if (!(sum > 0)) return {};
        const double rate = settings_.amount * kRate * energy * sum / sphere_volume<Dim>(settings_.radius);
        return {n, rate * dt_ * std::pow(dx, Dim), crest / sum, energy * std::min(sum, 1.0)};
    }

    bool is_open(const Index<Dim>& cell) const {
        for (int a = 0; a < Dim; ++a)
            if (!flow_.repeats[static_cast<std::size_t>(a)] &&
                (cell[a] < flow_.box.lo[a] || cell[a] >= flow_.box.hi[a]))
                return false;
        return !flow_.solid || flow_.solid(flow_.grid.world_of_centre(cell)) > 0;
    }

    static std::uint64_t number_of(const Index<Dim>& cell) {
        std::uint64_t number = 0;
        for (int a = 0; a < Dim; ++a) number = number << 21U | (static_cast<std::uint64_t>(cell[a]) & 0x1FFFFF);
        return number;
    }

    void add(std::vector<WhitewaterBirth<Dim>>& births, const Index<Dim>& cell, const CellRates& rates, Random& rng,
             WhitewaterSampler<Dim>& liquid) const {
        const bool is_crest = rng.uniform() < rates.crest;
        WhitewaterBirth<Dim> birth;
        WhitewaterParticle<Dim>& p = birth.particle;
        Vec<double, Dim> spread;
        for (int a = 0; a < Dim; ++a) {
            p.position[a] = flow_.grid.origin[a] + (double(cell[a]) + rng.uniform()) * flow_.grid.dx;
            spread[a] = rng.uniform(-1, 1);
        }
        const double outwards = rng.uniform();
        birth.since = dt_ * rng.uniform();
        p.radius = settings_.radius * rng.uniform(0.5F, 1.5F);
        p.lifetime = settings_.lifetime * (0.25 + 0.75 * rates.strength) * rng.uniform(0.5F, 1);

        // Drops of a crest begin outside of it, trapped air within the liquid.
        const auto level = liquid.level(p.position);
        if (is_crest)
            p.position += level.normal * (outwards * flow_.grid.dx - level.phi);
        else if (level.phi > 0)
            p.position -= level.normal * level.phi;
        if (!liquid.velocity(p.position, p.velocity)) return;
        p.type = is_crest ? WhitewaterType::spray : WhitewaterType::bubble;
        if (is_crest) {
            // They went along with the crest until now, but for their parting.
            spread *= kSpread * length(p.velocity);
            p.velocity += spread;
            p.position += spread * birth.since;
            birth.since = 0;
        }
        births.push_back(birth);
    }

    const WhitewaterFlow<Dim>& flow_;
    double dt_;
    const WhitewaterSettings& settings_;
    std::uint32_t step_;
};

}  // namespace

template <int Dim>
std::vector<WhitewaterBirth<Dim>> whitewater_births(const WhitewaterFlow<Dim>& flow, double dt,
                                                    const WhitewaterSettings& settings, std::uint32_t step,
                                                    std::size_t room, bool& is_limited) {
    // How many there would be.
    Births<Dim> births(flow, dt, settings, step);
    const Tiles<Dim>& tiles = flow.phi->tiles();
    std::vector<std::vector<CellRates>> rates(tiles.count());
    for_each_tile(tiles, [&](Slot slot) { rates[static_cast<std::size_t>(slot)] = births.rates(slot); });
    double expected = 0;
    for (const auto& cells : rates)
        for (const CellRates& cell : cells) expected += cell.expected;
    const double part = expected > static_cast<double>(room) ? static_cast<double>(room) / expected : 1;

    // In the order of the tiles, which no thread changes.
    std::vector<std::vector<WhitewaterBirth<Dim>>> parts(tiles.count());
    for_each_tile(tiles, [&](Slot slot) {
        const auto n = static_cast<std::size_t>(slot);
        births.make(parts[n], slot, rates[n], part);
    });
    std::vector<WhitewaterBirth<Dim>> all;
    for (const auto& some : parts) all.insert(all.end(), some.begin(), some.end());
    is_limited = part < 1 || all.size() > room;
    if (all.size() > room) all.resize(room);
    return all;
}

template <int Dim>
WhitewaterSampler<Dim>::WhitewaterSampler(const WhitewaterFlow<Dim>& flow) : flow_(flow), phi_(*flow.phi) {
    for (int a = 0; a < Dim; ++a) velocity_.emplace_back((*flow.velocity)[a]);
}

template <int Dim>
typename WhitewaterSampler<Dim>::Level WhitewaterSampler<Dim>::level(const Vec<double, Dim>& place) {
    const auto at = phi_.value_and_gradient(Vec<float, Dim>(flow_.grid.cell_from_world(place)));
    const Vec<double, Dim> slope(at.gradient);
    const double steepness = length(slope);
    return {at.value, steepness > 0 ? slope / steepness : Vec<double, Dim>(0.0)};
}

// Beyond the surface and up to a cell below it, the velocity is that of a cell below: it is the liquid's own.
template <int Dim>
bool WhitewaterSampler<Dim>::velocity(const Vec<double, Dim>& place, Vec<double, Dim>& value) {
    const Level at = level(place);
    const double dx = flow_.grid.dx;
    if (!(at.phi < kNear * dx)) return false;
    const Vec<double, Dim> within = place - at.normal * std::max(0.0, at.phi + dx);
    const Vec<float, Dim> cell(flow_.grid.cell_from_world(within));
    for (int a = 0; a < Dim; ++a) value[a] = velocity_[static_cast<std::size_t>(a)](cell);
    return true;
}

template <int Dim>
void WhitewaterSampler<Dim>::move_to_surface(Vec<double, Dim>& place) {
    constexpr int kTimes = 2;  // φ is a distance but for the grid's error
    for (int n = 0; n < kTimes; ++n) {
        const Level at = level(place);
        if (!(std::abs(at.phi) < kNear * flow_.grid.dx)) return;
        place -= at.normal * at.phi;
    }
}

#define INSTANTIATE(Dim)                                                                                   \
    template std::vector<WhitewaterBirth<Dim>> whitewater_births(                                          \
        const WhitewaterFlow<Dim>&, double, const WhitewaterSettings&, std::uint32_t, std::size_t, bool&); \
    template class WhitewaterSampler<Dim>;
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
