// SPDX-License-Identifier: Apache-2.0
#include "validate/plume_law.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/curve.h"

namespace spindrift {
namespace {

// Of the fastest: slower air around the plume only follows its swirls.
constexpr double kEdge = 0.05;

}  // namespace

double momentum_length(const PlumeLevel& level) { return std::pow(level.momentum, 0.75) / std::sqrt(level.buoyancy); }

double plume_parameter(const PlumeLevel& level, double entrainment) {
    return 5 * level.volume * level.volume * level.buoyancy /
           (8 * std::sqrt(std::numbers::pi) * entrainment * std::pow(level.momentum, 2.5));
}

PlumeMean::PlumeMean(const GridTransform<3>& grid, const Index<3>& cells)
    : grid_(grid), cells_(cells), ring_count_(std::min(cells[0], cells[2]) / 2) {
    for (int x = 0; x < cells[0]; ++x)
        for (int z = 0; z < cells[2]; ++z)
            ring_of_.push_back(static_cast<int>(std::hypot(x + 0.5 - 0.5 * cells[0], z + 0.5 - 0.5 * cells[2])));
    rings_.resize(static_cast<std::size_t>(cells[1]) * static_cast<std::size_t>(ring_count_));
}

void PlumeMean::add(const GasState<3>& gas) {
    const FaceField<3>& u = gas.velocity;
    // The upper faces of the last level may have no tile.
    for_each_index(IndexBox<3>{Index<3>(0), cells_ - unit<3>(1)}, [&](const Index<3>& cell) {
        const int number = ring_of_[static_cast<std::size_t>(cell[0] * cells_[2] + cell[2])];
        if (number >= ring_count_) return;
        const double speed = 0.5 * (double{u[1].at(cell)} + double{u[1].at(cell + unit<3>(1))});
        Ring& to = rings_[static_cast<std::size_t>(cell[1] * ring_count_ + number)];
        to.cells += 1;
        to.speed += speed;
        to.flux += speed * double{gas.substances[0].at(cell)};
    });
    ++times_;
}

std::vector<PlumeLevel> PlumeMean::levels(double from, double to) const {
    std::vector<PlumeLevel> all;
    const double area = grid_.dx * grid_.dx / times_;
    for (int row = 0; row + 1 < cells_[1]; ++row) {
        PlumeLevel level{.height = grid_.world_of_centre({0, row, 0})[1]};
        if (level.height < from || level.height > to) continue;
        const Ring* rings = &rings_[static_cast<std::size_t>(row * ring_count_)];
        const auto speed = [&](int n) { return rings[n].speed / rings[n].cells; };
        double fastest = 0;
        for (int n = 0; n < ring_count_; ++n) fastest = std::max(fastest, speed(n));
        for (int n = 0; n < ring_count_ && speed(n) > kEdge * fastest; ++n) {
            level.volume += rings[n].speed * area;
            level.momentum += rings[n].speed * speed(n) * area;
            level.buoyancy += rings[n].flux * area;
        }
        all.push_back(level);
    }
    return all;
}

PlumeLaw plume_law(const std::vector<PlumeLevel>& levels) {
    Curve radius, speed, buoyancy, buoyancy_flux, evenly;
    double rims = 0;  // ∫ 2π b w dz, through which air is taken in
    for (std::size_t n = 0; n < levels.size(); ++n) {
        const auto& [z, volume, momentum, flux] = levels[n];
        const double across = std::sqrt(std::numbers::pi * momentum);  // π b w
        radius.add(z, volume / across);
        speed.add(z, momentum / volume);
        buoyancy.add(z, flux / volume);
        buoyancy_flux.add(z, flux);
        evenly.add(z, std::pow(volume, 0.6));
        if (n > 0) rims += (across + std::sqrt(std::numbers::pi * levels[n - 1].momentum)) * (z - levels[n - 1].height);
    }
    const Line line = fitted_line(evenly);
    const double origin = -line.offset / line.slope;
    return {.origin = origin,
            .radius = fitted_exponent(radius, origin),
            .speed = fitted_exponent(speed, origin),
            .buoyancy = fitted_exponent(buoyancy, origin),
            .buoyancy_flux = fitted_exponent(buoyancy_flux, origin),
            .entrainment = (levels.back().volume - levels.front().volume) / rims};
}

}  // namespace spindrift
