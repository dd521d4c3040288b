// SPDX-License-Identifier: Apache-2.0
// What a picture of a gas shows.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "grid/field.h"
#include "grid/transform.h"
#include "render/advected_texture.h"
#include "render/floor_kind.h"
#include "render/image.h"

namespace spindrift {

// A substance that stops light and scatters it.
struct SmokeLayer {
    const Field<float, 3>* field = nullptr;  // must outlive the view
    float ambient = 0;                       // what the clear air holds
    float opacity = 1;                       // part of the light that a thin layer stops, per metre and unit
    Rgb color{0.9F, 0.9F, 0.9F};             // part of what it stops that it scatters; the rest is gone
};

// Gas that shines by itself, as a black body at a temperature proportional to a field.
struct SmokeGlow {
    const Field<float, 3>* field = nullptr;  // none: nothing shines
    float ambient = 0;
    float kelvin = 1500;  // at one unit above ambient
    float strength = 0;   // brightness there, per metre; a white board in the sun has about 3
};

struct SmokeView3 {
    std::vector<SmokeLayer> layers{};
    SmokeGlow glow{};
    AdvectedTexture<3> texture{};  // thins the smoke where it is dark, thickens it where it is bright
    GridTransform<3> grid;
    Box<double, 3> container;  // m; gas and solids beyond it are cut off
    // Sides of the container that are open, by axis and end: smoke fades out over a few cells before it would be cut.
    std::array<bool, 6> open_sides{};
    // Where light that smoke scatters goes [HG41]: −1 back, 0 everywhere alike, 1 straight on.
    float anisotropy = 0;

    // Signed distance to the solids, m, negative inside and nowhere farther from zero than the true distance; empty
    // when there are none.  It is called from many threads.
    std::function<double(const Vec<double, 3>&)> solid_distance{};

    int frame = 0;                         // the samples along rays are placed by chance, anew in each frame
    int up_axis = 1;                       // 1 (y) or 2 (z)
    Rgb solid_color{0.62F, 0.45F, 0.33F};  // part of the light that solids send back
    FloorKind floor = FloorKind::checker;  // a plane under the container
    double sea_level = 0;                  // m, along up, of FloorKind::sea
    Rgb floor_color{0.60F, 0.58F, 0.55F};  // part of the light that it sends back; the brighter squares of a checker
};

}  // namespace spindrift
