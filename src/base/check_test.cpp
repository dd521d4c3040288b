// SPDX-License-Identifier: Apache-2.0
#include "base/check.h"

#include <string>

#include <gtest/gtest.h>

namespace spindrift {
namespace {

class CheckDeathTest : public testing::Test {
  protected:
    CheckDeathTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(CheckDeathTest, SaysWhereWhatAndWhy) {
    const int left = 3, right = 4;
    EXPECT_DEATH(CHECK(left == right, "sizes differ: {} and {}", left, right),
                 "check_test\\.cpp:[0-9]+: .*: left == right\n    sizes differ: 3 and 4\n");
}

TEST_F(CheckDeathTest, SaysWhatTheProgramWasDoing) {
    EXPECT_DEATH(
        {
            set_failure_context([] { return std::string("scene dam.toml, frame 12, step 34"); });
            CHECK(false, "no");
        },
        "    no\n    scene dam.toml, frame 12, step 34\n");
}

TEST_F(CheckDeathTest, ContextCanBeTakenBack) {
    EXPECT_DEATH(
        {
            const auto before = set_failure_context([] { return std::string("inner"); });
            set_failure_context(before);
            CHECK(false, "no");
        },
        "    no\n$");
}

TEST(Check, HasNoEffectWhenItHolds) {
    int evaluated = 0;
    CHECK(++evaluated == 1, "must hold");
    EXPECT_EQ(evaluated, 1);

    // One statement: an else below belongs to the outer if.
    bool otherwise = false;
    if (evaluated == 2)
        CHECK(true, "never here");
    else
        otherwise = true;
    EXPECT_TRUE(otherwise);
}

TEST(Check, MessageIsNotMadeWhenItHolds) {
    const auto costly = []() -> int { throw std::string("made"); };
    EXPECT_NO_THROW(CHECK(true, "{}", costly()));
}

#if SPINDRIFT_DCHECK
TEST_F(CheckDeathTest, DcheckChecksInThisBuild) {
    EXPECT_DEATH(DCHECK(1 + 1 == 3, "sum is {}", 2), "1 \\+ 1 == 3\n    sum is 2\n");
}
#else
TEST(Dcheck, IsNotEvenEvaluatedInThisBuild) {
    int evaluated = 0;
    DCHECK(++evaluated == 5, "never asked");
    EXPECT_EQ(evaluated, 0);
}
#endif

}  // namespace
}  // namespace spindrift
