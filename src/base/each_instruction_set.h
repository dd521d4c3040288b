// SPDX-License-Identifier: Apache-2.0
// Compiles SPINDRIFT_KERNEL_FILE once per instruction set.  See simd.h.  Meant to be included more than once.
#include "base/simd.h"

// Rows are passed by value only between functions that are inlined: how they would cross a call does not matter.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

namespace spindrift::baseline {
namespace {
#include "base/rows.inl"
#include SPINDRIFT_KERNEL_FILE
}  // namespace
}  // namespace spindrift::baseline

#if SPINDRIFT_HAS_AVX2_KERNELS
#pragma GCC push_options
#pragma GCC target("arch=x86-64-v3")
namespace spindrift::avx2 {
namespace {
#include "base/rows.inl"
#include SPINDRIFT_KERNEL_FILE
}  // namespace
}  // namespace spindrift::avx2
#pragma GCC pop_options
#endif

#pragma GCC diagnostic pop
#undef SPINDRIFT_KERNEL_FILE
