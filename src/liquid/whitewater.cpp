// SPDX-License-Identifier: Apache-2.0
#include "liquid/whitewater.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "liquid/whitewater_births.h"

namespace spindrift {
namespace {

// The order in which whitewater has its attributes.
enum : std::size_t { kVelocity, kRadius, kAge, kLifetime, kType };

constexpr std::size_t kGrain = 4096;
constexpr int kMostSubSteps = 64;
constexpr double kRounding = 1e-6;                                // cells
constexpr double kDragCoefficient = 0.5, kDensityRatio = 1.2e-3;  // of a sphere at Re > 1000; of air to water
constexpr double kFoamLayer = 2;     // cells: what is farther from the surface is not foam any more
constexpr double kSkin = 0.5;        // cells: spray and bubbles this near to the surface are at it
constexpr double kSlowAging = 0.25;  // of spray and bubbles, against foam: those that never reach the surface also end

// Turns a velocity v towards a target at a rate: what is left of the difference after dt, and its integral.
struct Relaxation {
    double left, integral;
    Relaxation(double rate, double dt)
        : left(std::exp(-rate * dt)), integral(rate > 0 ? -std::expm1(-rate * dt) / rate : dt) {}
};

template <int Dim>
class Mover {
  public:
    Mover(const WhitewaterFlow<Dim>& flow, const WhitewaterSettings& settings)
        : flow_(flow), settings_(settings), liquid_(flow), dx_(flow.grid.dx) {
        const double g = length(flow.gravity);
        gravity_ = g;
        if (g > 0) up_ = -flow.gravity / g;
    }

    // False when it has ended.
    bool move(WhitewaterParticle<Dim>& p, double dt) {
        double left = dt;
        if (p.type == WhitewaterType::spray) left = fly(p, dt);
        if (p.type == WhitewaterType::bubble) rise(p, left);
        if (p.type == WhitewaterType::foam) drift(p, left);
        keep_out_of_solids(p);
        find_type(p);
        p.age += dt;
        if (p.type != WhitewaterType::foam) p.lifetime += (1 - kSlowAging) * dt;
        return p.age < p.lifetime && is_there(p);
    }

  private:
    int sub_steps(double distance) const {
        return static_cast<int>(std::clamp(std::ceil(distance / dx_), 1.0, double{kMostSubSteps}));
    }

    // Drag is solved exactly, in halves before and after the fall.  Returns the time that is left after it has landed
    // as foam.
    double fly(WhitewaterParticle<Dim>& p, double dt) {
        const int steps = sub_steps((length(p.velocity) + gravity_ * dt) * dt);
        const double h = dt / steps;
        const double k = settings_.drag * 3.0 / 8 * kDragCoefficient * kDensityRatio / p.radius;
        for (int n = 0; n < steps; ++n) {
            const Vec<double, Dim> wind = flow_.wind ? flow_.wind(p.position) : Vec<double, Dim>(0.0);
            slow_down(p.velocity, wind, k * h / 2);
            p.position += p.velocity * h + flow_.gravity * (h * h / 2);
            p.velocity += flow_.gravity * h;
            slow_down(p.velocity, wind, k * h / 2);
            keep_in_box(p);
            keep_out_of_solids(p);
            if (!(liquid_.level(p.position).phi < 0)) continue;
            liquid_.move_to_surface(p.position);
            p.type = WhitewaterType::foam;
            return dt - (n + 1) * h;
        }
        return 0;
    }
    static void slow_down(Vec<double, Dim>& velocity, const Vec<double, Dim>& wind, double per_speed) {
        const Vec<double, Dim> relative = velocity - wind;
        velocity = wind + relative / (1 + per_speed * length(relative));
    }

    void drift(WhitewaterParticle<Dim>& p, double dt) {
        liquid_.velocity(p.position, p.velocity);
        const int steps = sub_steps(length(p.velocity) * dt);
        const double h = dt / steps;
        for (int n = 0; n < steps; ++n) {
            liquid_.velocity(p.position, p.velocity);
            Vec<double, Dim> middle = p.velocity;
            liquid_.velocity(p.position + p.velocity * (h / 2), middle);
            p.position += middle * h;
            keep_in_box(p);
        }
    }

