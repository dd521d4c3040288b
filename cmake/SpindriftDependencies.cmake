# SPDX-License-Identifier: Apache-2.0
# The libraries of others, each as one target.  tools/install_deps.sh installs them.

# Makes an imported target of a header and a library that bring no CMake files of their own.
function(spindrift_import TARGET HEADER LIBRARY)
    cmake_parse_arguments(PARSE_ARGV 3 arg "OPTIONAL" "" "SUFFIXES")
    string(MAKE_C_IDENTIFIER ${TARGET} id)
    find_path(${id}_INCLUDE ${HEADER} PATH_SUFFIXES ${arg_SUFFIXES})
    find_library(${id}_LIBRARY ${LIBRARY})
    mark_as_advanced(${id}_INCLUDE ${id}_LIBRARY)
    if(${id}_INCLUDE AND ${id}_LIBRARY)
        add_library(${TARGET} UNKNOWN IMPORTED GLOBAL)
        set_target_properties(
            ${TARGET} PROPERTIES IMPORTED_LOCATION ${${id}_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${${id}_INCLUDE}
        )
    elseif(NOT arg_OPTIONAL)
        message(FATAL_ERROR "${HEADER} or lib${LIBRARY} not found: run 'make deps'")
    endif()
endfunction()

# Threads: oneTBB, or plain std::thread where oneTBB misleads the thread sanitizer.
find_package(Threads REQUIRED)
find_package(TBB CONFIG REQUIRED)
add_library(spindrift_threads INTERFACE)
if(SPINDRIFT_THREADS STREQUAL "tbb")
    target_link_libraries(spindrift_threads INTERFACE TBB::tbb)
elseif(SPINDRIFT_THREADS STREQUAL "std")
    target_link_libraries(spindrift_threads INTERFACE Threads::Threads)
    target_compile_definitions(spindrift_flags INTERFACE SPINDRIFT_THREADS_STD=1)
else()
    message(FATAL_ERROR "SPINDRIFT_THREADS is '${SPINDRIFT_THREADS}'; it takes tbb or std")
endif()

# Text, log, command line, JSON, hashes.
find_package(fmt CONFIG REQUIRED)
find_package(spdlog CONFIG REQUIRED)
find_package(CLI11 CONFIG REQUIRED)
find_package(nlohmann_json CONFIG REQUIRED)
spindrift_import(xxHash::xxhash xxhash.h xxhash)

# Scene files; the compiled library, as its header alone takes seconds in every file.
spindrift_import(tomlplusplus::tomlplusplus toml++/toml.h tomlplusplus)
set_target_properties(
    tomlplusplus::tomlplusplus PROPERTIES INTERFACE_COMPILE_DEFINITIONS "TOML_HEADER_ONLY=0;TOML_SHARED_LIB=1"
)

# Fourier solves.
set(SPINDRIFT_FFTW_TARGET "")
if(SPINDRIFT_FFTW)
    spindrift_import(FFTW::fftw3f fftw3.h fftw3f)
    target_compile_definitions(spindrift_flags INTERFACE SPINDRIFT_HAVE_FFTW=1)
    set(SPINDRIFT_FFTW_TARGET FFTW::fftw3f)
endif()

# OpenVDB's find module lies in a folder of its own; what it needs is found first, by their own CMake files.
block()
    file(GLOB openvdb_modules /usr/lib/*/cmake/OpenVDB /usr/lib/cmake/OpenVDB /usr/local/lib*/cmake/OpenVDB)
    list(APPEND CMAKE_MODULE_PATH ${openvdb_modules})
    set(CMAKE_FIND_PACKAGE_PREFER_CONFIG ON)
    find_package(OpenEXR CONFIG REQUIRED)
    find_package(OpenVDB REQUIRED)
endblock()

# Checkpoints.  Debian keeps the serial library beside those for MPI under a name of its own; elsewhere it is just hdf5.
find_library(HDF5_SERIAL hdf5_serial)
mark_as_advanced(HDF5_SERIAL)
if(HDF5_SERIAL)
    spindrift_import(HDF5::hdf5 hdf5.h hdf5_serial SUFFIXES hdf5/serial)
else()
    spindrift_import(HDF5::hdf5 hdf5.h hdf5)
endif()

# Pictures.
find_package(PNG REQUIRED)

# Multigrid of hypre over MPI, for comparison only.
if(NOT SPINDRIFT_HYPRE STREQUAL "OFF" AND EXISTS ${PROJECT_SOURCE_DIR}/bench/hypre)
    spindrift_import(HYPRE::HYPRE HYPRE.h HYPRE SUFFIXES hypre OPTIONAL)
    find_package(MPI QUIET COMPONENTS CXX)
    if(TARGET HYPRE::HYPRE AND TARGET MPI::MPI_CXX)
        target_link_libraries(HYPRE::HYPRE INTERFACE MPI::MPI_CXX)
        target_compile_definitions(HYPRE::HYPRE INTERFACE SPINDRIFT_HAVE_HYPRE=1 OMPI_SKIP_MPICXX=1)
    elseif(SPINDRIFT_HYPRE STREQUAL "ON")
        message(FATAL_ERROR "hypre or MPI not found: run 'make deps-optional'")
    endif()
endif()

if(SPINDRIFT_TESTS)
    find_package(GTest CONFIG REQUIRED)
    find_package(rapidcheck CONFIG REQUIRED)
    find_package(Python3 REQUIRED COMPONENTS Interpreter)
    # pyopenvdb and h5py are packages of the system's Python, which need not be the first one found.
    find_program(SPINDRIFT_SYSTEM_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
    if(NOT SPINDRIFT_SYSTEM_PYTHON)
        set(SPINDRIFT_SYSTEM_PYTHON ${Python3_EXECUTABLE})
    endif()
endif()
