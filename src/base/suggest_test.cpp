// SPDX-License-Identifier: Apache-2.0
#include "base/suggest.h"

#include <gtest/gtest.h>

namespace spindrift {
namespace {

const std::vector<std::string> kVerbs{"bench", "check", "run", "render"};

TEST(Suggest, FindsTheWordMeant) {
    EXPECT_EQ(nearest("bnech", kVerbs), "bench");  // neighbours swapped
    EXPECT_EQ(nearest("chek", kVerbs), "check");
    EXPECT_EQ(nearest("rnu", kVerbs), "run");
    EXPECT_EQ(nearest("renders", kVerbs), "render");
}

TEST(Suggest, KnowsWhatOthersCallIt) {
    EXPECT_EQ(nearest("simulate", kVerbs), "run");
    EXPECT_EQ(nearest("cube", {"box", "sphere"}), "box");
    EXPECT_EQ(nearest("cube", {"sphere", "cylinder"}), "");  // only words that would be right
    EXPECT_EQ(nearest("closed", {"slip", "no-slip", "open"}), "slip");
    EXPECT_EQ(nearest("obstacle", {"liquid", "solid"}), "solid");
    EXPECT_EQ(nearest("diameter", {"center", "radius"}), "radius");
}

TEST(Suggest, IsSilentWhenNoneIsNear) {
    EXPECT_EQ(nearest("animate", kVerbs), "");
    EXPECT_EQ(nearest("", kVerbs), "");
    EXPECT_EQ(nearest(std::string(100000, 'r'), kVerbs), "");
    EXPECT_EQ(nearest("run", {}), "");
}

TEST(Suggest, SaysWhatThereIs) {
    EXPECT_EQ(text(unknown_word("command", "bnech", kVerbs)),
              "there is no command 'bnech'; did you mean 'bench'?\n    there are: bench, check, run, render");
    EXPECT_EQ(text(unknown_word("command", "animate", kVerbs)),
              "there is no command 'animate'\n    there are: bench, check, run, render");
}

}  // namespace
}  // namespace spindrift
