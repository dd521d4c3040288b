// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/random_scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "scene/describe.h"
#include "scene/toml/text.h"
#include "tests/fuzz/scene_plan.h"

namespace spindrift::fuzz {
namespace {

constexpr std::array<const char*, 3> kMeshes{"cube.obj", "plate.ply", "tetrahedron.stl"};
constexpr std::array<const char*, 5> kFields{"surface", "velocity", "vel", "pressure", "collision"};

std::string path_without_numbers(const std::string& path) {
    std::string out;
    bool inside = false;
    for (const char c : path) {
        inside |= c == '[';
        if (!inside) out += c;
        inside &= c != ']';
    }
    return out;
}

// The visitor of describe.h that writes a table of settings.
class Writer {
  public:
    static constexpr bool kReads = false;

    Writer(std::uint64_t id, std::uint32_t attempt, const Plan& plan, std::string path, RandomScene& made)
        : id_(id), attempt_(attempt), plan_(plan), path_(std::move(path)), made_(made) {}

    std::string text() const {
        std::string out;
        for (const auto& [name, value] : values_) out += fmt::format("{} = {}\n", name, value);
        return out + tables_;
    }

    template <class T>
    void operator()(std::string_view name, T& value, const Setting& setting) {
        made_.possible.push_back(plain_path(name));
        if (const auto fixed = planned_text(name)) {
            if (!fixed->empty()) note(name, *fixed);
        } else if (setting.required || name == "sides" || is_there(name)) {
            note(name, text_of(name, value, setting));
        }
    }
    template <class T>
    void operator()(std::string_view name, std::optional<T>& value, const Setting& setting) {
        T inner = value.value_or(T{});
        (*this)(name, inner, setting);
    }
    void word(std::string_view name, std::string&, const std::vector<std::string>& words, const Setting&) {
        for (const std::string& word : words) possibly(name, toml_text(word));
        if (is_there(name)) note(name, toml_text(dice(name).any(words)), true);
    }
    void version(std::string_view name, int& value, const Setting&) { note(name, toml_text(value)); }
    void not_yet(std::string_view, std::string_view) {}
    void renamed(std::string_view, std::string_view) {}
    void exactly_one(std::initializer_list<std::string_view> names) { keep_one(names); }
    void at_most_one(std::initializer_list<std::string_view> names) { keep_one(names); }

    template <class S>
    void table(std::string_view name, S& structure, const Setting&) {
        if (!is_used(name)) return;
        const std::string inner = inside(structure, path_of(name));
        if (!inner.empty()) tables_ += fmt::format("\n[{}]\n{}", name, inner);
    }
    template <class S>
    void list(std::string_view name, std::vector<S>&, const Setting&) {
        const int count = is_used(name) ? entries(name) : 0;
        for (int i = 0; i < count; ++i) {
            S structure{};
            tables_ += fmt::format("\n[[{}]]\n{}", name, inside(structure, fmt::format("{}[{}]", path_of(name), i)));
        }
    }
    template <class... S>
    void one_of(std::string_view name, std::variant<S...>&, const Setting&) {
        std::vector<std::variant<S...>> all;
        const auto offer = [&](auto alternative) {
            if (!is_possible(alternative.kName)) return;
            possibly(name, toml_text(std::string(alternative.kName)));
            all.emplace_back(std::move(alternative));
        };
        (offer(S{}), ...);
        std::variant<S...> chosen = dice(name).any(all);
        std::visit(
            [&](auto& alternative) {
                note(name, toml_text(std::string(alternative.kName)), true);
                describe(*this, alternative);
            },
            chosen);
    }

  private:
    // Of settings that need not be there.
    static constexpr double kWritten = 0.35;

    // Two corners are there together; a texture is a pattern or an image; what has no meaning is mostly left out.
    bool is_there(std::string_view name) const {
        const std::string path = plain_path(name);
        if (path == "source.rate" || path == "source.value") return true;
        if (path == "texture.pattern") return !is_there("image");
        if (name == "wall_values" && (plan_.substances == 0 || is_cut_out())) return false;
        if (name == "rotation_axis" && plan_.dim == 2) return false;
        const bool stands_still = plan_.method == scene::Method::foster_metaxas_1996 || is_cut_out();
        if ((path == "solid.offset" || path == "solid.rotation_degrees") && stands_still) return false;
        return dice(name == "max" ? "min" : name == "region_max" ? "region_min" : name, "there").chance(kWritten);
    }
    bool is_cut_out() const {
        return std::any_of(values_.begin(), values_.end(), [](const auto& v) { return v.second == "\"subtract\""; });
    }
    // Meshes are for 3D, polygons for 2D, waves for what flows.
    bool is_possible(std::string_view shape) const {
        if (shape == "mesh") return plan_.dim == 3;
        if (shape == "polygon") return plan_.dim == 2;
        return shape != "heights" || !path_.starts_with("solid");
    }

