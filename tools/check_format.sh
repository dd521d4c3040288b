#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks that the C++ sources are formatted as .clang-format says; with --fix, formats them.
# Versions of clang-format differ in what they do, so any but 14 is passed over (exit code 77: skipped).
set -euo pipefail
cd "$(dirname "$0")/.."

clang_format=$(command -v clang-format-14 || command -v clang-format || true)
if [[ -z $clang_format ]]; then
    echo "clang-format is not installed: nothing checked"
    exit 77
fi
version=$("$clang_format" --version | sed -E 's/.*version ([0-9]+).*/\1/')
if [[ $version != 14 ]]; then
    echo "the format is that of clang-format 14, here is $version: nothing checked"
    exit 77
fi

folders=()
for folder in src bench apps tests bindings; do
    if [[ -d $folder ]]; then folders+=("$folder"); fi
done
if ((${#folders[@]} == 0)); then
    echo "no sources here" >&2
    exit 1
fi

mode=(--dry-run -Werror)
if [[ ${1-} == --fix ]]; then mode=(-i); fi
if ! find "${folders[@]}" \( -name '*.h' -o -name '*.inl' -o -name '*.cpp' \) -print0 |
    xargs -0 -r "$clang_format" --style=file "${mode[@]}"; then
    echo "to mend it: make format" >&2
    exit 1
fi
