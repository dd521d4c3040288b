// SPDX-License-Identifier: Apache-2.0
// What a picture of a liquid shows.
#pragma once

#include <functional>
#include <vector>

#include "grid/field.h"
#include "grid/transform.h"
#include "render/drop.h"
#include "render/floor_kind.h"
#include "render/image.h"

namespace spindrift {

// How a liquid changes light.
struct LiquidLook {
    Rgb absorption{1.61F, 0.598F, 0.431F};  // 1/m
    float scattering = 0;                   // 1/m: 0 is clear
    Rgb scattering_color{};                 // part of the light that it sends back where nothing comes through
    Rgb emission{};                         // of liquid that is deep enough
    float reflectance = 0;                  // of a metal
};

struct LiquidView3 {
    // Of a mixture, besides the first.
    struct Component {
        LiquidLook look{};
        const Field<float, 3>* part = nullptr;  // of the liquid's volume, known a few cells beyond it; must outlive it
    };

    const Field<float, 3>* phi = nullptr;  // m, negative in the liquid; must outlive the view
    GridTransform<3> grid;
    Box<double, 3> container;  // m; liquid and solids beyond it are cut off

    // Signed distance to the solids, m, negative inside and nowhere farther from zero than the true distance; empty
    // when there are none.  It is called from many threads.
    std::function<double(const Vec<double, 3>&)> solid_distance{};

    // Out of a solid at a place on it: see SolidView.
    std::function<Vec<double, 3>(const Vec<double, 3>&)> solid_normal{};

    // Signed distance to solids of which panes of glass are drawn, m; empty when there are none.  The liquid must end
    // at them.
    std::function<double(const Vec<double, 3>&)> glass_distance{};

    std::vector<Drop<3>> drops{};  // of spray; those beyond the container are left out
    float shutter = 0;             // s: for so long they move while the picture is taken

    int up_axis = 1;                       // 1 (y) or 2 (z)
    LiquidLook look{};                     // of the liquid, or of the first one of a mixture
    std::vector<Component> components{};   // the others
    Rgb solid_color{0.62F, 0.45F, 0.33F};  // part of the light that solids send back
    FloorKind floor = FloorKind::checker;  // a plane under the container
    double sea_level = 0;                  // m, along up, of FloorKind::sea
    Rgb floor_color{0.60F, 0.58F, 0.55F};  // part of the light that it sends back; the brighter squares of a checker
    bool draw_container = true;            // its edges, and a hint of its panes
};

}  // namespace spindrift