    std::string path_of(std::string_view name) const {
        return path_.empty() ? std::string(name) : fmt::format("{}.{}", path_, name);
    }
    Dice dice(std::string_view name, std::string_view purpose = "") const {
        return {id_, attempt_, fmt::format("{}#{}", path_of(name), purpose)};
    }
    std::string plain_path(std::string_view name) const { return path_without_numbers(path_of(name)); }
    void possibly(std::string_view name, std::string_view word) {
        made_.possible.push_back(fmt::format("{}={}", plain_path(name), word));
    }
    void note(std::string_view name, std::string text, bool is_word = false) {
        made_.written.push_back(is_word ? fmt::format("{}={}", plain_path(name), text) : plain_path(name));
        values_.emplace_back(name, std::move(text));
    }
    void keep_one(std::initializer_list<std::string_view> names) {
        std::vector<std::string> there;
        for (const auto& [name, value] : values_)
            if (std::find(names.begin(), names.end(), name) != names.end()) there.push_back(name);
        if (there.size() < 2) return;
        const std::string kept = dice(there[0], "kept").any(there);
        std::erase(there, kept);
        for (const std::string& name : there) {
            std::erase_if(values_, [&](const auto& entry) { return entry.first == name; });
            const auto noted = std::find(made_.written.rbegin(), made_.written.rend(), plain_path(name));
            if (noted != made_.written.rend()) made_.written.erase(std::next(noted).base());
        }
    }
    template <class S>
    std::string inside(S& structure, std::string path) const {
        Writer writer(id_, attempt_, plan_, std::move(path), made_);
        describe(writer, structure);
        return writer.text();
    }

    // Whether a table has a meaning for what flows.
    bool is_used(std::string_view name) const {
        static constexpr std::array<std::string_view, 5> kMoved{"solid", "source", "wind", "force", "control"};
        const auto is_in = [&](const auto& names) {
            return std::find(names.begin(), names.end(), name) != names.end();
        };
        if (name == "flow") return plan_.has_flow;
        if (name == "texture") return plan_.is_gas && dice(name, "there").chance(0.4);
        if (plan_.has_flow && is_in(kMoved)) return false;
        return scene::uses(plan_.method, name) || !is_in(scene::special_sections());
    }
    int entries(std::string_view name) const {
        Dice roll = dice(name, "entries");
        if (name == "liquid") return roll.from_to(roll.chance(0.05) ? 0 : 1, 3);
        if (name == "substance") return plan_.substances;
        if (name == "component") return plan_.components;
        if (name == "probe") return 0;  // see probes()
        return roll.chance(0.5) ? 0 : roll.from_to(1, 3);
    }

    // ——— Settings that the plan decides ———

