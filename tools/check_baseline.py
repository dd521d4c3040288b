#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails if code outside the AVX2 kernels uses instructions that a plain x86-64-v2 machine does not have.

The program must start on any such machine; only functions in the namespace spindrift::avx2, which it calls after asking the
machine, may be wider.  Usage: check_baseline.py PROGRAM
"""
import re
import subprocess
import sys

# Wide registers, or any instruction of the AVX kind: all begin with v, and little else does.
WIDE = re.compile(r"%[yz]mm\d|^\s*[0-9a-f]+:\s+v(?!err|erw|mcall|mmcall)[a-z]")
FUNCTION = re.compile(r"^[0-9a-f]+ <(.*)>:$")


def main(program: str) -> int:
    listing = subprocess.run(
        ["objdump", "--disassemble", "--demangle", "--no-show-raw-insn", program],
        check=True, capture_output=True, text=True,
    ).stdout
    function, faults, wide_kernels = "", {}, set()
    for line in listing.splitlines():
        if found := FUNCTION.match(line):
            function = found.group(1)
        elif WIDE.search(line):
            if "spindrift::avx2::" in function:
                wide_kernels.add(function)
            else:
                faults.setdefault(function, line.strip())
    for name, line in faults.items():
        print(f"{program}: {name} uses AVX outside spindrift::avx2: {line}")
    if not wide_kernels:
        print(f"{program}: has no AVX2 kernels at all")
        return 1
    print(f"{len(wide_kernels)} AVX2 kernels, {len(faults)} functions that should not use AVX")
    return 1 if faults else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: check_baseline.py PROGRAM")
    sys.exit(main(sys.argv[1]))
