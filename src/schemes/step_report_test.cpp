// SPDX-License-Identifier: Apache-2.0
#include "schemes/step_report.h"

#include <limits>

#include <gtest/gtest.h>

namespace spindrift {
namespace {

TEST(StepReport, MergesSolvesOfOneKind) {
    SolveReport all{.converged = true};
    merge(all, {.converged = true, .iterations = 3, .residual = 1e-3, .seconds = 1});
    merge(all, {.converged = false, .iterations = 4, .residual = 1e-5, .seconds = 2, .failure = "first"});
    merge(all, {.converged = true, .iterations = 1, .residual = 1e-4, .failure = "second"});
    EXPECT_FALSE(all.converged);
    EXPECT_EQ(all.iterations, 8);
    EXPECT_EQ(all.residual, 1e-3);
    EXPECT_EQ(all.seconds, 3);
    EXPECT_EQ(all.failure, "first");
}

TEST(StepReport, ASolveThatDoesNotConvergeFailsTheStep) {
    EXPECT_EQ(failure_of({}), "");
    StepReport viscous, diffusing, extrapolating, broken;
    viscous.viscosity.converged = false;
    EXPECT_EQ(failure_of(viscous), "the viscosity solve did not converge");
    diffusing.diffusion.converged = false;
    EXPECT_EQ(failure_of(diffusing), "the diffusion solve did not converge");
    extrapolating.extrapolation.converged = false;
    EXPECT_EQ(failure_of(extrapolating), "") << "it need not be exact";
    extrapolating.extrapolation.failure = "the operator is not positive";
    EXPECT_EQ(failure_of(extrapolating), "extrapolation: the operator is not positive");
    broken.pressure = {.converged = false, .failure = "the right side is nan"};
    EXPECT_EQ(failure_of(broken), "pressure: the right side is nan");
    EXPECT_EQ(failure_of({.max_speed = std::numeric_limits<double>::infinity()}), "a velocity is not finite");
    EXPECT_EQ(failure_of({.failure = "said before"}), "said before");
}

}  // namespace
}  // namespace spindrift