    // A text, an empty one for a setting to leave out, or nothing when chance may decide.
    std::optional<std::string> planned_text(std::string_view name) {
        const std::string path = path_without_numbers(path_of(name));
        Dice roll = dice(name);
        if (path == "method") {
            made_.written.push_back(fmt::format("method={} {}D", choice_name(plan_.method), plan_.dim));
            return toml_text(std::string(choice_name(plan_.method)));
        }
        if (path == "domain.size") return vector_text(plan_.size);
        if (path == "domain.resolution") return toml_text(std::max({plan_.cells[0], plan_.cells[1], plan_.cells[2]}));
        if (path == "domain.cell_size") return roll.chance(0.3) ? toml_text(plan_.dx) : "";
        if (path == "domain.origin") return plan_.origin == Vec3{} ? "" : vector_text(plan_.origin);
        if (path == "domain.up") return plan_.z_up ? "\"z\"" : "";
        if (path == "time.fps") return toml_text(plan_.fps);
        if (path == "time.frames") return toml_text(plan_.frames);
        if (path == "time.end") return roll.chance(0.2) ? toml_text(plan_.end() * 0.999) : "";
        // Few steps, few particles, few pixels; solves that may end.
        if (path == "time.min_substeps") return roll.chance(0.2) ? toml_text(roll.from_to(1, 4)) : "";
        if (path == "time.max_substeps") return roll.chance(0.3) ? toml_text(roll.from_to(300, 2000)) : "";
        if (path == "particles.per_cell") return roll.chance(0.3) ? toml_text(roll.from_to(1, 32)) : "";
        if (path == "level-set.max_pressure_iterations")
            return roll.chance(0.1) ? toml_text(roll.from_to(200, 1000)) : "";
        if (path == "foster-metaxas.markers_across") return roll.chance(0.3) ? toml_text(roll.from_to(1, 6)) : "";
        if (path == "foster-metaxas.inflow_markers")
            return roll.chance(0.3) ? toml_text(roll.power(1, 3) / plan_.end()) : "";
        if (path == "foster-metaxas.max_sweeps") return roll.chance(0.2) ? toml_text(roll.from_to(2000, 9000)) : "";
        if (path == "foster-metaxas.pressure_tolerance") return roll.chance(0.3) ? toml_text(roll.power(-4, 0)) : "";
        if (path == "whitewater.most") return toml_text(roll.from_to(1, 2000));
        if (path == "gas.cfl") return roll.chance(0.4) ? toml_text(roll.power(-0.7, 1.5)) : "";
        if (path == "camera.resolution") {
            const int most = roll.chance(0.1) ? 64 : 20;
            const int width = roll.from_to(16, most);
            return fmt::format("[{}, {}]", width, roll.from_to(16, most));
        }
        if (path == "camera.overlay_min") return roll.chance(0.3) ? toml_text(roll.between(-2, 0)) : "";
        if (path == "camera.overlay_max") return roll.chance(0.3) ? toml_text(roll.power(-1, 2)) : "";
        if (path == "output.film") return roll.chance(0.04) ? "true" : "false";  // mostly ffmpeg's time
        if (path == "output.checkpoint_every") return roll.chance(0.5) ? toml_text(roll.from_to(0, 2)) : "";
        // Meshes, which are one metre wide, of the size of the box.
        if (path.ends_with(".scale") && path != "texture.scale")
            return toml_text(plan_.longest() * roll.power(-1, 0.2));
        // Names, and what names them.
        if (path == "output.name") return roll.chance(0.1) ? "\"take 2.b\"" : "";
        if (path == "component.name") return toml_text(fmt::format("part {}", number_in_path()));
        if (path == "component.density") return roll.chance(0.4) ? toml_text(1000 * roll.power(-0.5, 1)) : "";
        if (path == "component.viscosity") return roll.chance(0.4) ? toml_text(roll.power(-4, 2)) : "";
        if (name == "component") {
            if (plan_.components == 0 || is_cut_out() || !roll.chance(0.6)) return "";
            return toml_text(fmt::format("part {}", roll.below(plan_.components)));
        }
        if (path == "substance.name") return toml_text(substance_name(static_cast<int>(number_in_path())));
        if (path == "source.substance" || path == "force.substance") {
            if (plan_.substances == 0 || !roll.chance(path[0] == 's' ? 0.8 : 0.3)) return "";
            return toml_text(substance_name(roll.below(plan_.substances)));
        }
        // Curves by a path, or by as many points as make Bézier pieces too.
        if (path == "control.path") return has_path() ? std::nullopt : std::optional<std::string>("");
        if (path == "control.points") return has_path() ? "" : curve_points(roll);
        if (path == "control.closed") return is_closed_curve() ? "true" : "";
        if (path == "source.end" || path == "force.end" || path == "control.end")  // after what its start may be
            return roll.chance(kWritten)
                       ? toml_text(plan_.end() * (has("start") ? roll.between(1.5, 3) : roll.between(0, 1.5)))
                       : "";
        if (path == "source.rate")
            return has_substance() && !has_value() ? std::nullopt : std::optional<std::string>("");
        if (path == "source.value")
            return has_substance() && has_value() ? std::nullopt : std::optional<std::string>("");
        if (path.ends_with(".name")) return roll.chance(0.5) ? toml_text(fmt::format("n {}", number_in_path())) : "";
        return std::nullopt;
    }
    static std::string substance_name(int number) {
        constexpr std::array<const char*, 3> kNames{"density", "temperature", "dye"};
        return kNames[static_cast<std::size_t>(number)];
    }
    // The "2" of "solid[2]".
    int number_in_path() const {
        const std::size_t at = path_.find('[');
        return at == std::string::npos ? 0 : std::stoi(path_.substr(at + 1));
    }
    bool has(std::string_view name) const {
        return std::any_of(values_.begin(), values_.end(), [&](const auto& v) { return v.first == name; });
    }
    bool has_substance() const { return has("substance"); }
    bool has_value() const { return dice("rate", "or value").chance(0.5); }

