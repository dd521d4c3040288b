// SPDX-License-Identifier: Apache-2.0
#include "session/frame_faults.h"

#include <cmath>

#include <fmt/core.h>

namespace spindrift {
namespace {

// A drift that can be seen.
constexpr double kVolumeDrift = 0.05;
// The same for the amount of a substance, which advection keeps but for what finds no place within the bounds of
// values.
constexpr double kAmountDrift = 0.02;
// ... and from this part of the volume on, that there is no room for what flows in.
constexpr double kOverflow = 0.001;
// Likewise of what is lost.
constexpr double kLost = 0.001;

}  // namespace

std::vector<std::string> FrameFaults::found(const FrameProgress& done, const FrameRecord& record,
                                            double plausible_speed) {
    std::vector<std::string> faults;
    if (done.unconverged > 0)
        faults.push_back(fmt::format("{} of {} pressure solves did not converge", done.unconverged, done.steps));
    if (std::abs(record.report.volume_error) > drift_told_ + kVolumeDrift) {
        drift_told_ = std::abs(record.report.volume_error);
        faults.push_back(fmt::format("the volume is off by {:.1f} %", 100 * record.report.volume_error));
    }
    if (record.report.lost > kLost * record.report.volume && !lost_told_) {
        lost_told_ = true;
        faults.push_back(fmt::format(
            "{:.3g} m³ (m² in 2D) of liquid became thinner than the grid can hold and are lost: finer cells keep "
            "them; \"lost\" of each frame says how much it has become",
            record.report.lost));
    }
    for (const SubstanceAmount& a : record.amounts) {
        double& told = amount_drift_told_[a.name];
        if (!(std::abs(a.error) > told + kAmountDrift)) continue;
        told = std::abs(a.error);
        faults.push_back(
            record.report.volume > 0
                ? fmt::format("the volume of {} is off by {:+.1f} % of all; finer cells keep it better", a.name,
                              100 * a.error)
                : fmt::format("the amount of {} is off by {:+.1f} % of its largest; shorter steps (gas.cfl) keep it "
                              "better",
                              a.name, 100 * a.error));
    }
    if (record.report.overflowed > 0 && record.report.overflowed > kOverflow * record.report.volume &&
        !overflow_told_) {
        overflow_told_ = true;
        faults.push_back(fmt::format(
            "full: {:.3g} m³ (m² in 2D) that flowed in found no room and are left out; \"overflow\" of each frame "
            "says how much it has become",
            record.report.overflowed));
    }
    if (record.report.max_speed > plausible_speed && !speed_told_) {
        speed_told_ = true;
        faults.push_back(fmt::format(
            "something moves at {:.3g} m/s, faster than anything in the scene explains ({:.3g} m/s): see its "
            "forces, sources and vorticity; the report says in which frames",
            record.report.max_speed, plausible_speed));
    }
    return faults;
}

}  // namespace spindrift
