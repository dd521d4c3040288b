// SPDX-License-Identifier: Apache-2.0
// A picture of a 2D liquid: filled shapes, and over the liquid its speed or pressure in colours with a legend.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grid/field.h"
#include "grid/transform.h"
#include "render/drop.h"
#include "render/image.h"

namespace spindrift {

enum class FlatOverlay { none, velocity, pressure };

struct FlatView {
    const Field<float, 2>* phi = nullptr;  // m, negative in the liquid; all fields must outlive the view
    GridTransform<2> grid;
    Box<double, 2> container;                                       // m; y is up in the picture
    Box<double, 2> shown{};                                         // m, of the world; empty: the container
    std::function<double(const Vec<double, 2>&)> solid_distance{};  // m; empty when there are none; thread-safe

    // Of a mixture, besides the first: the part each has in the liquid's volume, known a few cells beyond it.
    struct Component {
        const Field<float, 2>* part = nullptr;
        Rgb color{};
    };
    std::vector<Component> components{};

    std::vector<Drop<2>> drops{};  // of spray; those beyond the container are left out

    FlatOverlay overlay = FlatOverlay::none;
    const FaceField<2>* velocity = nullptr;     // m/s, for FlatOverlay::velocity: colours by speed, and arrows
    const Field<float, 2>* pressure = nullptr;  // for FlatOverlay::pressure: colours and contour lines
    float pressure_unit = 1;                    // Pa in a unit of the field: the density, where it holds p/ρ
    // First and last value of the colours; what is in the picture when not given.  A film should give them, as colours
    // else change their meaning from frame to frame.
    std::optional<Vec<float, 2>> range{};

    std::string caption{};  // in the upper left corner
    Rgb liquid_color = rgb_from_srgb8(46, 134, 193);
    Rgb solid_color = rgb_from_srgb8(125, 125, 130);
};

// Ready for a screen: linear, from 0 to 1.  The same bits on any number of threads.
Image render_flat(const FlatView& view, int width, int height);

}  // namespace spindrift