    void rise(WhitewaterParticle<Dim>& p, double dt) {
        const double terminal = terminal_bubble_speed(p.radius, gravity_, flow_.viscosity);
        const int steps = sub_steps((length(p.velocity) + terminal) * dt);
        const Relaxation relax(terminal > 0 ? gravity_ / terminal : 1e3, dt / steps);
        for (int n = 0; n < steps; ++n) {
            Vec<double, Dim> target = p.velocity;
            liquid_.velocity(p.position, target);
            target += up_ * terminal;
            const Vec<double, Dim> off = p.velocity - target;
            p.position += target * (dt / steps) + off * relax.integral;
            p.velocity = target + off * relax.left;
            keep_in_box(p);
        }
    }

    // Walls stop what moves into them; along axes that repeat it comes in at the other side; through open sides it
    // goes.
    void keep_in_box(WhitewaterParticle<Dim>& p) const {
        for (int a = 0; a < Dim; ++a) {
            const double lo = flow_.grid.origin[a] + flow_.box.lo[a] * dx_;
            const double hi = flow_.grid.origin[a] + flow_.box.hi[a] * dx_;
            if (p.position[a] >= lo && p.position[a] <= hi) continue;
            const auto axis = static_cast<std::size_t>(a);
            if (flow_.repeats[axis]) {
                p.position[a] -= (hi - lo) * std::floor((p.position[a] - lo) / (hi - lo));
            } else if (!flow_.open[axis][p.position[a] > hi ? 1 : 0]) {
                p.position[a] = std::clamp(p.position[a], lo, hi);
                p.velocity[a] = 0;
            }
        }
    }

    void keep_out_of_solids(WhitewaterParticle<Dim>& p) const {
        if (!flow_.solid) return;
        const double inside = -flow_.solid(p.position);
        if (!(inside > 0)) return;
        Vec<double, Dim> slope;
        for (int a = 0; a < Dim; ++a) {
            Vec<double, Dim> step(0.0);
            step[a] = 0.5 * dx_;
            slope[a] = flow_.solid(p.position + step) - flow_.solid(p.position - step);
        }
        const double steepness = length(slope);
        if (!(steepness > 0)) return;
        const Vec<double, Dim> normal = slope / steepness;
        p.position += normal * inside;
        p.velocity -= normal * std::min(0.0, dot(normal, p.velocity));
    }

    // By its place at the end of the step.
    void find_type(WhitewaterParticle<Dim>& p) {
        const double phi = liquid_.level(p.position).phi, skin = std::max(p.radius, kSkin * dx_);
        switch (p.type) {
            case WhitewaterType::spray: return;  // it has not landed
            case WhitewaterType::foam:
                if (phi > kFoamLayer * dx_) p.type = WhitewaterType::spray;
                if (phi < -kFoamLayer * dx_) p.type = WhitewaterType::bubble;
                break;
            case WhitewaterType::bubble:
                if (phi > -skin) p.type = phi > kFoamLayer * dx_ ? WhitewaterType::spray : WhitewaterType::foam;
                break;
        }
        if (p.type == WhitewaterType::foam) liquid_.move_to_surface(p.position);
    }

    // It has not left through an open side.
    bool is_there(const WhitewaterParticle<Dim>& p) const {
        const Vec<double, Dim> cell = flow_.grid.cell_from_world(p.position);
        for (int a = 0; a < Dim; ++a)
            if (!(cell[a] > flow_.box.lo[a] - kRounding && cell[a] < flow_.box.hi[a] + kRounding) ||
                !std::isfinite(p.velocity[a]))
                return false;
        return true;
    }

