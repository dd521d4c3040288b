// SPDX-License-Identifier: Apache-2.0
// Fields as OpenVDB [Museth13] grids in files that stock tools read.  A tile becomes a leaf by copying; a 2D field is a
// slab one cell thick, at k = 0.  The transform puts voxels at cell centres; face values are Vec3f grids of class
// staggered.
//
// Active are the voxels whose bits differ from the background's, so that fog shows where there is some and every bit
// comes back; leaves stay even if nothing in them is active, so that the same tiles come back.  Files carry a seal, a
// hash behind the last grid that other readers pass over: what was cut short or changed is refused, not read.  The same
// fields give the same bytes.
//
//   write_vdb<3>(path, {{"surface", &phi, transform, VdbClass::level_set}, {"vel", &velocity, transform}},
//                {{"frame", 12}, {"fps", 24.0}});
//   const auto surface = read_vdb<3>(path, "surface");  // surface.value().values is a Field<float, 3>
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"
#include "grid/field.h"
#include "grid/transform.h"

namespace spindrift {

// How tools show a grid.  Face values are always staggered.
enum class VdbClass { unknown, level_set, fog_volume, staggered };

using VdbMetadata = std::map<std::string, std::variant<bool, std::int64_t, double, std::string>>;

template <int Dim>
struct VdbItem {
    VdbItem(std::string name_, const Field<float, Dim>* field, const GridTransform<Dim>& transform_ = {},
            VdbClass kind_ = VdbClass::unknown, VdbMetadata metadata_ = {})
        : name(std::move(name_)), values(field), transform(transform_), kind(kind_), metadata(std::move(metadata_)) {}
    VdbItem(std::string name_, const FaceField<Dim>* faces, const GridTransform<Dim>& transform_ = {},
            VdbMetadata metadata_ = {})
        : name(std::move(name_)),
          values(faces),
          transform(transform_),
          kind(VdbClass::staggered),
          metadata(std::move(metadata_)) {}

    std::string name;
    std::variant<const Field<float, Dim>*, const FaceField<Dim>*> values;
    GridTransform<Dim> transform;
    VdbClass kind;
    VdbMetadata metadata;
};

// Written to another name and renamed: a file of this name is whole, or as it was before.
template <int Dim>
Result<void> write_vdb(const std::filesystem::path& path, const std::vector<VdbItem<Dim>>& items,
                       const VdbMetadata& file_metadata = {});

template <class Values, int Dim>
struct VdbGrid {
    Values values;
    GridTransform<Dim> transform{};
    VdbClass kind = VdbClass::unknown;
    VdbMetadata metadata{};
};

// A grid of floats, or of vectors on faces, by its name.  Files of other programs are read too; where their grids hold
// constant regions, tiles are made for them.
template <int Dim>
Result<VdbGrid<Field<float, Dim>, Dim>> read_vdb(const std::filesystem::path& path, const std::string& name);
template <int Dim>
Result<VdbGrid<FaceField<Dim>, Dim>> read_vdb_faces(const std::filesystem::path& path, const std::string& name);

// What is in a file, without reading the values.
struct VdbContents {
    struct Grid {
        std::string name, type;
        VdbClass kind = VdbClass::unknown;
        VdbMetadata metadata{};
    };
    std::vector<Grid> grids;
    VdbMetadata metadata;
};
Result<VdbContents> read_vdb_contents(const std::filesystem::path& path);

}  // namespace spindrift
