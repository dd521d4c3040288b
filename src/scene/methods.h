// SPDX-License-Identifier: Apache-2.0
// The table of simulation methods.  Parsing, checks, warnings, estimates, the scene reference and make_simulation()
// ask it; nobody else knows which method does what.  docs/recipes/add-a-method.md says how a method gets in.
#pragma once

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/setting.h"
#include "scene/checks.h"
#include "scene/description.h"
#include "scene/estimate.h"

namespace spindrift {

// Checks and warnings of one phase; see checks_liquid.cpp, checks_gas.cpp, warnings_liquid.cpp and warnings_gas.cpp.
class SceneWarnings;
void check_liquid(const SceneDescription& scene, int dim, const std::set<std::string>& unread,
                  const Complain& complain);
void check_gas(const SceneDescription& scene, int dim, const std::set<std::string>& unread, const Complain& complain);
void warn_of_liquid(SceneWarnings& warnings, const SceneDescription& scene);
void warn_of_controls(SceneWarnings& warnings, const SceneDescription& scene);
void warn_of_gas(SceneWarnings& warnings, const SceneDescription& scene);
void check_foster_metaxas(const SceneDescription& scene, int dim, const std::set<std::string>& unread,
                          const Complain& complain);
void warn_of_foster_metaxas(SceneWarnings& warnings, const SceneDescription& scene);

namespace scene {

enum class Phase { liquid, gas };

// The simulation of session/ that runs a method; `none` for methods that are planned.
enum class Engine { none, level_set, foster_metaxas, stable_fluids };

struct MethodRow {
    Method method;
    std::string_view name;      // in scenes
    std::string_view paper;     // key in docs/references.bib; empty for our own
    std::string_view sentence;  // for the scene reference
    Phase phase;
    Engine engine;
    std::span<const std::string_view> sections;  // of a scene that it uses, besides those that all methods use
    std::span<const std::string_view> fields;    // of output.fields that it can write, besides substances
    void (*estimate)(SceneEstimate&, const SceneDescription&, const CellCosts&);
    void (*check)(const SceneDescription&, int dim, const std::set<std::string>& unread, const Complain&);
    void (*warn)(SceneWarnings&, const SceneDescription&);
};

namespace detail {
using Names = std::string_view;
inline constexpr std::array<Names, 10> kLevelSet{"gravity", "force",  "fluid", "component", "level-set",
                                                 "flow",    "liquid", "wind",  "control",   "whitewater"};
inline constexpr std::array<Names, 11> kParticles{"gravity", "force",  "fluid", "component", "level-set", "particles",
                                                  "flow",    "liquid", "wind",  "control",   "whitewater"};
inline constexpr std::array<Names, 12> kHybrid{"gravity",   "force",     "fluid",         "component",
                                               "level-set", "particles", "foster-fedkiw", "flow",
                                               "liquid",    "wind",      "control",       "whitewater"};
inline constexpr std::array<Names, 5> kFosterMetaxas{"gravity", "fluid", "foster-metaxas", "liquid", "whitewater"};
inline constexpr std::array<Names, 4> kGas{"gas", "substance", "force", "texture"};
inline constexpr std::array<Names, 5> kLiquidFields{"surface", "velocity", "vel", "pressure", "collision"};
inline constexpr std::array<Names, 3> kGasFields{"velocity", "vel", "pressure"};
using spindrift::detail::estimate_foster_metaxas;
using spindrift::detail::estimate_gas;
using spindrift::detail::estimate_liquid;
}  // namespace detail

inline constexpr std::array kMethods{
    MethodRow{Method::level_set, "level-set", "",
              "a level set alone: two to three times as fast as with particles, loses thin sheets", Phase::liquid,
              Engine::level_set, detail::kLevelSet, detail::kLiquidFields, detail::estimate_liquid, check_liquid,
              warn_of_liquid},
    MethodRow{Method::particle_level_set_2002, "particle-level-set-2002", "EMF02",
              "Enright, Marschner and Fedkiw 2002: a level set corrected by particles on both sides of it",
              Phase::liquid, Engine::level_set, detail::kParticles, detail::kLiquidFields, detail::estimate_liquid,
              check_liquid, warn_of_liquid},
    MethodRow{Method::foster_fedkiw_2001, "foster-fedkiw-2001", "FF01",
              "Foster and Fedkiw 2001: a level set with particles inside it, which count where the surface bends",
              Phase::liquid, Engine::level_set, detail::kHybrid, detail::kLiquidFields, detail::estimate_liquid,
              check_liquid, warn_of_liquid},
    MethodRow{Method::foster_metaxas_1996, "foster-metaxas-1996", "FM96",
              "Foster and Metaxas 1996: an explicit step on coarse grids, with markers in the liquid", Phase::liquid,
              Engine::foster_metaxas, detail::kFosterMetaxas, detail::kLiquidFields, detail::estimate_foster_metaxas,
              check_foster_metaxas, warn_of_foster_metaxas},
    MethodRow{Method::stable_fluids_1999, "stable-fluids-1999", "Stam99", "Stam 1999: stable for any time step",
              Phase::gas, Engine::stable_fluids, detail::kGas, detail::kGasFields, detail::estimate_gas, check_gas,
              warn_of_gas},
    MethodRow{Method::gas, "gas", "Stam99",
              "smoke and hot air: as 1999, with cubic advection and steps of second order in time", Phase::gas,
              Engine::stable_fluids, detail::kGas, detail::kGasFields, detail::estimate_gas, check_gas, warn_of_gas}};

constexpr const MethodRow& row(Method method) {
    return *std::find_if(kMethods.begin(), kMethods.end(), [&](const MethodRow& r) { return r.method == method; });
}

constexpr bool is_available(Method method) { return row(method).engine != Engine::none; }

// Whether it uses a table or list of the scene, which is one that not all methods use.
constexpr bool uses(Method method, std::string_view section) {
    const auto& sections = row(method).sections;
    return std::find(sections.begin(), sections.end(), section) != sections.end();
}
constexpr bool has_field(Method method, std::string_view field) {
    const auto& fields = row(method).fields;
    return std::find(fields.begin(), fields.end(), field) != fields.end();
}
// Liquid and air, with a surface between them; a gas fills its domain.
constexpr bool has_surface(Method method) { return has_field(method, "surface"); }

// The sides of the surface that have particles; none where the method has no particles.
ParticleSides particle_sides(const SceneDescription& scene);

// Sections that some methods use and others do not, each once.
std::vector<std::string_view> special_sections();
// Available methods that use a section: "level-set or particle-level-set-2002".
std::string methods_using(std::string_view section);
std::string available_methods();

constexpr auto choices(Method) {
    std::array<Choice<Method>, kMethods.size()> list{};
    for (std::size_t i = 0; i < list.size(); ++i)
        list[i] = {kMethods[i].method, kMethods[i].name, kMethods[i].sentence};
    return list;
}

}  // namespace scene
}  // namespace spindrift
