// SPDX-License-Identifier: Apache-2.0
#include "validate/cases.h"

namespace spindrift {

std::span<const ValidationCase> validation_cases() {
    static const std::vector<ValidationCase> list{
        {"taylor-green", "decaying and inviscid vortices in a periodic box against the exact solution", false,
         validate_taylor_green},
        {"lid-driven-cavity", "a sliding lid at Reynolds numbers 100 and 1000 against published tables", false,
         validate_cavity},
        {"vortex-street", "how often swirls leave a cylinder in a wind, and its drag, at Reynolds number 100", true,
         validate_vortex_street},
        {"couette", "flow between a cylinder that turns and one at rest, and its torque, against the exact one", false,
         validate_couette},
        {"turning-solid", "torque and work of a solid that turns in a closed tank, against what the gas gains", false,
         validate_turning_solid},
        {"buoyancy", "the force of still water on a box against the weight of what it displaces", false,
         validate_buoyancy},
        {"vortex-dipole", "two swirls that push each other along should neither fade nor slow down", false,
         validate_dipole},
        {"plume", "how a turbulent plume widens, slows and thins out with height, against similarity", true,
         validate_plume},
        {"thermal", "how a ball of warm air widens and slows as it rises, against similarity", true, validate_thermal},
        {"notched-disk", "a disk with a slot turns once, with particles and without", false, validate_notched_disk},
        {"vortex-in-a-box", "a disk drawn out to a spiral and back, with particles and without", false,
         validate_vortex_in_a_box},
        {"enright-deformation", "a ball drawn out to a sheet and back, with particles and without", true,
         validate_enright_deformation},
        {"standing-wave", "period and decay of a small wave against linear theory", false, validate_standing_wave},
        {"dam-break", "a collapsing column of water against the experiment of Martin and Moyce", false,
         validate_dam_break},
        {"solitary-wave", "speed and height of a wave that runs along a flat bed", false, validate_solitary_wave},
        {"rising-bubble", "a bubble in a thick liquid against a benchmark of three other programs", false,
         validate_bubble},
        {"breaking-wave", "a wave that runs up a slope curls over and closes a tube of air", false,
         validate_breaking_wave},
    };
    return list;
}

Result<std::vector<Figure>> figures_of(const ValidationCase& c, double scale) {
    std::vector<Figure> figures;
    const auto ran = c.run({.scale = scale, .found = [&](const Figure& figure) { figures.push_back(figure); }});
    if (!ran) return ran.errors();
    return figures;
}

}  // namespace spindrift
