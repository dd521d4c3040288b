// SPDX-License-Identifier: Apache-2.0
// Steps of gases as someone at work on them takes them: all tiles there, one dye, swirls that cross a few cells.
#include <cmath>

#include <fmt/format.h>

#include "bench/bench.h"
#include "scene/read_scene.h"
#include "session/interactive_gas.h"

namespace spindrift::bench {
namespace {

constexpr double kSwirl = 1.0;  // m/s; the box is 1 m wide
constexpr double kCells = 3;    // that the fastest gas crosses in a step

// What the passes of a step read and write, in floats per cell.
int values_per_cell(int dim, bool sharper) {
    // Outflow, before and after; the transforms read and write their work three times; the gradient.
    const int project = 2 * (dim + 1) + 2 + 6 + (2 * dim + 1);
    const auto carry = [dim](int fields) { return dim + 2 * fields; };
    if (!sharper) return carry(dim) - dim + project + carry(1);  // a velocity that carries itself is read once
    // The old velocity kept, the one half way, the pressure's gradient before and after, what the pressure becomes, and
    // the mean velocity that carries the dye.
    const int keep = 2 * dim, gradients = 2 * (2 * dim + 1), pressure = 3, mean = 3 * dim;
    const int confine = (2 * dim + 1) + (2 * dim + 1) + 3 * dim;
    return keep + gradients + confine + 2 * carry(dim) + project + pressure + mean + carry(1);
}

std::string scene_text(int dim, int size, const char* method, const char* sides) {
    const bool flat = dim == 2;
    return fmt::format(R"scene(
spindrift = 1
method = "{}"
[domain]
size = [1, 1{}]
resolution = {}
sides = {{all = "{}"}}
[gas]
velocity = ["{} * sin(tau * x) * cos(tau * y)", "-{} * cos(tau * x) * sin(tau * y)"{}]
[[substance]]
name = "dye"
initial = "sin(tau * x) * sin(2 * tau * y)"
)scene",
                       method, flat ? "" : ", 1", size, sides, kSwirl, kSwirl, flat ? "" : ", \"0\"");
}

template <int Dim>
void measure_steps(const char* name, int size, const char* method, const char* sides, const Settings& settings,
                   const Report& report) {
    const auto scene = parse_scene(scene_text(Dim, size, method, sides), "bench.toml");
    CHECK(scene, "the benchmark's own scene: {}", scene.errors().text());
    auto gas = InteractiveGas<Dim>::make(scene.value());
    CHECK(gas, "the benchmark's own scene: {}", gas.errors().text());
    const double dt = kCells / size / kSwirl;
    Measurement m{name, fmt::format("{}^{}", size, Dim)};
    m.seconds = best_seconds(settings, [&] {
        const StepReport step = gas.value().step(dt);
        CHECK(step.failure.empty(), "the benchmark's own scene: {}", step.failure);
    });
    m.cells = std::pow(size, Dim);
    m.bytes_per_cell = sizeof(float) * values_per_cell(Dim, std::string_view(method) == "gas");
    m.remark = fmt::format("{}, {} sides: {:.1f} steps per second", method, sides, 1 / m.seconds);
    report(m);
}

void run_gas(const Settings& settings, const Report& report) {
    std::vector<int> sizes{64, 128};
    if (settings.size > 0) sizes = {settings.size};
    for (const int size : sizes)
        for (const char* method : {"stable-fluids-1999", "gas"})
            measure_steps<3>("gas", size, method, "slip", settings, report);
}

void run_gas_2d(const Settings& settings, const Report& report) {
    std::vector<int> sizes{256, 512};
    if (settings.size > 0) sizes = {settings.size};
    for (const int size : sizes)
        for (const char* sides : {"periodic", "slip"})
            for (const char* method : {"stable-fluids-1999", "gas"})
                measure_steps<2>("gas-2d", size, method, sides, settings, report);
}

}  // namespace

std::vector<Case> gas_cases() {
    return {{"gas", "steps of a gas in a closed box, with one dye", run_gas},
            {"gas-2d", "the same in 2D, closed and periodic", run_gas_2d}};
}

}  // namespace spindrift::bench