    const WhitewaterFlow<Dim>& flow_;
    const WhitewaterSettings& settings_;
    WhitewaterSampler<Dim> liquid_;
    double dx_, gravity_ = 0;
    Vec<double, Dim> up_{};
};

}  // namespace

template <int Dim>
Whitewater<Dim>::Whitewater() {
    this->add_attribute("velocity", Dim);
    for (const char* name : {"radius", "age", "lifetime", "type"}) this->add_attribute(name, 1);
}

template <int Dim>
WhitewaterParticle<Dim> Whitewater<Dim>::particle(std::size_t n) const {
    const auto scalar = [&](std::size_t attribute) { return this->attributes[attribute].component[0][n]; };
    WhitewaterParticle<Dim> p{.position = this->place(n),
                              .velocity = {},
                              .radius = scalar(kRadius),
                              .age = scalar(kAge),
                              .lifetime = scalar(kLifetime),
                              .type = static_cast<WhitewaterType>(static_cast<int>(scalar(kType))),
                              .id = this->id[n]};
    for (int a = 0; a < Dim; ++a) p.velocity[a] = this->attributes[kVelocity].component[static_cast<std::size_t>(a)][n];
    return p;
}

template <int Dim>
void Whitewater<Dim>::set_particle(std::size_t n, const WhitewaterParticle<Dim>& p) {
    const auto set = [&](std::size_t attribute, double value) { this->attributes[attribute].component[0][n] = value; };
    this->set_place(n, p.position);
    this->id[n] = p.id;
    for (int a = 0; a < Dim; ++a) this->attributes[kVelocity].component[static_cast<std::size_t>(a)][n] = p.velocity[a];
    set(kRadius, p.radius);
    set(kAge, p.age);
    set(kLifetime, p.lifetime);
    set(kType, static_cast<double>(p.type));
}

template <int Dim>
void Whitewater<Dim>::add(const WhitewaterParticle<Dim>& p) {
    ParticleList<Dim>::add(p.position, p.id);
    set_particle(this->count() - 1, p);
}

template <int Dim>
WhitewaterReport advance_whitewater(Whitewater<Dim>& whitewater, const WhitewaterFlow<Dim>& flow, double dt,
                                    const WhitewaterSettings& settings, std::uint32_t step) {
    WhitewaterReport report;
    const std::size_t before = whitewater.count(), room = settings.most > before ? settings.most - before : 0;
    std::vector<double> spans(before, dt);
    for (WhitewaterBirth<Dim>& birth : whitewater_births(flow, dt, settings, step, room, report.is_limited)) {
        birth.particle.id = whitewater.next_id++;
        whitewater.add(birth.particle);
        spans.push_back(birth.since);
    }
    report.born = whitewater.count() - before;

    std::vector<unsigned char> stays(whitewater.count());
    parallel_ranges(whitewater.count(), kGrain, [&](std::size_t begin, std::size_t end) {
        Mover<Dim> mover(flow, settings);
        for (std::size_t n = begin; n < end; ++n) {
            WhitewaterParticle<Dim> p = whitewater.particle(n);
            stays[n] = mover.move(p, spans[n]) ? 1 : 0;
            whitewater.set_particle(n, p);
        }
    });
    const std::size_t moved = whitewater.count();
    erase_if(whitewater, [&](std::size_t n) { return stays[n] == 0; });
    report.died = moved - whitewater.count();
    return report;
}

// A spherical cap rises at 0.71 √(g d) [DaviesTaylor50], a small sphere that the liquid flows around slowly at
// g r² / 3ν [Clift78 §3].
double terminal_bubble_speed(double radius, double gravity, double viscosity) {
    const double cap = 0.71 * std::sqrt(2 * gravity * radius);
    return viscosity > 0 ? std::min(cap, gravity * radius * radius / (3 * viscosity)) : cap;
}

#define INSTANTIATE(Dim)                                                                               \
    template struct Whitewater<Dim>;                                                                   \
    template WhitewaterReport advance_whitewater(Whitewater<Dim>&, const WhitewaterFlow<Dim>&, double, \
                                                 const WhitewaterSettings&, std::uint32_t);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
