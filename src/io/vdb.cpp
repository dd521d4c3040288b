// SPDX-License-Identifier: Apache-2.0
// OpenVDB's own file class reads on where a file ends, into whatever memory holds: strings of gigabytes, or for ever.
// Here its archive works on streams that throw at the end and when a disk is full, and files of our own are checked
// whole first.
#include "io/vdb.h"

#include <array>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <functional>
#include <optional>
#include <set>
#include <string_view>

#include "base/hash.h"
#include "io/safe_file.h"
#include "io/vdb_grids.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#include <openvdb/io/GridDescriptor.h>
#include <openvdb/io/Stream.h>
#pragma GCC diagnostic pop

namespace spindrift {
namespace {

using std::filesystem::path;

constexpr const char* kCreator = "spindrift";
constexpr const char* kSealed = "spindrift_sealed";        // of the file: a seal follows the last grid
constexpr const char* kDimension = "spindrift_dimension";  // of a grid: 2 or 3
constexpr const char* kOrigin = "spindrift_origin";        // of a grid: the transform's origin, to the last bit

void initialize_once() {
    static const bool done = (openvdb::initialize(), true);
    static_cast<void>(done);
}

Error damaged(const path& file, const std::string& what) {
    return {
        .what = what, .remedy = "write the file again, or restore it from a copy", .where = {.file = file.string()}};
}

// ——— Metadata ———

openvdb::Metadata::Ptr vdb_from_value(const VdbMetadata::mapped_type& value) {
    if (const auto* b = std::get_if<bool>(&value)) return openvdb::BoolMetadata(*b).copy();
    if (const auto* d = std::get_if<double>(&value)) return openvdb::DoubleMetadata(*d).copy();
    if (const auto* s = std::get_if<std::string>(&value)) return openvdb::StringMetadata(*s).copy();
    // Tools know 32-bit integers best.
    const std::int64_t i = std::get<std::int64_t>(value);
    if (i == static_cast<std::int32_t>(i)) return openvdb::Int32Metadata(static_cast<std::int32_t>(i)).copy();
    return openvdb::Int64Metadata(i).copy();
}

void insert_metadata(openvdb::MetaMap& map, const VdbMetadata& metadata) {
    for (const auto& [key, value] : metadata) map.insertMeta(key, *vdb_from_value(value));
}

// What others put in, without what the library or this file adds by itself.
VdbMetadata metadata_of(const openvdb::MetaMap& map) {
    static const std::set<std::string_view> kTheirs = {
        "name", "class", "creator", "is_saved_as_half_float", "vector_type", "is_local_space", "value_type"};
    VdbMetadata out;
    for (auto it = map.beginMeta(); it != map.endMeta(); ++it) {
        const auto& [key, value] = *it;
        if (kTheirs.contains(key) || key.starts_with("file_") || key.starts_with("spindrift_")) continue;
        const std::string type = value->typeName();
        if (type == "bool") out[key] = static_cast<const openvdb::BoolMetadata&>(*value).value();
        if (type == "string") out[key] = static_cast<const openvdb::StringMetadata&>(*value).value();
        if (type == "float") out[key] = double{static_cast<const openvdb::FloatMetadata&>(*value).value()};
        if (type == "double") out[key] = static_cast<const openvdb::DoubleMetadata&>(*value).value();
        if (type == "int32") out[key] = std::int64_t{static_cast<const openvdb::Int32Metadata&>(*value).value()};
        if (type == "int64") out[key] = std::int64_t{static_cast<const openvdb::Int64Metadata&>(*value).value()};
    }
    return out;
}

openvdb::GridClass vdb_from_class(VdbClass kind) {
    switch (kind) {
        case VdbClass::unknown: return openvdb::GRID_UNKNOWN;
        case VdbClass::level_set: return openvdb::GRID_LEVEL_SET;
        case VdbClass::fog_volume: return openvdb::GRID_FOG_VOLUME;
        case VdbClass::staggered: return openvdb::GRID_STAGGERED;
    }
    return openvdb::GRID_UNKNOWN;
}
VdbClass class_of(openvdb::GridClass kind) {
    for (const VdbClass c : {VdbClass::level_set, VdbClass::fog_volume, VdbClass::staggered})
        if (vdb_from_class(c) == kind) return c;
    return VdbClass::unknown;
}

// ——— Transforms: voxel (i, j, k) lies at the centre of cell (i, j, k) ———

template <int Dim>
void set_transform(openvdb::GridBase& grid, const GridTransform<Dim>& transform) {
    openvdb::Vec3d origin(0);
    for (int a = 0; a < Dim; ++a) origin[a] = transform.origin[a];
    auto map = openvdb::math::Transform::createLinearTransform(transform.dx);
    map->postTranslate(origin + openvdb::Vec3d(0.5 * transform.dx));
    grid.setTransform(map);
    grid.insertMeta(kOrigin, openvdb::Vec3DMetadata(origin));
}

// Nothing, where the grid is turned, sheared or stretched.
template <int Dim>
std::optional<GridTransform<Dim>> transform_of(const openvdb::GridBase& grid) {
    const openvdb::math::Transform& map = grid.transform();
    if (!map.isLinear()) return std::nullopt;
    const double dx = map.voxelSize()[0];
    const double tolerance = 1e-9 * dx;
    const openvdb::Vec3d first = map.indexToWorld(openvdb::Vec3d(0));
    for (int a = 0; a < 3; ++a) {
        openvdb::Vec3d step(0);
        step[a] = 1;
        const openvdb::Vec3d off = map.indexToWorld(step) - first - step * dx;
        if (!(off.length() <= tolerance + 1e-15 * first.length())) return std::nullopt;
    }
    openvdb::Vec3d origin = first - openvdb::Vec3d(0.5 * dx);
    // The origin to the last bit, unless another program has moved the grid since.
    if (const auto exact = grid.getMetadata<openvdb::Vec3DMetadata>(kOrigin))
        if ((exact->value() - origin).length() <= tolerance + 1e-15 * first.length()) origin = exact->value();
    GridTransform<Dim> transform{.origin = {}, .dx = dx};
    for (int a = 0; a < Dim; ++a) transform.origin[a] = origin[a];
    return transform;
}

// ——— The seal ———
// Behind the last grid: eight letters, the length before them, and the hash of that length with the UUID as zeros.
// OpenVDB draws the UUID at random; it is replaced by the hash, so that the same fields give the same bytes.

constexpr std::streamoff kUuidAt = 8 + 4 + 4 + 4 + 1;  // after magic number, three versions and a flag
constexpr std::string_view kNoUuid = "00000000-0000-0000-0000-000000000000";

struct Seal {
    std::array<char, 8> letters = {'S', 'P', 'N', 'D', 'S', 'E', 'A', 'L'};
    std::uint64_t length = 0, high = 0, low = 0;
    friend bool operator==(const Seal&, const Seal&) = default;
};
static_assert(sizeof(Seal) == 32);

std::string uuid_of(const Seal& seal) {
    std::string digits = hex(Hash128{seal.high, seal.low});
    for (const std::size_t at : {8, 13, 18, 23}) digits.insert(at, "-");
    return digits;
}

Seal seal_of(std::istream& is, std::uint64_t length) {
    Hasher hasher;
    std::vector<char> chunk(std::size_t{1} << 20);
    is.seekg(0);
    for (std::uint64_t done = 0; done < length;) {
        const std::uint64_t size = std::min<std::uint64_t>(chunk.size(), length - done);
        is.read(chunk.data(), static_cast<std::streamsize>(size));
        if (done == 0 && size >= kUuidAt + kNoUuid.size()) std::ranges::copy(kNoUuid, chunk.data() + kUuidAt);
        hasher.add_bytes(std::as_bytes(std::span(chunk.data(), size)));
        done += size;
    }
    const Hash128 hash = hasher.digest128();
    return {.length = length, .high = hash.high, .low = hash.low};
}

enum class SealState { none, whole, broken };

SealState check_seal(std::istream& is) {
    const auto size = static_cast<std::uint64_t>(is.seekg(0, std::ios::end).tellg());
    if (size < sizeof(Seal) + kUuidAt + kNoUuid.size()) return SealState::none;
    Seal found;
    is.seekg(-static_cast<std::streamoff>(sizeof(Seal)), std::ios::end);
    is.read(reinterpret_cast<char*>(&found), sizeof(Seal));
    if (found.letters != Seal{}.letters) return SealState::none;
    std::string uuid(kNoUuid.size(), ' ');
    is.seekg(kUuidAt).read(uuid.data(), static_cast<std::streamsize>(uuid.size()));
    const bool whole =
        found.length == size - sizeof(Seal) && seal_of(is, found.length) == found && uuid == uuid_of(found);
    return whole ? SealState::whole : SealState::broken;
}

// ——— Archives on streams that throw ———

class Writer : public openvdb::io::Archive {
  public:
    void write_to(std::fstream& file, const openvdb::GridCPtrVec& grids, const openvdb::MetaMap& metadata) {
        setCompression(openvdb::io::COMPRESS_ACTIVE_MASK |
                       (hasBloscCompression() ? openvdb::io::COMPRESS_BLOSC : openvdb::io::COMPRESS_ZIP));
        Archive::write(file, grids, true, metadata);
        file.seekp(0, std::ios::end);
        const Seal seal = seal_of(file, static_cast<std::uint64_t>(file.tellp()));
        file.seekp(0, std::ios::end).write(reinterpret_cast<const char*>(&seal), sizeof(seal));
        const std::string uuid = uuid_of(seal);
        file.seekp(kUuidAt).write(uuid.data(), static_cast<std::streamsize>(uuid.size()));
        file.flush();
    }
};

class Reader : public openvdb::io::Archive {
  public:
    using Descriptor = openvdb::io::GridDescriptor;
    using Visit = std::function<bool(const Descriptor&)>;  // whether to read this grid, values included

