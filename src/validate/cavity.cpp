// SPDX-License-Identifier: Apache-2.0
// The lid-driven cavity [0, 1]²: walls at rest, a lid at y = 1 that moves with u = 1, from rest to the steady flow.
// Held against tables of u(0.5, y) and v(x, 0.5).
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "base/curve.h"
#include "validate/cases.h"
#include "validate/trial.h"

namespace spindrift {
namespace {

struct Row {
    double place, value;
};

// Re 100: [Ghia82] tables I and II, 129² points.
constexpr std::array<Row, 15> kGhiaU100{{{0.0547, -0.03717},
                                         {0.0625, -0.04192},
                                         {0.0703, -0.04775},
                                         {0.1016, -0.06434},
                                         {0.1719, -0.10150},
                                         {0.2813, -0.15662},
                                         {0.4531, -0.21090},
                                         {0.5000, -0.20581},
                                         {0.6172, -0.13641},
                                         {0.7344, 0.00332},
                                         {0.8516, 0.23151},
                                         {0.9531, 0.68717},
                                         {0.9609, 0.73722},
                                         {0.9688, 0.78871},
                                         {0.9766, 0.84123}}};
constexpr std::array<Row, 15> kGhiaV100{{{0.0625, 0.09233},
                                         {0.0703, 0.10091},
                                         {0.0781, 0.10890},
                                         {0.0938, 0.12317},
                                         {0.1563, 0.16077},
                                         {0.2266, 0.17507},
                                         {0.2344, 0.17527},
                                         {0.5000, 0.05454},
                                         {0.8047, -0.24533},
                                         {0.8594, -0.22445},
                                         {0.9063, -0.16914},
                                         {0.9453, -0.10313},
                                         {0.9531, -0.08864},
                                         {0.9609, -0.07391},
                                         {0.9688, -0.05906}}};
// Re 1000: [BotellaPeyret98] tables 9 and 10, by a spectral method; [Ghia82] is 1.5 % off there.
constexpr std::array<Row, 15> kSpectralU1000{{{0.0547, -0.1812881},
                                              {0.0625, -0.2023300},
                                              {0.0703, -0.2228955},
                                              {0.1016, -0.3004561},
                                              {0.1719, -0.3885690},
                                              {0.2813, -0.2803696},
                                              {0.4531, -0.1081999},
                                              {0.5000, -0.0620561},
                                              {0.6172, 0.0570178},
                                              {0.7344, 0.1886747},
                                              {0.8516, 0.3372212},
                                              {0.9531, 0.4723329},
                                              {0.9609, 0.5169277},
                                              {0.9688, 0.5808359},
                                              {0.9766, 0.6644227}}};
constexpr std::array<Row, 15> kSpectralV1000{{{0.0625, 0.2807056},
                                              {0.0703, 0.2962703},
                                              {0.0781, 0.3099097},
                                              {0.0938, 0.3330442},
                                              {0.1563, 0.3769189},
                                              {0.2266, 0.3339924},
                                              {0.2344, 0.3253592},
                                              {0.5000, 0.0257995},
                                              {0.8047, -0.3202137},
                                              {0.8594, -0.4264545},
                                              {0.9063, -0.5264392},
                                              {0.9453, -0.4103754},
                                              {0.9531, -0.3553213},
                                              {0.9609, -0.2936869},
                                              {0.9688, -0.2279225}}};

struct Cavity {
    Curve u, v;  // on the vertical and the horizontal middle
    Vec<double, 2> centre;
};

// The velocity along a middle: `axis` is the component, which has faces there; it varies along the other axis.
Curve profile(const FaceField<2>& velocity, int axis, int cells, double at_end) {
    Curve curve;
    curve.add(0, 0);
    Index<2> cell(cells / 2);
    for (int n = 0; n < cells; ++n) {
        cell[1 - axis] = n;
        curve.add((n + 0.5) / cells, velocity[axis].at(cell));
    }
    curve.add(1, at_end);
    return curve;
}

// Where a parabola through three points has its end, from the middle one and in their distance.
double vertex(double below, double here, double above) { return 0.5 * (below - above) / (below - 2 * here + above); }

// Where the stream function ψ, u = ∂ψ/∂y, has its lowest value.
Vec<double, 2> vortex_centre(const FaceField<2>& velocity, int cells) {
    std::vector<double> psi(static_cast<std::size_t>((cells + 1) * (cells + 1)));
    const auto at = [&](int i, int j) -> double& { return psi[static_cast<std::size_t>(i * (cells + 1) + j)]; };
    for (int i = 1; i < cells; ++i)
        for (int j = 0; j < cells; ++j) at(i, j + 1) = at(i, j) + double{velocity[0].at({i, j})} / cells;
    int x = 1, y = 1;
    for (int i = 1; i < cells; ++i)
        for (int j = 1; j < cells; ++j)
            if (at(i, j) < at(x, y)) x = i, y = j;
    return Vec<double, 2>(x + vertex(at(x - 1, y), at(x, y), at(x + 1, y)),
                          y + vertex(at(x, y - 1), at(x, y), at(x, y + 1))) /
           double(cells);
}

// Until the flow no longer changes: by less than this in a unit of time, of the lid's speed.
constexpr double kSteady = 1e-6;
constexpr double kLongest = 150;

Result<Cavity> steady_cavity(Trial& trial) {
    const int cells = cell_counts(trial.scene())[0];
    const IndexBox<2> box{{0, 0}, {cells, cells}};
    for (double change = 1; change > kSteady && trial.time() < kLongest;) {
        const FaceField<2> before = trial.gas<2>().velocity;
        if (auto ran = trial.run_until(trial.time() + 1); !ran) return std::move(ran).errors();
        change = 0;
        for (int axis = 0; axis < 2; ++axis)
            for_each_index(box, [&](const Index<2>& c) {
                const double d = double{before[axis].at(c)} - double{trial.gas<2>().velocity[axis].at(c)};
                change = std::max(change, std::abs(d));
            });
    }
    const FaceField<2>& u = trial.gas<2>().velocity;
    return Cavity{profile(u, 0, cells, 1), profile(u, 1, cells, 0), vortex_centre(u, cells)};
}

struct Deviation {
    double largest = 0, mean_square = 0;
};
template <std::size_t N>
Deviation deviation(const Cavity& found, const std::array<Row, N>& u, const std::array<Row, N>& v) {
    Deviation d;
    const auto add = [&](const Curve& curve, const Row& row) {
        const double off = curve.cubic(row.place) - row.value;
        d.largest = std::max(d.largest, std::abs(off));
        d.mean_square += off * off / (2 * N);
    };
    for (const Row& row : u) add(found.u, row);
    for (const Row& row : v) add(found.v, row);
    return d;
}

Result<void> run_cavity(const ValidationSettings& settings, const std::string& method, int reynolds, int cells) {
    auto trial = Trial::of_catalogue("lid-driven-cavity",
                                     {"method=" + method, fmt::format("gas.viscosity={}", 1.0 / reynolds),
                                      fmt::format("domain.resolution={}", std::lround(cells * settings.scale))});
    if (!trial) return std::move(trial).errors();
    const auto ran = steady_cavity(trial.value());
    if (!ran) return ran.errors();
    const Cavity& found = ran.value();
    const bool judged = method == "gas";
    const auto figure = [&](const char* name, double measured) {
        return Figure{.name = fmt::format("Re {}: {}", reynolds, name),
                      .variant = method,
                      .grid = trial.value().grid(),
                      .measured = measured};
    };
    const auto extreme = [&](const char* name, double measured, double expected, double part) {
        Figure f = figure(name, measured);
        if (judged)
            f.near(expected, part);
        else
            f.reference = expected;
        settings.found(f);
    };
    const auto bounded = [&](Figure f, double most) { settings.found(judged ? f.at_most(most) : f); };

    const double u_min = found.u.lowest(0, 0.6).value, v_min = found.v.lowest(0.5, 1).value;
    if (reynolds == 100) {
        bounded(figure("deviation, rms", std::sqrt(deviation(found, kGhiaU100, kGhiaV100).mean_square)), 0.005);
        extreme("lowest u", u_min, -0.21404, 0.005);  // [MarchiSuero09]
        extreme("lowest v", v_min, -0.253803, 0.005);
        return {};
    }
    bounded(figure("deviation, largest", deviation(found, kSpectralU1000, kSpectralV1000).largest), 0.010);
    extreme("lowest u", u_min, -0.3885698, 0.01);
    extreme("lowest v", v_min, -0.5270771, 0.01);
    extreme("highest v", found.v.highest(0, 0.5).value, 0.3769447, 0.01);
    bounded(figure("vortex centre off by", length(found.centre - Vec<double, 2>(0.5308, 0.5652))), 0.003);
    return {};
}

}  // namespace

Result<void> validate_cavity(const ValidationSettings& settings) {
    for (const std::string method : {"gas", "stable-fluids-1999"})
        if (auto ran = run_cavity(settings, method, 100, 64); !ran) return ran;
    for (const std::string method : {"gas", "stable-fluids-1999"})
        if (auto ran = run_cavity(settings, method, 1000, 128); !ran) return ran;
    return {};
}

}  // namespace spindrift