    bool is_closed_curve() const { return dice("closed").chance(0.3); }
    bool has_path() const { return !is_closed_curve() && dice("path", "or points").chance(0.3); }
    std::string curve_points(Dice& roll) const {
        std::vector<std::string> texts;
        for (int k = 0; k < (is_closed_curve() ? 6 : 7); ++k) {
            Vec3 point;
            for (int axis = 0; axis < plan_.dim; ++axis) point[axis] = coordinate(roll, axis) + 1e-4 * k * plan_.dx;
            texts.push_back(vector_text(point));
        }
        return fmt::format("[{}]", fmt::join(texts, ", "));
    }
    // Round the middle of the box, or up through it.
    std::string text_of(std::string_view name, scene::CurvePath&, const Setting&) {
        Dice roll = dice(name);
        std::vector<std::string> texts;
        for (int axis = 0; axis < plan_.dim; ++axis)
            texts.push_back(
                toml_text(fmt::format("{} + {}*{}", coordinate(roll, axis), plan_.size[axis] * roll.between(0.1, 0.5),
                                      axis == 1 ? "s" : "cos(3*s)")));
        return fmt::format("[{}]", fmt::join(texts, ", "));
    }

    std::string text_of(std::string_view, scene::Sides&, const Setting&) {
        std::vector<std::string> texts;
        constexpr std::array<const char*, 6> kNames{"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"};
        for (std::size_t side = 0; side < 2 * static_cast<std::size_t>(plan_.dim); ++side) {
            scene::Side value{.kind = plan_.sides[side]};
            const std::string kind(choice_name(value.kind)), name = fmt::format("sides.{}", kNames[side]);
            made_.written.push_back(fmt::format("domain.sides={}", kind));
            const bool is_wall = value.kind == scene::SideKind::slip || value.kind == scene::SideKind::no_slip;
            if (is_wall && plan_.substances > 0 && dice(name, "wall values").chance(0.3)) {
                scene::WallValues values{};
                made_.written.push_back("domain.sides.wall_values");
                texts.push_back(fmt::format("{} = {{kind = \"{}\", wall_values = {}}}", kNames[side], kind,
                                            text_of(name, values, {})));
                continue;
            }
            if (value.kind != scene::SideKind::inflow) {
                texts.push_back(fmt::format("{} = \"{}\"", kNames[side], kind));
                continue;
            }
            texts.push_back(fmt::format("{} = {{kind = \"inflow\", velocity = {}", kNames[side],
                                        text_of(name, value.velocity, {.unit = "m/s"})));
            if (dice(name, "level").chance(0.3) && !plan_.is_gas)
                texts.back() += fmt::format(", level = {}", text_of(name, *(value.level = TimeValue{}), {.unit = "m"}));
            if (plan_.method == scene::Method::foster_metaxas_1996 && dice(name, "outflow after").chance(0.3)) {
                made_.written.push_back("domain.sides.outflow_after");
                texts.back() += fmt::format(", outflow_after = {}", plan_.end() * dice(name, "after").between(0, 1.5));
            }
            texts.back() += "}";
        }
        return fmt::format("{{{}}}", fmt::join(texts, ", "));
    }

    // ——— Values by type, unit and range ———

