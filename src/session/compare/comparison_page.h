// SPDX-License-Identifier: Apache-2.0
// comparison.html: one file that needs no other and no network.
#pragma once

#include <string>

#include "session/compare/comparison.h"
#include "session/compare/film_strip.h"

namespace spindrift {

std::string comparison_page(const Comparison& comparison, const FilmStrip& strip);

}  // namespace spindrift