    explicit Reader(std::istream& is) : is_(is) {
        readHeader(is);
        openvdb::io::setStreamMetadataPtr(is, stream_metadata_, false);
        openvdb::io::setVersion(is, libraryVersion(), fileVersion());
        openvdb::io::setDataCompression(is, compression());
        metadata_.readMeta(is);
        grids_at_ = is.tellg();
    }

    const openvdb::MetaMap& metadata() const { return metadata_; }

    // Grids in the order of the file: those that are not asked for without their values, or not at all.
    std::vector<openvdb::GridBase::Ptr> read_grids(const Visit& wanted) {
        std::vector<openvdb::GridBase::Ptr> grids;
        NamedGridMap by_name;
        std::vector<Descriptor> descriptors;
        is_.seekg(grids_at_);
        const int count = readGridCount(is_);
        for (int i = 0; i < count; ++i) {
            Descriptor& descriptor = descriptors.emplace_back();
            openvdb::GridBase::Ptr grid = descriptor.read(is_);
            if (wanted(descriptor) || !inputHasGridOffsets()) {
                readGrid(grid, descriptor, is_);
                by_name[descriptor.uniqueName()] = grid;
            } else {
                readGridCompression(is_);
                grid->readMeta(is_);
                descriptor.seekToEnd(is_);
            }
            grid->setName(Descriptor::stripSuffix(descriptor.uniqueName()));
            grids.push_back(grid);
        }
        for (const Descriptor& descriptor : descriptors)
            if (by_name.contains(descriptor.uniqueName())) connectInstance(descriptor, by_name);
        return grids;
    }

