// SPDX-License-Identifier: Apache-2.0
// One source of a kernel for several instruction sets, chosen when the program runs.
//
// The program is built for x86-64-v2.  Kernels stand in files x.inl with no includes of their own, written in rows of
// eight floats (rows.inl).  A .cpp includes what they need, then
//
//   #define SPINDRIFT_KERNEL_FILE "linear/tile_vectors.inl"
//   #include "base/each_instruction_set.h"
//
// which compiles the file once for each set, in namespaces spindrift::baseline and spindrift::avx2, and calls them
// through
//
//   SPINDRIFT_PICK(dot_rows)(a, b, size);
//
// Rows have eight lanes on every set and contraction is off, so all sets give the same bits; tests hold that.
#pragma once

namespace spindrift {

// Floats in a row: the side of a tile.
constexpr int kRow = 8;

enum class InstructionSet { baseline, avx2 };

// What kernels use: the best the machine has, unless told otherwise.
InstructionSet instruction_set();
// Returns what is in force: the machine's best if it has not what was asked for.
InstructionSet set_instruction_set(InstructionSet wanted);
const char* name(InstructionSet set);

}  // namespace spindrift

#if SPINDRIFT_MULTIVERSION && defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define SPINDRIFT_HAS_AVX2_KERNELS 1
#define SPINDRIFT_PICK(...)                                                                               \
    (::spindrift::instruction_set() == ::spindrift::InstructionSet::avx2 ? ::spindrift::avx2::__VA_ARGS__ \
                                                                         : ::spindrift::baseline::__VA_ARGS__)
#else
#define SPINDRIFT_HAS_AVX2_KERNELS 0
#define SPINDRIFT_PICK(...) (::spindrift::baseline::__VA_ARGS__)
#endif

#define SPINDRIFT_INLINE inline __attribute__((always_inline))
// Everything a kernel calls is compiled into it.
#define SPINDRIFT_KERNEL __attribute__((flatten))