    double number(Dice& roll, const Setting& setting, double usual) const {
        const double lowest = std::max(setting.from, setting.above);
        const bool is_bounded = std::isfinite(lowest) && std::isfinite(setting.to);
        double value = size_of(roll, setting.unit, usual);
        if (lowest < 0 && roll.chance(0.4)) value = -value;
        if (roll.chance(0.06) && std::isfinite(setting.from)) value = setting.from;
        if (roll.chance(0.06) && setting.to <= 1000) value = setting.to;
        // All over the range, some of the time.
        if (roll.chance(0.05) && is_bounded) {
            const double least = std::max({lowest, 1e-3 * std::abs(usual), 1e-6});
            value = lowest < 0 ? roll.between(lowest, setting.to)
                               : least * std::pow(setting.to / least, roll.between(0, 1));
        }
        value = std::clamp(value, lowest, setting.to);
        return value > setting.above ? value : setting.above + 1e-3 * std::max(std::abs(usual), 1e-3);
    }
    double size_of(Dice& roll, std::string_view unit, double usual) const {
        if (unit == "m") return plan_.longest() * roll.power(-2, -0.2);
        if (unit == "m/s") return plan_.speed() * roll.power(-1.5, 0.3);
        if (unit == "m/s²") return plan_.speed() * plan_.speed() / plan_.longest() * roll.power(-1, 0.7);
        if (unit == "s") return plan_.end() * roll.between(0, 1.5);
        if (unit == "1/s") return roll.power(-2, 0) / plan_.end();
        if (unit == "°") return roll.chance(0.3) ? 90.0 * roll.below(3) : roll.between(0, 180);
        if (unit == "m²/s") return plan_.speed() * plan_.longest() * roll.power(-5, -1);
        return std::abs(usual) > 0 ? std::abs(usual) * roll.power(-1, 1) : roll.power(-2, 1);
    }
    // A point in or near the box, some of the time exactly on a side or in the middle.
    double coordinate(Dice& roll, int axis, double lo = -0.15, double hi = 1.15) const {
        constexpr std::array<double, 3> kExact{0, 0.5, 1};
        const double share = roll.chance(0.2) && lo < 0 ? roll.any(kExact) : roll.between(lo, hi);
        return plan_.origin[axis] + share * plan_.size[axis];
    }
    std::string vector_text(const Vec3& v) const {
        std::vector<std::string> texts;
        for (int axis = 0; axis < plan_.dim; ++axis) texts.push_back(toml_text(v[axis]));
        return fmt::format("[{}]", fmt::join(texts, ", "));
    }
    static bool is_direction(std::string_view name) {
        return name == "normal" || name == "axis" || name == "up" || name == "sun_direction";
    }

    template <class E>
    requires std::is_enum_v<E> std::string text_of(std::string_view name, E&, const Setting&) {
        for (const auto& choice : choices(E{})) possibly(name, choice.name);
        const std::string word(dice(name).any(choices(E{})).name);
        made_.written.push_back(fmt::format("{}={}", plain_path(name), word));
        return toml_text(word);
    }
    std::string text_of(std::string_view name, bool&, const Setting&) { return toml_text(dice(name).chance(0.6)); }
    std::string text_of(std::string_view name, int& usual, const Setting& setting) {
        Dice roll = dice(name);
        const double value = number(roll, setting, usual);
        return toml_text(static_cast<int>(std::clamp(std::round(value), setting.from, std::min(setting.to, 1e6))));
    }
    std::string text_of(std::string_view name, std::uint64_t&, const Setting&) {
        return toml_text(dice(name).from_to(0, 1 << 30));
    }
    std::string text_of(std::string_view name, double& usual, const Setting& setting) {
        Dice roll = dice(name);
        return toml_text(number(roll, setting, usual));
    }
    std::string text_of(std::string_view name, std::string&, const Setting&) {
        constexpr std::array<const char*, 3> kTexts{"A scene", "Wörter \"und\" Zeichen: ≤ µ <b>&", "\t\\ 'x'"};
        return toml_text(std::string(dice(name).any(kTexts)));
    }
    std::string text_of(std::string_view name, std::vector<std::string>&, const Setting&) {
        std::vector<std::string> texts;
        for (const char* field : kFields)
            if (dice(name, field).chance(0.5)) texts.push_back(toml_text(std::string(field)));
        return fmt::format("[{}]", fmt::join(texts, ", "));
    }
    std::string text_of(std::string_view name, std::map<std::string, std::string>&, const Setting&) {
        return fmt::format("{{{} = \"other\"}}", dice(name).any(kFields));
    }
    std::string text_of(std::string_view name, Vec<int, 2>&, const Setting& setting) {
        Dice roll = dice(name);
        const auto one = [&] { return static_cast<int>(number(roll, setting, 1)); };
        const int first = one();
        return fmt::format("[{}, {}]", first, one());
    }
    std::string text_of(std::string_view name, scene::Color&, const Setting& setting) {
        Dice roll = dice(name);
        const double most = std::min(setting.to, roll.chance(0.1) ? 1000.0 : 2.0);
        const auto one = [&] { return toml_text(roll.chance(0.1) ? 0.0 : roll.between(0, most)); };
        const std::string red = one(), green = one();
        return fmt::format("[{}, {}, {}]", red, green, one());
    }
    std::string text_of(std::string_view name, scene::Rotation&, const Setting&) {
        Dice roll = dice(name);
        const auto one = [&] { return toml_text(roll.chance(0.2) ? 90.0 * roll.below(4) : roll.between(-180, 180)); };
        if (plan_.dim == 2) return one();
        const std::string x = one(), y = one();
        return fmt::format("[{}, {}, {}]", x, y, one());
    }
    std::string text_of(std::string_view name, scene::FilePath&, const Setting&) {
        const std::string file = dice(name).any(kMeshes);
        made_.written.push_back("mesh=" + file);
        return toml_text(file);
    }
    std::string text_of(std::string_view, scene::ImagePath&, const Setting&) { return "\"texture.png\""; }
    std::string text_of(std::string_view, scene::HeightImage&, const Setting&) { return "\"heights.png\""; }

