// SPDX-License-Identifier: Apache-2.0
// What a scene says of a gas; part of description.h, described in describe_gas.h.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/vec.h"
#include "scene/color.h"
#include "scene/expression/varying.h"

namespace spindrift::scene {

enum class GasAdvection { semi_lagrangian, maccormack, cubic };
enum class GasTracing { midpoint, adaptive };
enum class GasSolver { automatic, fft, cosine, multigrid };

struct Gas {
    double viscosity = 0;
    double density = 1.2;  // of air at 20 °C
    FieldVector velocity{};
    std::optional<GasAdvection> advection{};
    std::optional<double> vorticity_confinement{};
    GasTracing tracing = GasTracing::midpoint;
    GasSolver solver = GasSolver::automatic;
    double pressure_tolerance = 1e-5;
    std::optional<double> cfl{};
    bool sparse = false;
    double threshold = 1e-3;
    friend bool operator==(const Gas&, const Gas&) = default;
};

struct GasSubstance {
    std::string name{};
    double diffusion = 0;
    double dissipation = 0;
    double ambient = 0;
    std::optional<FieldValue> ambient_profile{};
    std::optional<FieldValue> initial{};
    std::optional<double> wall_value{};
    double buoyancy = 0;
    double expansion = 0;
    std::optional<Color> color{};
    std::optional<double> opacity{};
    friend bool operator==(const GasSubstance&, const GasSubstance&) = default;
};

// What a substance does at a wall.
enum class WallValueKind { fixed, insulated, flux };
struct WallValue {
    WallValueKind kind = WallValueKind::fixed;
    FieldValue value{};  // of the substance, or of the flux
    friend bool operator==(const WallValue&, const WallValue&) = default;
};
// By the substance's name.
struct WallValues {
    std::map<std::string, WallValue> of{};
    friend bool operator==(const WallValues&, const WallValues&) = default;
};

// As written: relative to the folder of the scene.
struct ImagePath {
    std::string text{};
    friend bool operator==(const ImagePath&, const ImagePath&) = default;
};

enum class TexturePattern { checker, stripes, noise, marble };

struct Texture {
    std::optional<TexturePattern> pattern{};
    std::optional<ImagePath> image{};
    double scale = 0.25;
    double period = 2;
    double amount = 1;
    Color low{{0.02, 0.03, 0.08}};
    Color high{{0.95, 0.9, 0.8}};
    friend bool operator==(const Texture&, const Texture&) = default;
    bool is_there() const { return pattern || image; }
};

enum class ForceKind { constant, vortex, attractor, turbulence, drag };

struct Force {
    std::string name{};
    ForceKind kind = ForceKind::constant;
    FieldVector acceleration{};
    TimeVector center{};
    std::optional<Vec<double, 3>> axis{};
    TimeValue strength{1.0};
    double radius = 0.1;
    double frequency = 1;
    std::optional<std::string> substance{};
    double start = 0;
    std::optional<double> end{};
    friend bool operator==(const Force&, const Force&) = default;
};

}  // namespace spindrift::scene
