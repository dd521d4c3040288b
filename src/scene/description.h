// SPDX-License-Identifier: Apache-2.0
// What a scene file says, as plain data in SI units.  Names, units, ranges and consequences of all of it stand in
// describe.h; docs/scene-reference.md is made from there.
//
// Vectors have three components in 2D and 3D; in 2D the third is 0 and not written.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "base/vec.h"
#include "geometry/height_map.h"
#include "render/floor_kind.h"
#include "scene/color.h"
#include "scene/expression/varying.h"
#include "scene/gas_description.h"
#include "scene/materials.h"
#include "scene/probe_description.h"
#include "scene/whitewater_description.h"

namespace spindrift {

namespace scene {

using Vec3 = Vec<double, 3>;

// A turn about x, then y, then z; in 2D only about z, which points at the viewer.
struct Rotation {
    Vec3 degrees{};
    friend bool operator==(const Rotation&, const Rotation&) = default;
};

// As written: relative to the folder of the scene.
struct FilePath {
    std::string text{};
    friend bool operator==(const FilePath&, const FilePath&) = default;
};

enum class Up { y, z };

enum class SideKind { slip, no_slip, open, periodic, inflow };

struct Side {
    SideKind kind = SideKind::slip;
    FieldVector velocity{};            // of an inflow
    std::optional<TimeValue> level{};  // of an inflow: liquid comes in below this height; everywhere if not given
    std::optional<WallValues> wall_values{};  // of a gas's substances
    std::optional<std::string> component{};   // of the liquid that an inflow brings
    std::optional<double> outflow_after{};    // s: an inflow of the method foster-metaxas-1996 then lets liquid out
    friend bool operator==(const Side&, const Side&) = default;
};

// The six sides of the box (four in 2D) by axis and end.
struct Sides {
    std::array<Side, 6> sides{};
    Side& at(int axis, bool upper) { return sides[static_cast<std::size_t>(2 * axis + (upper ? 1 : 0))]; }
    const Side& at(int axis, bool upper) const { return sides[static_cast<std::size_t>(2 * axis + (upper ? 1 : 0))]; }
    friend bool operator==(const Sides&, const Sides&) = default;
};

struct Domain {
    Vec3 size{};
    std::optional<int> resolution{};
    std::optional<double> cell_size{};
    Vec3 origin{};
    Up up = Up::y;
    Sides sides{};
    friend bool operator==(const Domain&, const Domain&) = default;
};

struct Time {
    double fps = 24;
    std::optional<int> frames{};
    std::optional<double> end{};
    double cfl = 3;
    std::optional<int> min_substeps{};
    int max_substeps = 200;
    friend bool operator==(const Time&, const Time&) = default;
};
constexpr int kDefaultFrames = 120;

struct Fluid {
    std::string material{"water"};
    double density = materials()[0].density;
    double viscosity = materials()[0].viscosity;
    double surface_tension = materials()[0].surface_tension;
    friend bool operator==(const Fluid&, const Fluid&) = default;
};

// Of a mixture, besides what [fluid] says.
struct Component {
    std::string name{};
    std::optional<double> density{}, viscosity{};
    std::optional<Color> color{};
    std::optional<double> scattering{};
    std::optional<Color> scattering_color{};
    friend bool operator==(const Component&, const Component&) = default;
};

// A number pulls against `up`; a vector wherever it points.
struct Gravity {
    TimeValue down{9.81};  // standard gravity is 9.80665; three digits are known by heart
    std::optional<TimeVector> vector{};
    friend bool operator==(const Gravity&, const Gravity&) = default;
};

// The table of methods is in scene/methods.h.
enum class Method {
    level_set,
    particle_level_set_2002,
    foster_fedkiw_2001,
    foster_metaxas_1996,
    stable_fluids_1999,
    gas
};

enum class Advection { maccormack, semi_lagrangian, cubic };

struct LevelSet {
    Advection advection = Advection::maccormack;
    int time_order = 2;
    bool volume_control = true;
    bool enclosed_air = true;
    double air_pressure = 101325;
    double pressure_tolerance = 1e-4;
    int max_pressure_iterations = 200;
    friend bool operator==(const LevelSet&, const LevelSet&) = default;
};

// A velocity that is given, not simulated.
struct Flow {
    std::optional<FieldVector> velocity{};
    friend bool operator==(const Flow&, const Flow&) = default;
};

enum class CellPressure { relaxation, multigrid };

struct FosterMetaxas {
    int markers_across = 4;
    std::optional<double> inflow_markers{};
    double courant = 0.5;
    double donor_cell = 1.5;
    CellPressure pressure = CellPressure::relaxation;
    double pressure_tolerance = 1e-4;
    double over_relaxation = 1.7;
    int max_sweeps = 5000;
    friend bool operator==(const FosterMetaxas&, const FosterMetaxas&) = default;
};

struct FosterFedkiw {
    double curvature = 0.25;
    friend bool operator==(const FosterFedkiw&, const FosterFedkiw&) = default;
};

enum class ParticleSides { both, inside, none };

struct Particles {
    std::optional<ParticleSides> sides{};
    int per_cell = 16;
    double reseed_interval = 0.2;
    double escape_distance = 0.15;
    double largest_drop = 0.005;
    friend bool operator==(const Particles&, const Particles&) = default;
};

// Shapes.
struct Box {
    static constexpr std::string_view kName = "box";
    Vec3 min{}, max{};
    Rotation rotate_degrees{};  // about the centre
    friend bool operator==(const Box&, const Box&) = default;
};
struct Sphere {
    static constexpr std::string_view kName = "sphere";
    Vec3 center{};
    double radius = 0;
    friend bool operator==(const Sphere&, const Sphere&) = default;
};
struct Ellipsoid {
    static constexpr std::string_view kName = "ellipsoid";
    Vec3 center{};
    Vec3 radii{};
    Rotation rotate_degrees{};  // about the centre
    friend bool operator==(const Ellipsoid&, const Ellipsoid&) = default;
};
struct Cylinder {
    static constexpr std::string_view kName = "cylinder";
    Vec3 from{}, to{};
    double radius = 0;
    friend bool operator==(const Cylinder&, const Cylinder&) = default;
};
struct Capsule {
    static constexpr std::string_view kName = "capsule";
    Vec3 from{}, to{};
    double radius = 0;
    friend bool operator==(const Capsule&, const Capsule&) = default;
};
struct Cone {
    static constexpr std::string_view kName = "cone";
    Vec3 from{}, to{};
    double radius = 0;
    double radius_to = 0;
    friend bool operator==(const Cone&, const Cone&) = default;
};
struct Torus {
    static constexpr std::string_view kName = "torus";
    Vec3 center{};
    double radius = 0;
    double tube_radius = 0;
    std::optional<Vec3> axis{};  // up if not given; 3D
    friend bool operator==(const Torus&, const Torus&) = default;
};
struct Polygon {
    static constexpr std::string_view kName = "polygon";
    std::vector<Vec3> points{};
    friend bool operator==(const Polygon&, const Polygon&) = default;
};
struct Plane {
    static constexpr std::string_view kName = "plane";
    Vec3 point{};
    Vec3 normal{};  // of any length
    friend bool operator==(const Plane&, const Plane&) = default;
};
struct Heights {
    static constexpr std::string_view kName = "heights";
    FieldValue height{};
    friend bool operator==(const Heights&, const Heights&) = default;
};
// A picture of heights, read with the scene.
struct HeightImage {
    std::string text{};  // its path as written
    std::shared_ptr<const HeightMap> map{};
    friend bool operator==(const HeightImage& a, const HeightImage& b) { return a.text == b.text; }
};
struct Heightmap {
    static constexpr std::string_view kName = "heightmap";
    HeightImage image{};
    Vec3 min{}, max{};
    friend bool operator==(const Heightmap&, const Heightmap&) = default;
};
struct Mesh {
    static constexpr std::string_view kName = "mesh";
    FilePath file{};
    double scale = 1;
    Rotation rotate_degrees{};  // about the file's origin, after scaling and before moving
    Vec3 translate{};
    friend bool operator==(const Mesh&, const Mesh&) = default;
};
using Shape =
    std::variant<Box, Sphere, Ellipsoid, Cylinder, Capsule, Cone, Torus, Polygon, Plane, Heights, Heightmap, Mesh>;

// Degrees: a number turns about an axis; three turn about x, then y, then z.
struct Turn {
    TimeValue angle{};
    std::optional<TimeVector> angles{};
    friend bool operator==(const Turn&, const Turn&) = default;
};

// How a solid or a source moves from where its shape is written; see scene/motion.h.
struct Motion {
    std::optional<TimeVector> offset{};
    std::optional<Turn> rotation_degrees{};
    std::optional<Vec3> rotation_axis{};  // up if not given
    std::optional<Vec3> pivot{};          // the middle of the shape if not given
    bool is_there() const { return offset || rotation_degrees; }
    friend bool operator==(const Motion&, const Motion&) = default;
};

enum class ShapeOp { add, subtract };
enum class Wall { slip, no_slip };

// Entries of a list apply in the order they are written.
struct Liquid {
    std::string name{};
    Shape shape{};
    ShapeOp op = ShapeOp::add;
    FieldVector velocity{};
    std::optional<std::string> component{};
    friend bool operator==(const Liquid&, const Liquid&) = default;
};
struct Solid {
    std::string name{};
    Shape shape{};
    ShapeOp op = ShapeOp::add;
    Wall wall = Wall::slip;
    std::optional<WallValues> wall_values{};  // of a gas's substances
    Motion motion{};
    bool visible = true;
    bool glass = false;
    friend bool operator==(const Solid&, const Solid&) = default;
};
struct Source {
    std::string name{};
    Shape shape{};
    Motion motion{};
    FieldVector velocity{};
    double start = 0;
    std::optional<double> end{};
    std::optional<std::string> component{};
    std::optional<std::string> substance{};
    std::optional<FieldValue> rate{}, value{};
    friend bool operator==(const Source&, const Source&) = default;
};

// Beyond the surface: mixes a wind into the velocity that carries the surface.
struct Wind {
    std::string name{};
    FieldValue strength{1.0};
    FieldVector velocity{};
    std::optional<Vec3> min{}, max{};
    friend bool operator==(const Wind&, const Wind&) = default;
};

// A place as a function of a curve's parameter s, from 0 to 1.
struct CurvePath {
    std::array<FieldValue, 3> component{};
    Vec3 at(double s) const { return {component[0].at({}, s), component[1].at({}, s), component[2].at({}, s)}; }
    friend bool operator==(const CurvePath&, const CurvePath&) = default;
};
enum class CurveKind { catmull_rom, bezier, straight };

// What is controlled, and how; see scene/control_curve.h.
struct CurveControl {
    static constexpr std::string_view kName = "curve";
    std::vector<Vec3> points{};
    std::optional<CurvePath> path{};
    CurveKind interpolation = CurveKind::catmull_rom;
    bool closed = false;
    TimeValue speed{1.0};
    double radius = 0;
    std::optional<double> stretch{};
    double pull = 0;
    friend bool operator==(const CurveControl&, const CurveControl&) = default;
};
struct VolumeControl {
    static constexpr std::string_view kName = "volume";
    Shape shape{};
    FieldVector velocity{};
    friend bool operator==(const VolumeControl&, const VolumeControl&) = default;
};
struct SurfaceControl {
    static constexpr std::string_view kName = "surface";
    Shape shape{};
    double thickness = 0;
    FieldVector velocity{};
    friend bool operator==(const SurfaceControl&, const SurfaceControl&) = default;
};
struct AttractControl {
    static constexpr std::string_view kName = "attract";
    Shape shape{};
    double reach = 0;
    TimeValue strength{20.0};
    double damping = 3;
    double weight = 0;
    friend bool operator==(const AttractControl&, const AttractControl&) = default;
};
using ControlKind = std::variant<CurveControl, VolumeControl, SurfaceControl, AttractControl>;

enum class ControlParts { both, normal, tangential };

struct Control {
    std::string name{};
    ControlKind kind{};
    ControlParts parts = ControlParts::both;
    std::optional<TimeValue> rate{};
    double start = 0;
    std::optional<double> end{};
    std::optional<Vec3> region_min{}, region_max{};
    friend bool operator==(const Control&, const Control&) = default;
};

struct Output {
    std::string name{};
    bool volumes = true;
    bool mesh = true;
    bool spray = true;
    bool images = true;
    bool film = true;
    std::optional<double> film_fps{};
    std::vector<std::string> fields{"surface", "velocity"};
    std::map<std::string, std::string> names{};
    int checkpoint_every = 10;
    int keep_checkpoints = 2;
    friend bool operator==(const Output&, const Output&) = default;
};

enum class Overlay { none, velocity, pressure };

struct Camera {
    std::optional<TimeVector> position{};
    std::optional<TimeVector> look_at{};
    std::optional<Vec3> up{};
    TimeValue fov_degrees{40};
    std::optional<Vec<int, 2>> resolution{};
    std::optional<Vec3> min{}, max{};
    Overlay overlay = Overlay::none;
    std::optional<double> overlay_min{}, overlay_max{};
    bool show_controls = false;
    friend bool operator==(const Camera&, const Camera&) = default;
};

struct Render {
    Color sky_color{{0.55, 0.70, 0.90}};
    Color sun_color{{3.0, 2.8, 2.5}};
    std::optional<TimeVector> sun_direction{};
    FloorKind floor = FloorKind::checker;
    std::optional<double> sea_level{};
    Color floor_color{{0.60, 0.58, 0.55}};
    bool outline = true, background = true;
    std::optional<Color> water_color{};
    std::optional<Color> absorption{};
    std::optional<double> scattering{};
    std::optional<Color> scattering_color{};
    std::optional<Color> emission{};
    double anisotropy = 0.2;
    double glow = 0, glow_kelvin = 1500;
    double shutter = 0.5;
    double exposure = 1;
    friend bool operator==(const Render&, const Render&) = default;
};

// Where each setting was written.  Not part of what a scene is: any two are equal.
struct Places {
    std::string file{};
    std::map<std::string, Location> of{};
    friend bool operator==(const Places&, const Places&) { return true; }
};

}  // namespace scene

struct SceneDescription {
    int version = 1;
    std::string title{};
    std::string description{};
    std::vector<std::string> tags{};
    scene::Method method = scene::Method::particle_level_set_2002;
    scene::Gravity gravity{};
    std::uint64_t seed = 1;
    scene::Domain domain{};
    scene::Time time{};
    scene::Fluid fluid{};
    std::vector<scene::Component> component{};
    scene::LevelSet level_set{};
    scene::Particles particles{};
    scene::FosterFedkiw foster_fedkiw{};
    scene::FosterMetaxas foster_metaxas{};
    scene::Flow flow{};
    scene::Gas gas{};
    std::vector<scene::GasSubstance> substance{};
    std::vector<scene::Force> force{};
    scene::Texture texture{};
    std::vector<scene::Liquid> liquid{};
    std::vector<scene::Solid> solid{};
    std::vector<scene::Source> source{};
    std::vector<scene::Wind> wind{};
    std::vector<scene::Control> control{};
    std::vector<scene::Probe> probe{};
    scene::Whitewater whitewater{};
    scene::Output output{};
    scene::Camera camera{};
    scene::Render render{};

