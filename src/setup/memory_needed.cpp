// SPDX-License-Identifier: Apache-2.0
#include "setup/memory_needed.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/readable.h"
#include "scene/estimate.h"
#include "scene/methods.h"

namespace spindrift {
namespace {

// Estimates are good to a factor of 1.5 (docs/estimates.md), and there may be room on a disk for what is seldom used.
constexpr double kSurely = 3;

double machine_bytes() {
    return static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

Error too_large(const SceneDescription& scene, double bytes) {
    return {.what = fmt::format("the run would need about {} of memory; this machine has {}", bytes_text(bytes),
                                bytes_text(machine_bytes())),
            .remedy = scene.domain.cell_size ? "make domain.cell_size larger" : "lower domain.resolution",
            .where = place_of(scene, scene.domain.cell_size ? "domain.cell_size" : "domain.resolution")};
}

}  // namespace

Result<void> check_memory(const SceneDescription& scene) {
    const double bytes = estimate(scene).memory_bytes;
    // A sparse gas may have far fewer tiles than the whole box.
    const bool is_bound = scene::uses(scene.method, "gas") && scene.gas.sparse;
    if (is_bound || bytes <= kSurely * machine_bytes()) return {};
    return too_large(scene, bytes);
}

Errors memory_warnings(const SceneDescription& scene) {
    const double bytes = estimate(scene).memory_bytes;
    if (!check_memory(scene)) return {};  // told as an error
    return bytes > machine_bytes() ? Errors(too_large(scene, bytes)) : Errors();
}

}  // namespace spindrift
