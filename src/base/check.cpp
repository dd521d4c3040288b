// SPDX-License-Identifier: Apache-2.0
#include "base/check.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace spindrift {
namespace {

std::function<std::string()>& failure_context() {
    static std::function<std::string()> describe;
    return describe;
}

}  // namespace

std::function<std::string()> set_failure_context(std::function<std::string()> describe) {
    return std::exchange(failure_context(), std::move(describe));
}

void check_failed(const char* file, int line, const char* condition, const std::string& message) {
    std::string text = fmt::format("{}:{}: this must hold and does not: {}\n    {}\n", file, line, condition, message);
    if (failure_context()) text += fmt::format("    {}\n", failure_context()());
    std::fputs(text.c_str(), stderr);
    std::abort();
}

}  // namespace spindrift
