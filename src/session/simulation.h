// SPDX-License-Identifier: Apache-2.0
// What a run needs of a simulation, whatever flows in it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "io/snapshot.h"
#include "products/frame_output.h"
#include "schemes/step_report.h"
#include "session/field_view.h"
#include "session/substance_amount.h"

namespace spindrift {

class Simulation {
  public:
    virtual ~Simulation() = default;

    virtual double time() const = 0;  // s
    // The longest step that is safe from here, s; it may be infinite.  Depends on the state alone.
    virtual double stable_dt() const = 0;
    // What makes it so short: "the speed of the liquid"; empty when nothing does.
    virtual std::string step_limit() const = 0;
    // When the report holds a failure the state is no longer usable until go_back() or load().
    virtual StepReport advance(double dt) = 0;
    // What a step would report of the state as it is.
    virtual StepReport measures() const = 0;

    // Whether show() reaches times between steps.  If not, a step must end at each frame.
    virtual bool shows_between_steps() const { return false; }
    // Makes outputs() and fields() those of `time`, which lies less than a step ahead of the state; the state itself
    // stays as it is.  Holds until the next keep().  Returns what it measures there.
    virtual StepReport show(double /*time*/) { return measures(); }

    // The fields of the state, or of what show() has made of it, with unit and meaning.
    virtual std::vector<FieldView> fields() const = 0;
    // Signed distance to the solids at this time, m, negative inside; empty when there are none.
    virtual std::function<double(const Vec<double, 3>&)> solid_distance() const { return {}; }

    virtual std::size_t particle_count() const { return 0; }
    // A gas has none.
    virtual bool has_volume() const { return true; }
    // Of the substances of a gas.
    virtual std::vector<SubstanceAmount> amounts() const { return {}; }

    // Remembers the state; returns to the one remembered last.
    virtual void keep() = 0;
    virtual void go_back() = 0;

    // The complete state: two simulations of a scene with the same snapshot go on the same way.
    virtual Snapshot snapshot() const = 0;
    virtual Result<void> load(const Snapshot& snapshot) = 0;

    virtual std::vector<FrameOutput> outputs() const = 0;
};

}  // namespace spindrift
