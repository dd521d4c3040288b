// SPDX-License-Identifier: Apache-2.0
#include "base/readable.h"

#include <gtest/gtest.h>

namespace spindrift {
namespace {

TEST(Readable, Bytes) {
    EXPECT_EQ(bytes_text(0), "0 B");
    EXPECT_EQ(bytes_text(1536), "1.5 KiB");
    EXPECT_EQ(bytes_text(200.0 * 1024 * 1024), "200 MiB");
    EXPECT_EQ(bytes_text(1000.0 * 1024 * 1024), "1.0 GiB") << "never four digits";
}

TEST(Readable, Durations) {
    EXPECT_EQ(duration_text(0.25), "0.25 s");
    EXPECT_EQ(duration_text(3.21), "3.2 s");
    EXPECT_EQ(duration_text(59.7), "1 min 0 s");
    EXPECT_EQ(duration_text(7500), "2 h 5 min");
}

TEST(Readable, Counts) {
    EXPECT_EQ(count_text(1, "warning"), "1 warning");
    EXPECT_EQ(count_text(0, "warning"), "0 warnings");
    EXPECT_EQ(rounded_text(4.75), "5");
    EXPECT_EQ(rounded_text(1216), "1216");
    EXPECT_EQ(rounded_text(24900), "25 thousand");
    EXPECT_EQ(rounded_text(999900), "1.0 million");
    EXPECT_EQ(rounded_text(67108864), "67 million");
}

}  // namespace
}  // namespace spindrift
