# SPDX-License-Identifier: Apache-2.0
# How every file of Spindrift is compiled: the target spindrift_flags.

set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)

find_program(SPINDRIFT_CCACHE ccache)
mark_as_advanced(SPINDRIFT_CCACHE)
if(SPINDRIFT_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${SPINDRIFT_CCACHE})
endif()

add_library(spindrift_flags INTERFACE)
set(CMAKE_CXX_EXTENSIONS OFF)
target_compile_features(spindrift_flags INTERFACE cxx_std_20)
target_compile_definitions(spindrift_flags INTERFACE SPINDRIFT_VERSION="${PROJECT_VERSION}")

# Same bits on every machine: no fused multiply-add behind our back and nothing of -ffast-math.  Giving up errno and
# floating-point traps changes no value; it lets loops with sqrt and with branches become vector code.
target_compile_options(spindrift_flags INTERFACE -ffp-contract=off -fno-math-errno -fno-trapping-math)

# A baseline for all; kernels are also compiled for AVX2 and chosen at run time (base/simd.h), where the compiler can.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    target_compile_options(spindrift_flags INTERFACE -march=x86-64-v2)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT SPINDRIFT_SANITIZE)
        target_compile_definitions(spindrift_flags INTERFACE SPINDRIFT_MULTIVERSION=1)
    endif()
endif()

target_compile_options(spindrift_flags INTERFACE -Wall -Wextra -Wshadow -Wconversion)
if(SPINDRIFT_WERROR)
    target_compile_options(spindrift_flags INTERFACE -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(spindrift_flags INTERFACE -Wno-psabi)  # notes on vectors passed between inlined functions
    if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
        target_compile_options(spindrift_flags INTERFACE -Wno-restrict)  # false alarms on std::string, GCC bug 105651
    endif()
endif()

# NDEBUG is left to other people's headers; our own checks hang on this alone.
if(SPINDRIFT_DCHECK)
    target_compile_definitions(spindrift_flags INTERFACE SPINDRIFT_DCHECK=1 _GLIBCXX_ASSERTIONS)
endif()

if(SPINDRIFT_SANITIZE)
    if(NOT SPINDRIFT_SANITIZE MATCHES "^(address|undefined|address,undefined|thread)$")
        set(known "address, undefined, both as address,undefined, or thread")
        message(FATAL_ERROR "SPINDRIFT_SANITIZE is '${SPINDRIFT_SANITIZE}'; it takes ${known}")
    endif()
    target_compile_options(
        spindrift_flags INTERFACE -fsanitize=${SPINDRIFT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
    )
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        # Instrumented code defeats the analysis behind -Wmaybe-uninitialized.
        target_compile_options(spindrift_flags INTERFACE -Wno-maybe-uninitialized)
    else()
        # clang reports the marked pointers of TBB's hash maps, inside headers of OpenVDB.
        target_compile_options(spindrift_flags INTERFACE -fno-sanitize=alignment)
    endif()
    target_link_options(spindrift_flags INTERFACE -fsanitize=${SPINDRIFT_SANITIZE})
endif()
