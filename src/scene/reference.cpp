// SPDX-License-Identifier: Apache-2.0
#include "scene/reference.h"

#include <initializer_list>
#include <type_traits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scene/materials.h"
#include "scene/toml/text.h"

namespace spindrift {

const std::string_view kExampleScene = R"(spindrift = 1
title = "Dam break"

[domain]
size = [2, 1, 1]
resolution = 64

[[liquid]]
shape = "box"
min = [0, 0, 0]
max = [0.5, 0.6, 1]
)";

namespace {

constexpr std::string_view kIntroduction =
    R"md(<!-- Made from src/scene/describe.h; a test fails when it is out of date. -->
# Scene reference

A scene is one [TOML](https://toml.io/en/v1.0.0) file. All numbers are in SI units: metres, seconds, kilograms. What is
left out has its default, so that a scene can be short:

```toml
{}```

Unknown settings are errors, and all errors are told at once: `spindrift check SCENE`. Any setting can be changed from
the command line: `--set domain.resolution=128`, `--set liquid[0].max=[0.4,0.6,1]`, or by an entry's name
`--set liquid.drop.radius=0.1`; a setting that excludes another takes its place.

## Vectors

A vector has as many numbers as `domain.size`: two in a 2D scene, three in a 3D one.

## Values that vary

| written | means |
|---|---|
| `0.5` | a constant |
| `[[0, 0.5], [2, 0.8]]` | keyframes `[time, value]`, straight lines between, constant before and after |
| `{{keyframes = [[0, 0.5], [2, 0.8]], interpolation = "smooth"}}` | the same, smooth between them (or `"step"`) |
| `"0.5 + 0.1 * sin(2*pi*t)"` | an expression of the time t in seconds; where a value varies in place, also of x, y, z in metres |

In a vector each component may be any of these: `velocity = ["0.8 * smoothstep(0, 1, t)", 0]`. A vector that varies in
time may also have keyframes as a whole: `[[0, [0, 1, 2]], [5, [3, 1, 2]]]`.

Expressions know `+ - * / % ^`, `< <= > >= == !=`, `&& || !`, `condition ? a : b`, the constants `pi`, `tau` and `e`,
and these functions:

| function | value |
|---|---|
)md";

// What a value of this type is called.  "varies" marks those that take keyframes and expressions.
template <class T>
std::string type_name(const T&) {
    if constexpr (std::is_same_v<T, bool>)
        return "true or false";
    else if constexpr (std::is_same_v<T, int> || std::is_same_v<T, std::uint64_t>)
        return "whole number";
    else if constexpr (std::is_same_v<T, double>)
        return "number";
    else if constexpr (std::is_same_v<T, std::string>)
        return "text";
    else if constexpr (std::is_same_v<T, std::vector<std::string>>)
        return "list of texts";
    else if constexpr (std::is_same_v<T, std::map<std::string, std::string>>)
        return "table of texts";
    else if constexpr (std::is_same_v<T, Vec<double, 3>>)
        return "vector";
    else if constexpr (std::is_same_v<T, Vec<int, 2>>)
        return "two whole numbers";
    else if constexpr (std::is_same_v<T, std::vector<Vec<double, 3>>>)
        return "list of vectors";
    else if constexpr (std::is_same_v<T, scene::Rotation>)
        return "three numbers (one in 2D)";
    else if constexpr (std::is_same_v<T, scene::Color>)
        return "three numbers";
    else if constexpr (std::is_same_v<T, scene::FilePath> || std::is_same_v<T, scene::ImagePath> ||
                       std::is_same_v<T, scene::HeightImage>)
        return "path";
    else if constexpr (std::is_same_v<T, TimeValue>)
        return "number, varies in time";
    else if constexpr (std::is_same_v<T, FieldValue>)
        return "number, varies in place and time";
    else if constexpr (std::is_same_v<T, TimeVector>)
        return "vector, varies in time";
    else if constexpr (std::is_same_v<T, FieldVector>)
        return "vector, varies in place and time";
    else if constexpr (std::is_same_v<T, scene::CurvePath>)
        return "vector, varies along the curve";
    else if constexpr (std::is_same_v<T, scene::Gravity> || std::is_same_v<T, scene::Turn>)
        return "number or vector, varies in time";
    else if constexpr (std::is_same_v<T, scene::Sides>)
        return "table";
    else if constexpr (std::is_same_v<T, scene::WallValues>)
        return "table by substance";
    else
        return "one of `\"" + fmt::format("{}", fmt::join(choice_names<T>(), "\"`, `\"")) + "\"`";
}

class MarkdownVisitor {
  public:
    static constexpr bool kReads = false;
    std::string text() const { return rows_.empty() ? sections_ : kHead + rows_ + notes_ + "\n" + sections_; }

