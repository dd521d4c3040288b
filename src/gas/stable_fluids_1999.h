// SPDX-License-Identifier: Apache-2.0
// The method "stable-fluids-1999": Stam's gas [Stam99], and with its sharper options the method "gas".
//
//   ∇·u = 0,   u_t = −(u·∇)u − ∇p/ρ + ν∇²u + f           a_t = −u·∇a + κ∇²a − α a + S  for each substance
//
// Each term is taken alone, by a step that no dt makes unstable.  Velocity sits on faces, not at centres as in the
// paper: its divergence and the pressure's gradient then use nearest neighbours, and no checkerboard escapes them.
#pragma once

#include <memory>

#include "gas/state.h"
#include "gas/world.h"
#include "schemes/step_report.h"

namespace spindrift {

template <int Dim>
class StableFluids1999 {
  public:
    StableFluids1999(GasWorld<Dim> world, GasSettings settings);
    ~StableFluids1999();
    StableFluids1999(StableFluids1999&&) noexcept;

    GasState<Dim> initial_state() const;

    // The longest step within the CFL limit of the settings, s; infinite when there is none or nothing moves.
    double stable_dt(const GasState<Dim>& gas) const;

    StepReport step(GasState<Dim>& gas, double dt);

    // After the velocity has been changed from outside: a step takes it to have no divergence.
    void take_out_divergence(GasState<Dim>& gas) const;
    // After substances have been changed from outside: a step keeps their amounts.
    void recount(GasState<Dim>& gas) const;

    const GasWorld<Dim>& world() const;
    const GasSettings& settings() const;

    // Forces and sources may be added and changed between steps.
    std::vector<Force<Dim>>& forces();
    std::vector<GasSource<Dim>>& sources();

  private:
    struct Work;
    std::unique_ptr<Work> work_;
};

extern template class StableFluids1999<2>;
extern template class StableFluids1999<3>;

}  // namespace spindrift
