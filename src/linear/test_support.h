// SPDX-License-Identifier: Apache-2.0
// What tests of the Poisson solvers share: systems given cell by cell, and the operator in double straight from its
// definition, to hold the tiled one against.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "grid/test_support.h"
#include "linear/poisson.h"

namespace spindrift {

template <int Dim, class F>
void for_each_cell(const Tiles<Dim>& tiles, F&& f) {
    for (std::size_t slot = 0; slot < tiles.count(); ++slot)
        for (int i = 0; i < kTileCells<Dim>; ++i) f(tiles.origin(static_cast<Slot>(slot)) + cell_in_tile<Dim>(i));
}

template <int Dim>
std::string text(const Index<Dim>& cell) {
    std::string out = "(";
    for (int a = 0; a < Dim; ++a) out += fmt::format("{}{}", a > 0 ? ", " : "", cell[a]);
    return out + ")";
}

template <int Dim>
bool is_red(const Index<Dim>& cell) {
    int sum = 0;
    for (int a = 0; a < Dim; ++a) sum += cell[a];
    return sum % 2 == 0;
}

template <int Dim>
Field<float, Dim> random_field(const TilesPtr<Dim>& tiles, unsigned seed) {
    std::mt19937 rng(seed);
    std::uniform_real_distribution<float> between(-1.0F, 1.0F);
    Field<float, Dim> field(tiles);
    for (float& value : field.values()) value = between(rng);
    return field;
}

// A system as fields, and what it means by the definition of the operator.
template <int Dim>
struct System {
    FaceField<Dim> conductance;
    Field<float, Dim> ground;
    Field<std::uint8_t, Dim> unknown;
    float mass;

    explicit System(const TilesPtr<Dim>& tiles, float mass_of_unknowns = 0)
        : conductance(tiles), ground(tiles), unknown(tiles), mass(mass_of_unknowns) {}

    const TilesPtr<Dim>& tiles() const { return unknown.tiles_ptr(); }
    PoissonOperator<Dim> make_operator() const { return PoissonOperator<Dim>(conductance, ground, unknown, mass); }