    template <class T>
    void operator()(std::string_view name, T& value, const Setting& setting) {
        row(name, type_name(value), default_text(setting, toml_text(value, 3)), setting);
        if constexpr (std::is_enum_v<T>) note_choices<T>(name);
    }
    template <class T>
    void operator()(std::string_view name, std::optional<T>&, const Setting& setting) {
        row(name, type_name(T{}), default_text(setting, ""), setting);
    }
    void word(std::string_view name, std::string& value, const std::vector<std::string>&, const Setting& setting) {
        row(name, "text", default_text(setting, toml_text(value)), setting);
    }
    void version(std::string_view name, int& value, const Setting& setting) {
        row(name, fmt::format("`{}`", value), default_text(setting, ""), setting);
    }
    void not_yet(std::string_view, std::string_view) {}
    void renamed(std::string_view, std::string_view) {}
    void exactly_one(std::initializer_list<std::string_view> names) {
        notes_ += fmt::format("\nExactly one of `{}` must be given.\n", fmt::join(names, "`, `"));
    }
    void at_most_one(std::initializer_list<std::string_view> names) {
        notes_ += fmt::format("\nAt most one of `{}` may be given.\n", fmt::join(names, "`, `"));
    }

    template <class S>
    void table(std::string_view name, S& structure, const Setting& setting) {
        section(fmt::format("[{}]", name), structure, setting);
    }
    template <class S>
    void list(std::string_view name, std::vector<S>&, const Setting& setting) {
        S one;
        section(fmt::format("[[{}]]", name), one, setting);
    }
    template <class... S>
    void one_of(std::string_view name, std::variant<S...>&, const Setting& setting) {
        const auto text = [](std::string_view kinds, std::string_view anchor) {
            return fmt::format("one of the [{}](#{}), with its settings beside it", kinds, anchor);
        };
        using Kinds = std::variant<S...>;
        row(name,
            std::is_same_v<Kinds, scene::Shape>         ? text("shapes", "shapes")
            : std::is_same_v<Kinds, scene::ControlKind> ? text("kinds of controls", "kinds-of-controls")
                                                        : text("kinds of probes", "kinds-of-probes"),
            default_text(setting, ""), setting);
    }

  private:
    static constexpr const char* kHead = "| setting | value | default | consequence |\n|---|---|---|---|\n";

    static std::string default_text(const Setting& setting, const std::string& value) {
        if (setting.required) return "**required**";
        if (!setting.instead.empty()) return std::string(setting.instead);
        return value.empty() ? "" : fmt::format("`{}`", value);
    }
    void row(std::string_view name, std::string type, std::string_view value, const Setting& setting) {
        const std::string range = range_text(setting);
        if (!range.empty())
            type += ", " + range;
        else if (!setting.unit.empty())
            type += fmt::format(", {}", setting.unit);
        rows_ += fmt::format("| `{}` | {} | {} | {} |\n", name, type, value, setting.sentence);
    }
    template <class E>
    void note_choices(std::string_view name) {
        notes_ += fmt::format("\n`{}` is\n\n", name);
        for (const auto& choice : choices(E{})) notes_ += fmt::format("- `\"{}\"`: {}\n", choice.name, remark(choice));
    }
    template <class E>
    static std::string remark(const Choice<E>& choice) {
        const std::string sentence(choice.sentence);
        if constexpr (std::is_same_v<E, scene::Method>)
            return scene::is_available(choice.value) ? sentence : sentence + " (not there yet)";
        return sentence;
    }
    template <class S>
    void section(const std::string& heading, S& structure, const Setting& setting) {
        MarkdownVisitor inner;
        describe(inner, structure);
        sections_ += fmt::format("## `{}`\n\n{}\n\n{}", heading, setting.sentence, inner.text());
        if constexpr (std::is_same_v<S, scene::Domain>) sections_ += sides_text();
        if constexpr (std::is_same_v<S, scene::Fluid>) sections_ += materials_text();
    }

    static std::string sides_text() {
        scene::Side side;
        MarkdownVisitor inner;
        describe(inner, side);
        return "### `[domain.sides]`\n\nA side is one word, such as `top = \"open\"`, or a table, such as\n"
               "`left = {kind = \"inflow\", velocity = [1, 0, 0], level = 0.3}`. With y up, `front` is the side of "
               "largest "
               "z; with z up, that of least y.\n\n" +
               inner.text();
    }
    static std::string materials_text() {
        std::string out =
            "### Materials\n\n| name | density, kg/m³ | viscosity, Pa·s | surface tension, N/m | "
            "|\n|---|---|---|---|---|\n";
        for (const Material& m : materials())
            out += fmt::format("| `{}` | {} | {} | {} | {} |\n", m.name, m.density, m.viscosity, m.surface_tension,
                               m.note);
        return out + "\n";
    }

