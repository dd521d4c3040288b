// SPDX-License-Identifier: Apache-2.0
#include "scene/heights.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/hash.h"
#include "scene/toml/text.h"

namespace spindrift {
namespace {

using scene::Vec3;

double height_in(const HeightMap& map, const scene::Heightmap& shape, const Vec3& place, int dim, int up) {
    const auto share = [&](int axis) { return (place[axis] - shape.min[axis]) / (shape.max[axis] - shape.min[axis]); };
    // The rows of a picture begin at its top, which lies behind: at the least z with y up, at the largest y with z up.
    const double v = dim == 2 ? 0.5 : up == 1 ? share(2) : 1 - share(1);
    return shape.min[up] + (shape.max[up] - shape.min[up]) * map.at(share(0), v);
}

// No more samples than one a cell.
int samples(int pixels, double length, double cell) {
    const double cells = std::ceil(length / cell);
    return cells + 1 < pixels ? std::max(2, static_cast<int>(cells) + 1) : pixels;
}

}  // namespace

double height_at(const scene::Heightmap& shape, const Vec3& place, int dim, int up) {
    return height_in(*shape.image.map, shape, place, dim, up);
}

HeightFunction height_function(const scene::Shape& shape, int dim, int up, double cell) {
    if (const auto* heights = std::get_if<scene::Heights>(&shape))
        return [height = heights->height](const Vec3& place) { return height.at(place, 0); };
    const auto* picture = std::get_if<scene::Heightmap>(&shape);
    if (picture == nullptr || !picture->image.map) return {};
    std::shared_ptr<const HeightMap> map = picture->image.map;
    if (cell > 0) {
        const Vec3 size = picture->max - picture->min;
        const int columns = samples(map->columns, size[0], cell);
        const int rows = dim == 2 ? map->rows : samples(map->rows, size[3 - up], cell);
        if (columns < map->columns || rows < map->rows)
            map = std::make_shared<const HeightMap>(smoothed(*map, columns, rows));
    }
    return [map, shape = *picture, dim, up](const Vec3& place) { return height_in(*map, shape, place, dim, up); };
}

std::string height_key(const scene::Shape& shape) {
    if (const auto* heights = std::get_if<scene::Heights>(&shape)) return toml_text(heights->height);
    const auto& picture = std::get<scene::Heightmap>(shape);
    return fmt::format("{} {} {} {}", picture.image.map->columns,
                       hash_bytes(std::as_bytes(std::span(picture.image.map->values))),
                       fmt::join(picture.min.data, " "), fmt::join(picture.max.data, " "));
}

}  // namespace spindrift
