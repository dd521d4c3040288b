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

}  // namespace
}  // namespace spindrift
