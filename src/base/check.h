// SPDX-License-Identifier: Apache-2.0
// CHECK states what must hold at the edge of a module; DCHECK the same inside loops, in dev and sanitizer builds only.
// A failure is our own fault, never the user's: it says what, where and in which run, then stops the program.
//
//   CHECK(a.tiles() == b.tiles(), "dot: left lives on {}, right on {}", a.tiles(), b.tiles());
#pragma once

#include <functional>
#include <string>

#include <fmt/format.h>

namespace spindrift {

// What the program was doing (scene, frame, step, how to replay), asked for when a check fails.  Returns the one
// before.
std::function<std::string()> set_failure_context(std::function<std::string()> describe);

[[noreturn]] void check_failed(const char* file, int line, const char* condition, const std::string& message);

}  // namespace spindrift

#define CHECK(condition, ...)                                                                      \
    do {                                                                                           \
        if (!(condition)) [[unlikely]]                                                             \
            ::spindrift::check_failed(__FILE__, __LINE__, #condition, ::fmt::format(__VA_ARGS__)); \
    } while (false)

#if SPINDRIFT_DCHECK
#define DCHECK(condition, ...) CHECK(condition, __VA_ARGS__)
#else
#define DCHECK(condition, ...) \
    do {                       \
    } while (false && (condition))
#endif