    // Corners keep their order: the upper one is found from the lower one.
    std::string text_of(std::string_view name, Vec3&, const Setting& setting) {
        const bool is_upper = name == "max" || name == "region_max";
        const bool is_corner = is_upper || name == "min" || name == "region_min";
        Dice roll = dice(is_corner ? (name.starts_with("region") ? "region_min" : "min") : name);
        Vec3 value;
        for (int axis = 0; axis < plan_.dim; ++axis) {
            if (is_corner) {
                value[axis] = coordinate(roll, axis, -0.15, 0.7);
                const double length =
                    plan_.size[axis] * (roll.chance(0.2) ? roll.power(-2, -1) : roll.between(0.1, 0.9));
                if (is_upper) value[axis] += length;
            } else if (is_direction(name) || setting.unit != "m") {
                value[axis] = roll.chance(0.2) ? 0.0 : roll.between(-1, 1);
            } else if (setting.above == 0) {
                value[axis] = plan_.size[axis] * roll.between(0.05, 0.6);
            } else {
                value[axis] = coordinate(roll, axis);
            }
        }
        return vector_text(value);
    }

    // ——— Numbers that vary ———

    std::string varying(Dice& roll, const Setting& setting, double at, double reach, bool in_space) const {
        const auto kept = [&](double v) { return std::clamp(v, std::max(setting.from, setting.above), setting.to); };
        if (roll.chance(0.5)) return toml_text(kept(at));
        if (roll.chance(0.4)) {
            const std::string keys =
                fmt::format("[[0.0, {}], [{}, {}], [{}, {}]]", toml_text(kept(at)),
                            toml_text(plan_.end() * roll.between(0.1, 0.6)), toml_text(kept(at + reach)),
                            toml_text(plan_.end() * roll.between(0.7, 2)), toml_text(kept(at - reach)));
            if (roll.chance(0.3)) return keys;
            return fmt::format("{{interpolation = {}, keyframes = {}}}",
                               toml_text(roll.any(choices(Interpolation{})).value), keys);
        }
        const double turns = roll.between(0.1, 6) / plan_.end(), waves = roll.between(1, 20) / plan_.longest();
        std::string text = fmt::format("{} + {}*sin({}*t)", at, reach, turns);
        if (in_space && roll.chance(0.7))
            text = fmt::format("{} + {}*sin({}*x + {}*t)*cos({}*y)", at, reach, waves, turns, waves);
        if (in_space && roll.chance(0.2))
            text = fmt::format("y > {} ? {} : {}", plan_.origin[1] + 0.5 * plan_.size[1], at, at + reach);
        if (std::isfinite(setting.from)) text = fmt::format("clamp({}, {}, {})", text, setting.from, setting.to);
        return toml_text(text);
    }
    // Around what the setting is about: a place, a height, or a number of its unit.
    std::string one_varying(Dice& roll, std::string_view name, const Setting& setting, double usual, int axis,
                            bool in_space) const {
        const bool is_place = setting.unit == "m" && name != "offset";
        const double at = is_place             ? coordinate(roll, axis)
                          : is_direction(name) ? roll.between(-1, 1)
                                               : number(roll, setting, usual);
        const double reach = (name == "offset" || is_place ? plan_.longest() : std::abs(at)) * roll.power(-2, -0.3);
        return varying(roll, setting, name == "offset" ? 0 : at, reach, in_space);
    }
    std::string text_of(std::string_view name, TimeValue& usual, const Setting& setting) {
        Dice roll = dice(name);
        return one_varying(roll, name, setting, usual.at(0), plan_.z_up ? 2 : 1, false);
    }
    std::string text_of(std::string_view name, FieldValue& usual, const Setting& setting) {
        Dice roll = dice(name);
        return one_varying(roll, name, setting, usual.at({}, 0), plan_.z_up ? 2 : 1, true);
    }
    template <class Vector>
    requires std::same_as<Vector, TimeVector> || std::same_as<Vector, FieldVector> std::string text_of(
        std::string_view name, Vector&, const Setting& setting) {
        Dice roll = dice(name);
        std::vector<std::string> texts;
        for (int axis = 0; axis < plan_.dim; ++axis)
            texts.push_back(one_varying(roll, name, setting, 0, axis, std::same_as<Vector, FieldVector>));
        return fmt::format("[{}]", fmt::join(texts, ", "));
    }
    std::string text_of(std::string_view name, scene::WallValues&, const Setting&) {
        std::vector<std::string> texts;
        for (int n = 0; n < plan_.substances; ++n) {
            Dice roll = dice(name, substance_name(n));
            if (!roll.chance(0.6)) continue;
            const std::string number = toml_text(roll.between(-2, 2));
            const std::string value = roll.chance(0.3)   ? "\"insulated\""
                                      : roll.chance(0.5) ? fmt::format("{{flux = {}}}", number)
                                                         : number;
            texts.push_back(fmt::format("{} = {}", substance_name(n), value));
        }
        return fmt::format("{{{}}}", fmt::join(texts, ", "));
    }
    std::string text_of(std::string_view name, scene::Turn& usual, const Setting& setting) {
        if (plan_.dim == 3 && dice(name, "vector").chance(0.3))
            return text_of(name, *(usual.angles = TimeVector{}), setting);
        return text_of(name, usual.angle, setting);
    }
    // The corners of a polygon that does not cross itself: around its middle, by angle.
    std::string text_of(std::string_view name, std::vector<Vec3>&, const Setting&) {
        Dice roll = dice(name);
        const int corners = roll.from_to(3, 7);
        const Vec3 middle{coordinate(roll, 0), coordinate(roll, 1), 0};
        std::vector<std::string> texts;
        for (int k = 0; k < corners; ++k) {
            const double angle = 2 * std::numbers::pi * (k + roll.between(0, 0.8)) / corners;
            const double radius = plan_.longest() * roll.power(-1.5, -0.2);
            texts.push_back(fmt::format("[{}, {}]", toml_text(middle[0] + radius * std::cos(angle)),
                                        toml_text(middle[1] + radius * std::sin(angle))));
        }
        return fmt::format("[{}]", fmt::join(texts, ", "));
    }
    std::string text_of(std::string_view name, scene::Gravity& usual, const Setting& setting) {
        if (dice(name, "vector").chance(0.4)) return text_of(name, *(usual.vector = TimeVector{}), setting);
        return text_of(name, usual.down, setting);
    }

    std::uint64_t id_;
    std::uint32_t attempt_;
    const Plan& plan_;
    std::string path_;
    RandomScene& made_;
    std::vector<std::pair<std::string, std::string>> values_{};
    std::string tables_{};
};

}  // namespace

RandomScene random_scene(std::uint64_t id, std::uint32_t attempt) {
    RandomScene made;
    const Plan plan = planned_scene(id, attempt);
    Writer writer(id, attempt, plan, "", made);
    SceneDescription defaults;
    describe(writer, defaults);
    made.text = writer.text() + planned_probes(id, attempt, plan);
    return made;
}

}  // namespace spindrift::fuzz