    std::string rows_{};
    std::string notes_{};
    std::string sections_{};
};

template <class S>
std::string kind_text(std::string_view setting, std::string_view sentence) {
    S shape;
    MarkdownVisitor visit;
    describe(visit, shape);
    return fmt::format("### `{} = \"{}\"`\n\n{}\n\n{}", setting, S::kName, sentence, visit.text());
}
template <class S>
std::string shape_text(std::string_view sentence) {
    return kind_text<S>("shape", sentence);
}

std::string probes_text() {
    return "## Kinds of probes\n\n" +
           kind_text<scene::PointProbe>(
               "kind", "Velocity, pressure and substances at a point; empty where there is no liquid.") +
           kind_text<scene::HeightProbe>(
               "kind",
               "Height of a liquid's surface along a line: the distance from `from` to where the line leaves the "
               "liquid for the last time.") +
           kind_text<scene::FluxProbe>(
               "kind",
               "Volume, and amounts of substances, that flow through a rectangle (in 2D a segment) per second, "
               "positive along the axis across it.") +
           kind_text<scene::WallFluxProbe>(
               "kind",
               "Amount of a substance that diffuses into the gas through a closed side of the domain, or out of a "
               "solid, per second: heat through a wall. One of `side` and `solid` is written.") +
           kind_text<scene::ForceProbe>(
               "kind",
               "Force and torque of the fluid on a solid, by pressure and friction together, and what friction does "
               "of it. Torque is about the solid's pivot.") +
           kind_text<scene::TotalProbe>(
               "kind",
               "Volume, mass, kinetic and potential energy, momentum, angular momentum, centre "
               "of mass and enstrophy of the whole fluid.");
}

std::string controls_text() {
    return "## Kinds of controls\n\n" +
           kind_text<scene::CurveControl>("kind",
                                          "Liquid near a curve is led along it: all of it, as a stream, or what a "
                                          "stretch that travels takes along. "
                                          "Its radius may be a cell at least, where it is to hold anything.") +
           kind_text<scene::VolumeControl>("kind", "Liquid in a shape gets a velocity.") +
           kind_text<scene::SurfaceControl>("kind", "Liquid near the surface of a shape gets a velocity.") +
           kind_text<scene::AttractControl>(
               "kind",
               "Liquid is drawn to a shape and comes to rest in it, such as a letter or the mesh of a figure. `parts`, "
               "`rate` and regions are for the other kinds.");
}

std::string methods_text() {
    std::string out =
        "## Methods\n\nSections of the scene that are not listed here are for all methods.\n\n"
        "| method | phase | paper | sections | |\n|---|---|---|---|---|\n";
    for (const scene::MethodRow& m : scene::kMethods)
        out +=
            fmt::format("| `{}` | {} | {} | `{}` | {} |\n", m.name, m.phase == scene::Phase::liquid ? "liquid" : "gas",
                        m.paper.empty() ? "" : fmt::format("[{}]", m.paper), fmt::join(m.sections, "`, `"),
                        scene::is_available(m.method) ? "" : "not there yet");
    return out + "\n";
}

std::string shapes_text() {
    return "## Shapes\n\n" + shape_text<scene::Box>("A box, by two corners; in 2D a rectangle.") +
           shape_text<scene::Sphere>("A ball; in 2D a disc.") +
           shape_text<scene::Ellipsoid>("A ball stretched along its axes.") +
           shape_text<scene::Cylinder>("A cylinder with flat ends; in 2D a bar.") +
           shape_text<scene::Capsule>("A cylinder with round ends.") +
           shape_text<scene::Cone>("A cylinder whose radius changes along it; in 2D a trapezium.") +
           shape_text<scene::Torus>("A ring with a round cross-section; in 2D the area between two circles.") +
           shape_text<scene::Polygon>("The area inside straight sides (2D only).") +
           shape_text<scene::Plane>("All that lies behind a plane: still water, a floor, a slope.") +
           shape_text<scene::Heights>(
               "All that lies below a height that varies from place to place: waves, or the bed of a river.") +
           shape_text<scene::Heightmap>(
               "All that lies below a ground whose heights are the greys of a picture: black is the lowest, white the "
               "highest, smooth between pixels. The first and last pixels lie on the sides of the box; beyond them the "
               "ground goes on level, at the height of the picture's edge.") +
           shape_text<scene::Mesh>("A triangle mesh (3D only).");
}

}  // namespace

std::string scene_reference_markdown() {
    std::string out = fmt::format(kIntroduction, kExampleScene);
    for (const ExpressionWord& word : expression_words())
        out += fmt::format("| `{}` | {} |\n", word.usage, word.sentence);
    SceneDescription scene;
    MarkdownVisitor visit;
    describe(visit, scene);
    out += "\n## Top of the file\n\n" + visit.text() + shapes_text() + controls_text() + probes_text() + methods_text();
    while (out.ends_with("\n\n")) out.pop_back();
    return out;
}

}  // namespace spindrift
