#!/usr/bin/env bash
#===- demo.sh - The Layout-B round trip, compiled and run -------------------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
# Compiles examples/roundtrip.mlir for sm_100a and shows what each warp executes:
# one tcgen05.st and one tcgen05.ld. Then runs it on the emulator and compares
# every element, and runs a broken copy, whose fault has to be found. Fails when
# it finds anything else.
#
#===------------------------------------------------------------------------===#

set -euo pipefail
export LC_ALL=C.UTF-8
unset CDPATH

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
build=${TMEM_BUILD_DIR:-$root/build}
export TMEM_PTXAS=${TMEM_PTXAS:-$(command -v ptxas || true)}
nvdisasm=${TMEM_NVDISASM:-$(command -v nvdisasm || true)}
chip=sm_100a
example=$root/examples/roundtrip.mlir
out=$build/demo/roundtrip

fail() {
  printf '\ndemo: error: %s\n' "$*" >&2
  exit 1
}

heading() {
  if [[ -t 1 && -z ${NO_COLOR:-} ]]; then
    printf '\n\e[1m%s\e[0m\n' "$*"
  else
    printf '\n%s\n' "$*"
  fi
}

# compile FORMAT OUTPUT [OPTION...]: leaves what the gpu.binary operation holds in
# OUTPUT, and its IR in OUTPUT.mlir.
compile() {
  local format=$1 output=$2
  shift 2
  "$build/bin/tmem-opt" "$example" -o "$output.mlir" --pass-pipeline="\
builtin.module(tmem-to-cubin{chip=$chip format=$format})" ||
    fail "tmem-opt could not compile $example"
  python3 "$root/utils/ptx-of.py" "$output.mlir" "$@" -o "$output" ||
    fail "no $format in $output.mlir"
}

# expect_one NAME REGEX FILE: one line of the file matches.
expect_one() {
  local count
  count=$(grep -cE -- "$2" "$3" || true)
  ((count == 1)) || fail "expected one $1, but got $count in $3"
}

# resource NAME: what ptxas reported of the kernel.
resource() {
  local value
  value=$(sed -n "s/.*\b$1 = \([0-9]*\) : i64.*/\1/p" "$out.cubin.mlir")
  [[ -n $value ]] || fail "no $1 in $out.cubin.mlir"
  printf '%s\n' "$value"
}

show_ir() {
  heading "IR, verified: the atom moves this tile to and from these registers"
  "$build/bin/tmem-opt" "$example" -o "$out.ir.mlir" ||
    fail "$example does not verify"
  expect_one tmem.store '\btmem\.store ' "$out.ir.mlir"
  expect_one tmem.load '\btmem\.load ' "$out.ir.mlir"
  sed -nE -e 's/^([#!](layout|view) = )/  \1/p' \
    -e 's/^.*= (tmem\.(store|load) .*) : .*/  \1/p' "$out.ir.mlir"
}

show_ptx() {
  heading "PTX, checked: no register is used between its load and the wait"
  compile isa "$out.ptx"
  "$build/bin/tmem-ptx-lint" "$out.ptx" || fail "$out.ptx is not clean"
  expect_one tcgen05.st '^\s*tcgen05\.st\.' "$out.ptx"
  expect_one tcgen05.ld '^\s*tcgen05\.ld\.' "$out.ptx"
  "$build/bin/tmem-ptx-lint" --summary "$out.ptx" | grep '^  '
}

show_sass() {
  [[ -n $TMEM_PTXAS ]] || fail "no ptxas: set TMEM_PTXAS to its path"
  heading "SASS, as ptxas $(sed -n 's/.*\bV\([0-9.]*\)$/\1/p' \
    <("$TMEM_PTXAS" --version)) assembles it: the TMEM accesses of each warp"
  compile bin "$out.cubin" --cubin
  [[ -n $nvdisasm ]] || fail "no nvdisasm: set TMEM_NVDISASM to its path"
  "$nvdisasm" -c "$out.cubin" >"$out.sass" ||
    fail "nvdisasm could not read $out.cubin"
  expect_one STTM '\bSTTM\b' "$out.sass"
  expect_one LDTM '\bLDTM\b' "$out.sass"
  sed -nE 's,^.*\*/ *(.*\b(STTM|LDTM)\b.*) ;.*,  \1,p' "$out.sass"
}

show_result() {
  local registers stores loads
  registers=$(resource registers)
  stores=$(resource spill_stores)
  loads=$(resource spill_loads)
  heading "1 store and 1 load per warp"
  printf '  %s registers per thread, %s bytes spilled, a cubin of %s bytes\n' \
    "$registers" "$((stores + loads))" "$(wc -c <"$out.cubin")"
  printf '  %s.{ptx,cubin,sass}\n' "${out#"$root"/}"
}

# llvm_tool NAME: where Debian, or PATH, has a tool of LLVM 22.
llvm_tool() {
  local prefix
  prefix=$(llvm-config-22 --bindir 2>/dev/null || true)
  PATH=$prefix:$PATH command -v "$1" || fail "no $1: set PATH to LLVM 22.1's"
}

# emulate SOURCE: compiles it for the CPU and runs it through stock mlir-runner.
emulate() {
  local runner
  runner=$(llvm_tool mlir-runner)
  "$build/bin/tmem-opt" "$1" --pass-pipeline='builtin.module(tmem-emulate)' |
    "$runner" -O2 -e main --entry-point-result=i32 --shared-libs="\
$build/lib/libtmem_emulation_runtime.so,\
$(dirname -- "$runner")/../lib/libmlir_c_runner_utils.so"
}

show_run() {
  heading "Run, on the emulator"
  emulate "$example" >"$out.run" || fail "the example did not run clean"
  expect_one "comparison without a difference" \
    '^8192 floats compared, wrong: 0$' "$out.run"
  sed -n 's/^8192/  &/p' "$out.run"
}

# The last barrier keeps Tensor Memory allocated until every warp has read it.
show_fault() {
  local broken=${out#"$root"/}-broken.mlir
  heading "The same without its last barrier"
  awk '{ line[NR] = $0 } /gpu\.barrier/ { last = NR }
    END { for (n = 1; n <= NR; n++) if (n != last) print line[n] }' \
    "$example" >"$out-broken.mlir"
  if (cd "$root" && emulate "$broken" >"$out.run" 2>"$out.fault"); then
    fail "the emulator found no fault in $out-broken.mlir"
  fi
  expect_one fault ': error: ' "$out.fault"
  fold -s -w 78 "$out.fault" | sed 's/^/  /'
}

for tool in tmem-opt tmem-ptx-lint; do
  [[ -x $build/bin/$tool ]] ||
    fail "no $build/bin/$tool: utils/bootstrap.sh demo builds it"
done
mkdir -p -- "$build/demo"
rm -f -- "$out".*
printf 'Layout B: a 64x128 f32 accumulator to Tensor Memory and back, for %s\n' \
  "$chip"
show_ir
show_ptx
show_sass
show_result
show_run
show_fault
