// SPDX-License-Identifier: Apache-2.0
// "Did you mean": the nearest of the words that would have been right.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace spindrift {

// The nearest in spelling, else one of the same meaning ("box" for "cube").  Empty when none is near: more than a third
// of the letters would have to change.
std::string nearest(std::string_view word, const std::vector<std::string>& known);

// "did you mean 'bench'?", or nothing when none is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

// "there is no command 'bnech'; did you mean 'bench'?" and below it the list of all.
Error unknown_word(std::string_view kind, std::string_view word, const std::vector<std::string>& known);

}  // namespace spindrift