    int dim = 3;  // 2 or 3, by the length of domain.size
    scene::Places places{};

    friend bool operator==(const SceneDescription&, const SceneDescription&) = default;
};

// The place of a setting, named as in --set ("liquid[0].radius"), or of the nearest table around it that is written;
// for errors found later.
Location place_of(const SceneDescription& scene, const std::string& path);

// What a side is called by one who stands before the box: "left", "top", …
std::string_view side_name(int axis, bool upper, scene::Up up);

// "(0.5, 1)", as many numbers as the scene has dimensions.
std::string place_text(const Vec<double, 3>& place, int dim);

// Where a file named in the scene lies.
std::filesystem::path resolved(const SceneDescription& scene, const scene::FilePath& file);

// What the liquid of [fluid] is called where there are others.
constexpr std::string_view kFirstComponent = "fluid";
// The number of a component by its name, 0 of that of [fluid] when there is no name.
std::size_t component_number(const SceneDescription& scene, const std::optional<std::string>& name);

// The axis that points up, 0 to 2.
int up_axis(const SceneDescription& scene);
Vec<double, 3> gravity_at(const SceneDescription& scene, double t);

// Side of a cell in m, and cells along each axis: the size rounded to whole cells; 1 along the third axis in 2D.
double cell_size(const SceneDescription& scene);
Vec<int, 3> cell_counts(const SceneDescription& scene);

int frame_count(const SceneDescription& scene);
double end_time(const SceneDescription& scene);  // s, of the last frame
double film_fps(const SceneDescription& scene);  // pictures that the film shows in a second

// The first Dim components.
template <int Dim, class T>
Vec<T, Dim> components(const Vec<T, 3>& v) {
    Vec<T, Dim> out;
    for (int axis = 0; axis < Dim; ++axis) out[axis] = v[axis];
    return out;
}

}  // namespace spindrift
