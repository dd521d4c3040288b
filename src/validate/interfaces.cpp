// SPDX-License-Identifier: Apache-2.0
// Shapes advected by given flows that bring them back: a notched disk that turns once [Zalesak79], a disk drawn out to
// a spiral and a ball to a sheet, and back [LeVeque96, Enright02].  With particles on both sides of the surface, inside
// it alone [FF01], and without: what each of them loses.  The tracker is that of liquids; two settings in which the
// trials differ from a liquid's defaults, the length of steps and escaped particles, are shown both ways.
#include <cmath>

#include <fmt/format.h>

#include "surface/interface_cases.h"
#include "validate/cases.h"
#include "validate/components.h"
#include "validate/trial.h"

namespace spindrift {
namespace {

struct Variant {
    const char* name;
    const char* setting;
};
constexpr Variant kVariants[] = {{"both sides", "particles.sides=both"},
                                 {"steps of 3 cells", "time.cfl=3"},
                                 {"escaped removed", "particles.escape_distance=0.15"},
                                 {"inside only", "particles.sides=inside"},
                                 {"level set alone", "particles.sides=none"}};

template <int Dim>
struct Expected {
    std::string scene;
    InterfaceCase<Dim> shape;            // at the start and at the end, in a box of side 1
    double end = 0;                      // s
    std::optional<double> most_drawn{};  // s: when it is thinnest
};

template <int Dim>
struct Outcome {
    std::string grid;
    ShapeMeasure before, after;
    Field<float, Dim> phi;
    int pieces = 1;  // when it is thinnest
    double volume_error() const { return after.volume / before.volume - 1; }
};

template <int Dim>
int pieces_of(const Field<float, Dim>& phi, int cells) {
    const IndexBox<Dim> box{Index<Dim>(0), Index<Dim>(cells)};
    return static_cast<int>(component_sizes<Dim>(box, [&](const Index<Dim>& cell) { return phi.at(cell) < 0; }).size());
}

// The pieces of the exact shape at a time, on the same cells: what the grid can hold.  Each cell's centre is traced
// back to where it came from, by the Runge–Kutta rule of fourth order.
template <int Dim>
int exact_pieces(const InterfaceCase<Dim>& shape, double time) {
    constexpr int kSteps = 100;
    const double dt = -time / kSteps;
    Field<float, Dim> phi(Tiles<Dim>::covering({Index<Dim>(0), Index<Dim>(shape.cells)}));
    assign(phi, [&](const Index<Dim>& cell) {
        Vec<double, Dim> x = (Vec<double, Dim>(cell) + Vec<double, Dim>(0.5)) * shape.dx();
        for (int n = 0; n < kSteps; ++n) {
            const double t = time + n * dt;
            const double now = shape.strength(t), middle = shape.strength(t + dt / 2), then = shape.strength(t + dt);
            const Vec<double, Dim> k1 = shape.velocity(x) * now, k2 = shape.velocity(x + k1 * (dt / 2)) * middle,
                                   k3 = shape.velocity(x + k2 * (dt / 2)) * middle,
                                   k4 = shape.velocity(x + k3 * dt) * then;
            x = x + (k1 + (k2 + k3) * 2.0 + k4) * (dt / 6);
        }
        return static_cast<float>(shape.distance(x));
    });
    return pieces_of(phi, shape.cells);
}

template <int Dim>
Result<Outcome<Dim>> advected(const Expected<Dim>& expected, const Variant& variant) {
    auto made = Trial::of_catalogue(expected.scene,
                                    {fmt::format("domain.resolution={}", expected.shape.cells), variant.setting});
    if (!made) return std::move(made).errors();
    Trial& trial = made.value();
    Outcome<Dim> outcome;
    outcome.grid = trial.grid();
    outcome.before = measure_shape(trial.liquid<Dim>().phi, expected.shape);
    if (expected.most_drawn) {
        if (auto ran = trial.run_until(*expected.most_drawn); !ran) return std::move(ran).errors();
        outcome.pieces = pieces_of(trial.liquid<Dim>().phi, expected.shape.cells);
    }
    if (auto ran = trial.run_until(expected.end); !ran) return std::move(ran).errors();
    outcome.phi = trial.liquid<Dim>().phi;
    outcome.after = measure_shape(outcome.phi, expected.shape);
    return outcome;
}

int scaled(int cells, const ValidationSettings& settings) {
    return static_cast<int>(std::lround(cells * settings.scale));
}

// Calls tell(variant, outcome, figure) for each variant; figure(name, measured) makes a figure of it.
template <int Dim, class Tell>
Result<void> for_each_variant(const Expected<Dim>& expected, Tell&& tell) {
    for (const Variant& variant : kVariants) {
        const auto ran = advected(expected, variant);
        if (!ran) return ran.errors();
        const Outcome<Dim>& outcome = ran.value();
        const auto figure = [&](const char* name, double measured, const char* unit = "") {
            return Figure{
                .name = name, .variant = variant.name, .grid = outcome.grid, .measured = measured, .unit = unit};
        };
        tell(&variant == &kVariants[0], outcome, figure);
    }
    return {};
}

}  // namespace

Result<void> validate_notched_disk(const ValidationSettings& settings) {
    InterfaceCase<2> shape = zalesak_disk(scaled(100, settings));
    shape.side = 1;
    shape.distance = [](const Vec<double, 2>& p) { return notched_disk(p * 100.0) / 100; };
    constexpr double kOutline = 1.44;  // m
    return for_each_variant<2>({"notched-disk", shape, 4}, [&](bool judged, const Outcome<2>& o, auto&& figure) {
        Figure area = figure("area error", 100 * o.volume_error(), "%");
        Figure off = figure("distance from the disk, mean", o.after.difference / kOutline / shape.dx(), "cells");
        Figure corners = figure("corners kept", corners_kept(o.phi, shape));
        corners.reference = 4;
        settings.found(judged ? area.within(0.2) : area);
        settings.found(judged ? off.at_most(0.07) : off);
        settings.found(judged ? corners.at_least(4) : corners);
    });
}

Result<void> validate_vortex_in_a_box(const ValidationSettings& settings) {
    const InterfaceCase<2> shape = single_vortex(scaled(128, settings));
    const int held = exact_pieces(shape, 4);
    return for_each_variant<2>({"vortex-in-a-box", shape, 8, 4}, [&](bool judged, const Outcome<2>& o, auto&& figure) {
        Figure area = figure("area error", 100 * o.volume_error(), "%");
        Figure off = figure("area in one of both disks only", o.after.difference);
        Figure pieces = figure("pieces at 4 s", o.pieces);
        pieces.reference = held;
        settings.found(judged ? area.within(0.5) : area);
        settings.found(judged ? off.at_most(1.2e-3) : off);
        settings.found(judged ? pieces.at_most(held) : pieces);
    });
}

Result<void> validate_enright_deformation(const ValidationSettings& settings) {
    const InterfaceCase<3> shape = deformed_ball(scaled(100, settings));
    const int held = exact_pieces(shape, 1.5);
    return for_each_variant<3>({"enright-deformation", shape, 3, 1.5},
                               [&](bool judged, const Outcome<3>& o, auto&& figure) {
                                   Figure volume = figure("volume error", 100 * o.volume_error(), "%");
                                   Figure pieces = figure("pieces at 1.5 s", o.pieces);
                                   pieces.reference = held;
                                   settings.found(judged ? volume.within(1) : volume);
                                   settings.found(judged ? pieces.at_most(held) : pieces);
                               });
}

}  // namespace spindrift
