// SPDX-License-Identifier: Apache-2.0
#include "validate/cases.h"

namespace spindrift {

std::span<const ValidationCase> validation_cases() {
    static const std::vector<ValidationCase> list{
        {"taylor-green", "decaying and inviscid vortices in a periodic box against the exact solution", false,
         validate_taylor_green},
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