    double lower(const Index<Dim>& cell, int axis) const {
        const bool both = unknown.at(cell) != 0 && unknown.at(cell - unit<Dim>(axis)) != 0;
        return both ? static_cast<double>(conductance[axis].at(cell)) : 0.0;
    }
    double upper(const Index<Dim>& cell, int axis) const { return lower(cell + unit<Dim>(axis), axis); }
    double hold(const Index<Dim>& cell) const {
        return unknown.at(cell) != 0 ? static_cast<double>(ground.at(cell) + mass) : 0.0;
    }
    double diagonal(const Index<Dim>& cell) const {
        double sum = hold(cell);
        for (int a = 0; a < Dim; ++a) sum += lower(cell, a) + upper(cell, a);
        return sum;
    }
    // Σ c x_neighbour, and A x.
    template <class Values>
    double neighbours(const Index<Dim>& cell, const Values& x) const {
        double sum = 0;
        for (int a = 0; a < Dim; ++a)
            sum += lower(cell, a) * static_cast<double>(x.at(cell - unit<Dim>(a))) +
                   upper(cell, a) * static_cast<double>(x.at(cell + unit<Dim>(a)));
        return sum;
    }
    template <class Values>
    double applied(const Index<Dim>& cell, const Values& x) const {
        return diagonal(cell) * static_cast<double>(x.at(cell)) - neighbours(cell, x);
    }
};

// Unknown where inside(cell); every face between two unknowns conducts 1.
template <int Dim, class Inside>
System<Dim> system_of(const TilesPtr<Dim>& tiles, Inside&& inside, float mass = 0) {
    System<Dim> system(tiles, mass);
    assign(system.unknown, [&](const Index<Dim>& cell) { return static_cast<std::uint8_t>(inside(cell) ? 1 : 0); });
    for (int a = 0; a < Dim; ++a) system.conductance[a].fill(1);
    return system;
}

template <int Dim>
System<Dim> closed_box(const IndexBox<Dim>& box, float mass = 0) {
    return system_of<Dim>(
        Tiles<Dim>::covering(box), [&](const Index<Dim>& cell) { return box.contains(cell); }, mass);
}

// Tiles of every kind on both sides of the origin, some absent: plain ones with open and closed sides, ragged ones with
// any coefficients, empty ones.
template <int Dim>
System<Dim> random_system(unsigned seed, float mass = 0) {
    System<Dim> system(ragged_tiles<Dim>(Dim == 2 ? 3 : 1, 0.8, seed), mass);
    const Tiles<Dim>& tiles = *system.tiles();
    std::mt19937 rng(seed);
    const auto chance = [&](double p) { return std::bernoulli_distribution(p)(rng); };
    const auto fraction = [&] { return std::uniform_real_distribution<float>(0.0F, 1.0F)(rng); };

    enum class Kind { plain, ragged, empty };
    std::vector<Kind> kind(tiles.count());
    for (Kind& k : kind) k = chance(0.75) ? Kind::plain : chance(0.75) ? Kind::ragged : Kind::empty;
    for (std::size_t n = 0; n < tiles.count(); ++n) {
        const auto slot = static_cast<Slot>(n);
        const bool plain = kind[n] == Kind::plain;
        for (int i = 0; i < kTileCells<Dim>; ++i) {
            system.unknown.tile(slot)[i] = plain || (kind[n] == Kind::ragged && chance(0.7)) ? 1 : 0;
            system.ground.tile(slot)[i] = !plain && chance(0.1) ? 5 * fraction() : 0;
        }
        for (int a = 0; a < Dim; ++a) {
            const Slot below = tiles.neighbour(slot, side_neighbour<Dim>(a, false));
            const bool below_plain = below != kNoTile && kind[static_cast<std::size_t>(below)] == Kind::plain;
            const bool shut = chance(0.15);
            for (int i = 0; i < kTileCells<Dim>; ++i) {
                float& face = system.conductance[a].tile(slot)[i];
                face = chance(0.3) ? 0 : chance(0.4) ? 1 : fraction();
                if (plain) face = 1;
                if (cell_in_tile<Dim>(i)[a] == 0) face = shut ? 0 : below_plain && plain ? 1 : face;
            }
        }
    }
    return system;
}

// A box of cells on both sides of the origin, most of them unknowns, with any coefficients; small enough to be solved
// densely.  Loose ends and single cells make free regions beside the held ones.
template <int Dim>
System<Dim> small_random_system(unsigned seed, float mass = 0) {
    const IndexBox<Dim> box{Index<Dim>(Dim == 2 ? -9 : -3), Index<Dim>(Dim == 2 ? 9 : 4)};
    System<Dim> system(Tiles<Dim>::covering(box), mass);
    std::mt19937 rng(seed);
    const auto chance = [&](double p) { return std::bernoulli_distribution(p)(rng); };
    const auto fraction = [&] { return std::uniform_real_distribution<float>(0.0F, 1.0F)(rng); };
    for_each_index(box, [&](const Index<Dim>& cell) {
        system.unknown.ref(cell) = chance(0.75) ? 1 : 0;
        system.ground.ref(cell) = chance(0.05) ? 3 * fraction() : 0;
        for (int a = 0; a < Dim; ++a)
            system.conductance[a].ref(cell) = chance(0.2) ? 0 : chance(0.4) ? 1 : 0.05F + 0.95F * fraction();
    });
    return system;
}

// Connected sets of unknowns without ground, found by walking from cell to cell.
template <int Dim>
std::vector<std::vector<Index<Dim>>> free_regions(const System<Dim>& system) {
    std::vector<std::vector<Index<Dim>>> regions;
    Field<std::uint8_t, Dim> seen(system.tiles());
    for_each_cell(*system.tiles(), [&](const Index<Dim>& start) {
        if (seen.at(start) != 0 || !(system.diagonal(start) > 0)) return;
        std::vector<Index<Dim>> region{start};
        seen.ref(start) = 1;
        bool held = false;
        for (std::size_t i = 0; i < region.size(); ++i) {
            const Index<Dim> cell = region[i];
            held |= system.hold(cell) > 0;
            for (int a = 0; a < Dim; ++a)
                for (const int side : {-1, 1}) {
                    const Index<Dim> next = cell + unit<Dim>(a) * side;
                    const double c = side < 0 ? system.lower(cell, a) : system.upper(cell, a);
                    if (c > 0 && seen.at(next) == 0) {
                        seen.ref(next) = 1;
                        region.push_back(next);
                    }
                }
        }
        if (!held) regions.push_back(std::move(region));
    });
    return regions;
}

// A x = b by Gaussian elimination in double; in free regions b loses its mean and x has none.
template <int Dim>
Field<double, Dim> dense_solution(const System<Dim>& system, const Field<float, Dim>& b) {
    std::vector<Index<Dim>> cells;
    Field<int, Dim> number(system.tiles(), -1);
    for_each_cell(*system.tiles(), [&](const Index<Dim>& cell) {
        if (!(system.diagonal(cell) > 0)) return;
        number.ref(cell) = static_cast<int>(cells.size());
        cells.push_back(cell);
    });
    const std::size_t n = cells.size();
    const auto of = [&](const Index<Dim>& cell) { return static_cast<std::size_t>(number.at(cell)); };
    std::vector<std::vector<double>> m(n, std::vector<double>(n + 1, 0.0));
    for (std::size_t i = 0; i < n; ++i) {
        m[i][i] = system.diagonal(cells[i]);
        m[i][n] = static_cast<double>(b.at(cells[i]));
        for (int a = 0; a < Dim; ++a) {
            const double c = system.lower(cells[i], a);
            if (!(c > 0)) continue;
            const std::size_t j = of(cells[i] - unit<Dim>(a));
            m[i][j] = m[j][i] = -c;
        }
    }
    // A constant in every entry of a free region's block fixes its mean: A + 1 1ᵀ/size has no null space there.
    for (const auto& region : free_regions(system)) {
        const double share = 1.0 / static_cast<double>(region.size());
        double mean = 0;
        for (const Index<Dim>& cell : region) mean += share * m[of(cell)][n];
        for (const Index<Dim>& row : region) {
            m[of(row)][n] -= mean;
            for (const Index<Dim>& column : region) m[of(row)][of(column)] += share;
        }
    }
    // Positive definite: no pivoting needed.
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t i = k + 1; i < n; ++i) {
            const double factor = m[i][k] / m[k][k];
            if (factor == 0) continue;
            for (std::size_t j = k; j <= n; ++j) m[i][j] -= factor * m[k][j];
        }
    Field<double, Dim> x(system.tiles());
    for (std::size_t k = n; k-- > 0;) {
        double sum = m[k][n];
        for (std::size_t j = k + 1; j < n; ++j) sum -= m[k][j] * x.at(cells[j]);
        x.ref(cells[k]) = sum / m[k][k];
    }
    return x;
}

// For messages: the cell at which two fields differ most.
template <int Dim>
struct Difference {
    double largest = 0;
    Index<Dim> cell{};
};
template <int Dim>
std::ostream& operator<<(std::ostream& out, const Difference<Dim>& d) {
    return out << d.largest << " at cell " << text(d.cell);
}

// The largest |field(cell) − expected(cell)|.
template <int Dim, class Expected>
Difference<Dim> difference(const Field<float, Dim>& field, Expected&& expected) {
    Difference<Dim> worst;
    for_each_cell(field.tiles(), [&](const Index<Dim>& cell) {
        const double d = std::abs(static_cast<double>(field.at(cell)) - expected(cell));
        if (!(d <= worst.largest)) worst = {d, cell};
    });
    return worst;
}

}  // namespace spindrift
