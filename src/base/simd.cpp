// SPDX-License-Identifier: Apache-2.0
#include "base/simd.h"

namespace spindrift {
namespace {

InstructionSet best_of_machine() {
#if SPINDRIFT_HAS_AVX2_KERNELS
    // The parts of x86-64-v3 that compilers use.
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
        __builtin_cpu_supports("bmi2"))
        return InstructionSet::avx2;
#endif
    return InstructionSet::baseline;
}

InstructionSet in_force = best_of_machine();

}  // namespace

InstructionSet instruction_set() { return in_force; }

InstructionSet set_instruction_set(InstructionSet wanted) {
    return in_force = wanted <= best_of_machine() ? wanted : best_of_machine();
}

const char* name(InstructionSet set) { return set == InstructionSet::avx2 ? "AVX2" : "x86-64-v2"; }

}  // namespace spindrift
