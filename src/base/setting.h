// SPDX-License-Identifier: Apache-2.0
// What a setting says of itself, once, for all who need to know: the scene reader, its errors, --set, the reference
// docs, and whatever shows a form.  A structure of settings has a function
//
//   template <class Visit>
//   void describe(Visit& visit, TimeSettings& s) {
//       visit("fps", s.fps, {.sentence = "frames per second of the film", .unit = "1/s", .above = 0, .to = 10000});
//       …
//   }
//
// whose member initialisers are the defaults; each use is a visitor.
#pragma once

#include <array>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace spindrift {

struct Setting {
    std::string_view sentence{};  // what it does to the result
    std::string_view unit{};
    double above = -std::numeric_limits<double>::infinity();  // exclusive
    double from = -std::numeric_limits<double>::infinity();
    double to = std::numeric_limits<double>::infinity();
    bool required = false;
    std::string_view instead{};  // what happens when it is left out, where that is no constant

    bool allows(double value) const { return value > above && value >= from && value <= to; }
};

// "above 0 m", "from 1 to 10", or nothing when all is allowed.
std::string range_text(const Setting& setting);

// One of the words a setting may be.  An enumeration lists them in a function that is found by its argument:
//   constexpr auto choices(Up) { return std::array{Choice{Up::y, "y", "…"}, Choice{Up::z, "z", "…"}}; }
template <class E>
struct Choice {
    E value;
    std::string_view name;
    std::string_view sentence;
};
template <class E>
Choice(E, const char*, const char*) -> Choice<E>;

template <class E>
std::string_view choice_name(E value) {
    for (const auto& choice : choices(E{}))
        if (choice.value == value) return choice.name;
    return "?";
}

template <class E>
std::vector<std::string> choice_names() {
    std::vector<std::string> names;
    for (const auto& choice : choices(E{})) names.emplace_back(choice.name);
    return names;
}

}  // namespace spindrift
