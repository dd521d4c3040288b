#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian or Ubuntu packages that Spindrift is built with, where they are missing.
#   tools/install_deps.sh [--optional]     --optional: also what only some developers need
#   NO_INSTALL=1                           say what is missing, install nothing
set -euo pipefail

required="
g++                     the compiler
cmake                   configures the build
ninja-build             runs the build
make                    the front door, see the Makefile
git                     fetches and records the sources
ccache                  makes a second build quick
libtbb-dev              threads (oneTBB)
libfmt-dev              text
libspdlog-dev           log
libxxhash-dev           checksums and hashes of states
libfftw3-dev            Fourier solves (FFTW)
libopenvdb-dev          volumes on disk (OpenVDB)
libboost-dev            headers that OpenVDB needs
libboost-iostreams-dev  a library that OpenVDB needs
libimath-dev            half floats of OpenVDB and OpenEXR
libopenexr-dev          pictures (OpenEXR); brings zlib for OpenVDB
libopenvdb-tools        vdb_print, to read our volumes with a stock tool in tests
libhdf5-dev             checkpoints (HDF5)
libpng-dev              pictures (PNG)
ffmpeg                  makes films of pictures; ffprobe, which comes with it, checks them in tests
libcli11-dev            the command line
nlohmann-json3-dev      JSON
libtomlplusplus-dev     scene files (TOML with line and column of every value)
libgtest-dev            unit tests (GoogleTest)
librapidcheck-dev       property tests
clang-format            the format check
python3                 the source checks
python3-openvdb         pyopenvdb, to read our volumes in tests
python3-h5py            h5py, to read our checkpoints in tests
"

optional="
libhypre-dev            a multigrid to compare ours with
libopenmpi-dev          MPI, for hypre
openmpi-bin             mpirun, for hypre
clang-tidy              make tidy
valgrind                memory and cache profiles
"

table=$required
if [[ ${1-} == --optional ]]; then table+=$optional; fi
mapfile -t packages < <(awk 'NF { print $1 }' <<<"$table")

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    echo "This system has no apt.  Please install by hand what goes by these Debian names:"
    sed '/^$/d; s/^/  /' <<<"$table"
    exit 0
fi

# One call for all packages; those that are installed are marked "ii".
installed=$(dpkg-query -W -f='${db:Status-Abbrev} ${Package}\n' "${packages[@]}" 2>/dev/null |
    awk '$1 == "ii" { print $2 }' || true)
mapfile -t missing < <(grep -vxFf <(echo "$installed") < <(printf '%s\n' "${packages[@]}") || true)
if ((${#missing[@]} == 0)); then exit 0; fi

echo "Missing packages:"
for package in "${missing[@]}"; do awk -v p="$package" '$1 == p { print "  " $0 }' <<<"$table"; done

if [[ ${NO_INSTALL:-0} != 0 ]]; then
    echo "Not installed, because NO_INSTALL is set."
    exit 0
fi

as_root=()
if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
        echo "Neither root nor sudo here.  As root, run:  apt-get install ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi

echo "Installing them with apt-get."
apt_get() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 "$@"; }
apt_get update || echo "apt-get update failed; trying with the package lists that are here." >&2
if ! apt_get install -y --no-install-recommends "${missing[@]}" >/dev/null; then
    echo "apt-get could not install them.  To see why, run:  apt-get install ${missing[*]}" >&2
    exit 1
fi