  private:
    std::istream& is_;
    openvdb::io::StreamMetadata::Ptr stream_metadata_ = std::make_shared<openvdb::io::StreamMetadata>();
    openvdb::MetaMap metadata_;
    std::istream::pos_type grids_at_;
};

// Opens and checks a file, and turns what can go wrong on the way into errors.
template <class T>
Result<T> with_reader(const path& file, const std::function<Result<T>(Reader&)>& use) {
    initialize_once();
    if (std::filesystem::is_directory(file)) return file_error(file, "cannot be read", EISDIR);
    errno = 0;
    std::ifstream is(file, std::ios::binary);
    if (!is) return file_error(file, "cannot be read", errno);
    try {
        is.exceptions(std::ios::failbit | std::ios::badbit | std::ios::eofbit);
        std::int64_t magic = 0;
        if (is.seekg(0, std::ios::end).tellg() >= static_cast<std::streamoff>(sizeof(magic)))
            is.seekg(0).read(reinterpret_cast<char*>(&magic), sizeof(magic));
        if (magic != openvdb::OPENVDB_MAGIC)
            return Error{.what = "is not a VDB file", .remedy = "check the path", .where = {.file = file.string()}};
        const SealState seal = check_seal(is);
        if (seal == SealState::broken)
            return damaged(file, "was changed after it was written: its hash does not match");
        is.seekg(0);
        Reader reader(is);
        if (seal == SealState::none && reader.metadata()[kSealed])
            return damaged(file, "is cut short: its seal is missing");
        return use(reader);
    } catch (const std::ios_base::failure&) {
        return damaged(file, "ends before its last grid does");
    } catch (const std::bad_alloc&) {
        return damaged(file, "asks for more memory than there is");
    } catch (const std::exception& e) {
        return damaged(file, fmt::format("cannot be read: {}", e.what()));
    }
}

template <class Grid, class Values, int Dim, class Convert>
Result<VdbGrid<Values, Dim>> read_grid(const path& file, const std::string& name, Convert&& convert) {
    return with_reader<VdbGrid<Values, Dim>>(file, [&](Reader& reader) -> Result<VdbGrid<Values, Dim>> {
        const auto fail = [&](const std::string& what, const std::string& remedy) {
            return Error{.what = what, .remedy = remedy, .where = {.file = file.string()}};
        };
        // Find the grid, and the other one that holds its values where two grids share them; then read these alone.
        std::set<std::string> needed;
        reader.read_grids([&](const Reader::Descriptor& d) {
            if (needed.empty() && Reader::Descriptor::stripSuffix(d.uniqueName()) == name)
                needed = {d.uniqueName(), d.instanceParentName()};
            return false;
        });
        const auto grids =
            reader.read_grids([&](const Reader::Descriptor& d) { return needed.contains(d.uniqueName()); });
        std::string names;
        openvdb::GridBase::Ptr found;
        for (const auto& grid : grids) {
            names += fmt::format("{}'{}'", names.empty() ? "" : ", ", grid->getName());
            if (!found && grid->getName() == name) found = grid;
        }
        if (!found)
            return fail(fmt::format("has no grid '{}'", name),
                        names.empty() ? "it has no grids at all" : fmt::format("it has {}", names));
        if (!found->isType<Grid>())
            return fail(fmt::format("grid '{}' holds {} values; {} were asked for", name, found->valueType(),
                                    openvdb::typeNameAsString<typename Grid::ValueType>()),
                        "name another grid");
        const auto dimension = found->getMetadata<openvdb::Int32Metadata>(kDimension);
        if (dimension && dimension->value() != Dim)
            return fail(
                fmt::format("grid '{}' is {}-dimensional; {} dimensions were asked for", name, dimension->value(), Dim),
                "use the dimension that the file was written with");
        const auto transform = transform_of<Dim>(*found);
        if (!transform)
            return fail(fmt::format("grid '{}' is turned, stretched or of a form that is not a box of cubes", name),
                        "resample it to cubes along the axes");

        std::string problem;
        VdbGrid<Values, Dim> out{.values = convert(static_cast<const Grid&>(*found), problem),
                                 .transform = *transform,
                                 .kind = class_of(found->getGridClass()),
                                 .metadata = metadata_of(*found)};
        if (!problem.empty()) return fail(fmt::format("grid '{}' {}", name, problem), "");
        return out;
    });
}

}  // namespace

template <int Dim>
Result<void> write_vdb(const path& file, const std::vector<VdbItem<Dim>>& items, const VdbMetadata& file_metadata) {
    initialize_once();
    // Make the grids.
    Errors errors;
    std::set<std::string> names;
    openvdb::GridCPtrVec grids;
    for (const VdbItem<Dim>& item : items) {
        if (item.name.empty() || !names.insert(item.name).second)
            errors.add({.what = item.name.empty() ? "a grid without a name was to be written"
                                                  : fmt::format("two grids named '{}' were to be written", item.name),
                        .remedy = "give each grid a name of its own",
                        .where = {.file = file.string()}});
        const auto* faces = std::get_if<const FaceField<Dim>*>(&item.values);
        openvdb::GridBase::Ptr grid;
        if (faces != nullptr)
            grid = grid_from_faces(**faces);
        else
            grid = grid_from_field(*std::get<const Field<float, Dim>*>(item.values));
        grid->setName(item.name);
        grid->setCreator(kCreator);
        grid->setGridClass(vdb_from_class(item.kind));
        if (faces != nullptr) grid->setVectorType(openvdb::VEC_CONTRAVARIANT_RELATIVE);
        insert_metadata(*grid, item.metadata);
        grid->insertMeta(kDimension, openvdb::Int32Metadata(Dim));
        set_transform(*grid, item.transform);
        grids.push_back(grid);
    }
    if (!errors.empty()) return errors;
    openvdb::MetaMap metadata;
    insert_metadata(metadata, file_metadata);
    metadata.insertMeta(kSealed, openvdb::BoolMetadata(true));

    // Write them.
    const path partial = partial_path(file);
    std::error_code ignored;
    try {
        errno = 0;
        std::fstream stream(partial, std::ios::in | std::ios::out | std::ios::trunc | std::ios::binary);
        if (!stream) return file_error(file, "cannot be written", errno);
        stream.exceptions(std::ios::failbit | std::ios::badbit);
        Writer().write_to(stream, grids, metadata);
        stream.close();
    } catch (const std::ios_base::failure&) {
        const int failure = errno;
        std::filesystem::remove(partial, ignored);
        return file_error(file, "cannot be written", failure);
    } catch (const openvdb::Exception& e) {
        std::filesystem::remove(partial, ignored);
        return Error{.what = fmt::format("cannot be written: {}", e.what()), .where = {.file = file.string()}};
    }
    return publish_file(partial, file);
}

template <int Dim>
Result<VdbGrid<Field<float, Dim>, Dim>> read_vdb(const path& file, const std::string& name) {
    return read_grid<openvdb::FloatGrid, Field<float, Dim>, Dim>(file, name, field_from_grid<Dim>);
}

template <int Dim>
Result<VdbGrid<FaceField<Dim>, Dim>> read_vdb_faces(const path& file, const std::string& name) {
    return read_grid<openvdb::Vec3SGrid, FaceField<Dim>, Dim>(file, name, faces_from_grid<Dim>);
}

Result<VdbContents> read_vdb_contents(const path& file) {
    return with_reader<VdbContents>(file, [&](Reader& reader) -> Result<VdbContents> {
        VdbContents contents{.grids = {}, .metadata = metadata_of(reader.metadata())};
        for (const auto& grid : reader.read_grids([](const Reader::Descriptor&) { return false; }))
            contents.grids.push_back({.name = grid->getName(),
                                      .type = grid->valueType(),
                                      .kind = class_of(grid->getGridClass()),
                                      .metadata = metadata_of(*grid)});
        return contents;
    });
}

template Result<void> write_vdb(const path&, const std::vector<VdbItem<2>>&, const VdbMetadata&);
template Result<void> write_vdb(const path&, const std::vector<VdbItem<3>>&, const VdbMetadata&);
template Result<VdbGrid<Field<float, 2>, 2>> read_vdb(const path&, const std::string&);
template Result<VdbGrid<Field<float, 3>, 3>> read_vdb(const path&, const std::string&);
template Result<VdbGrid<FaceField<2>, 2>> read_vdb_faces(const path&, const std::string&);
template Result<VdbGrid<FaceField<3>, 3>> read_vdb_faces(const path&, const std::string&);

}  // namespace spindrift
