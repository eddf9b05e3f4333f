#!/usr/bin/env bash
#===- bootstrap.sh - Set up, build, test and demonstrate tmem-mlir ---------===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#

set -euo pipefail
export LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive
unset CDPATH

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
build=${TMEM_BUILD_DIR:-$root/build}

packages=(clang-22 clang-format-22 lld-22 llvm-22-dev llvm-22-tools
          libmlir-22-dev mlir-22-tools
          cmake ninja-build libboost-context-dev libgtest-dev
          libgmock-dev libbenchmark-dev python3 python3-venv)
# The tests look at pages in a browser, and use the language server in an editor.
check_packages=(chromium chromium-driver fonts-dejavu-core neovim python3-dev)
demo_targets=(tmem-explain tmem-opt tmem-ptx-lint tmem-run TMemPlugin)

usage() {
  cat <<'EOF'
usage: utils/bootstrap.sh COMMAND

  demo     build the tools and run the demonstration
  check    build everything and run every test
  build    build everything
  site     build the site of the documents, in site of the build directory
  --help   print this text

Each command installs what is missing first: Debian packages (as root), and
ptxas, nvdisasm and Python packages into virtual environments of the build
directory.

Environment:
  TMEM_BUILD_DIR    build directory, "build" in the source tree by default
  TMEM_PTXAS        ptxas, when it is not on PATH or under CUDA_HOME
  TMEM_PTXAS_NEXT   a second ptxas, 13.4 or later, for the tests that want one
  TMEM_NVDISASM     nvdisasm, likewise
EOF
}

say() { printf '==> %s\n' "$*" | tee -a "$log"; }

fail() {
  printf 'bootstrap: error: %s\n' "$1" >&2
  printf -- '--- the end of %s:\n' "$log" >&2
  tail -n 40 -- "$log" >&2
  exit 1
}

# logged COMMAND...: runs it quietly.
logged() {
  { printf '$'; printf ' %q' "$@"; printf '\n'; } >>"$log"
  "$@" >>"$log" 2>&1 </dev/null
}

. "$root/utils/lib/cuda-tools.sh"
. "$root/utils/lib/python-tools.sh"

#===- Debian packages -----------------------------------------------------===#

missing_packages() {
  local package
  for package in "${packages[@]}"; do
    dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null |
      grep -qx installed || printf '%s\n' "$package"
  done
}

install_packages() {
  local missing
  if ! command -v dpkg-query >/dev/null; then
    say "not a Debian system: expecting LLVM and MLIR 22.1 to be installed"
    return
  fi
  mapfile -t missing < <(missing_packages)
  ((${#missing[@]})) || return 0
  if ((EUID != 0)); then
    printf '%s\n' "bootstrap: error: packages are missing; run as root:" \
      "  apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 2
  fi
  say "installing ${missing[*]}"
  logged apt-get update -q || fail "apt-get update failed"
  logged apt-get install -y -q --no-install-recommends \
    -o DPkg::Lock::Timeout=300 "${missing[@]}" || fail "apt-get install failed"
}

#===- Building ------------------------------------------------------------===#

configure() {
  local args=(-S "$root" -B "$build" -G Ninja "-DTMEM_PTXAS=$TMEM_PTXAS"
              "-DTMEM_DEFAULT_PTXAS=$TMEM_PTXAS"
              "-DTMEM_NVDISASM=$TMEM_NVDISASM" "-DTMEM_PYTHON=${TMEM_PYTHON:-}")
  [[ -z ${TMEM_PTXAS_NEXT:-} ]] || args+=("-DTMEM_PTXAS_NEXT=$TMEM_PTXAS_NEXT")
  [[ -z ${TMEM_PYTHON:-} ]] ||
    args+=("-DTMEM_ENABLE_PYTHON=ON" "-DPython_EXECUTABLE=$TMEM_PYTHON")
  # A build directory that somebody configured otherwise stays as it is.
  if [[ ! -f $build/CMakeCache.txt ]]; then
    say "configuring"
    args+=(-DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER=clang-22
           -DCMAKE_CXX_COMPILER=clang++-22 -DLLVM_USE_LINKER=lld)
    if command -v llvm-config-22 >/dev/null; then
      args+=("-DCMAKE_PREFIX_PATH=$(llvm-config-22 --prefix)")
    fi
  fi
  if ! logged cmake "${args[@]}"; then
    [[ -f $build/build.ninja ]] || rm -f -- "$build/CMakeCache.txt"
    fail "cmake failed"
  fi
}

# As many jobs as there are processors, but 1.5 GB of memory for each.
job_count() {
  local cpus memory
  cpus=$(nproc)
  memory=$(awk '/^MemAvailable:/ {print int($2 / 1500000)}' /proc/meminfo) ||
    memory=$cpus
  ((memory >= cpus)) || cpus=$((memory > 0 ? memory : 1))
  printf '%s\n' "$cpus"
}

# Copies ninja's lines to the log and shows how far it is: in place on a
# terminal, else a line for every tenth.
show_progress() {
  local line count total tenth last=0
  while IFS= read -r line; do
    printf '%s\n' "$line" >>"$log"
    [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\ (.*) ]] || continue
    count=${BASH_REMATCH[1]} total=${BASH_REMATCH[2]}
    tenth=$((10 * count / total))
    if [[ -t 1 ]]; then
      printf '\r\e[K%.78s' "[$count/$total] ${BASH_REMATCH[3]}"
    elif ((tenth > last)); then
      printf '[%s/%s]\n' "$count" "$total"
    fi
    last=$tenth
  done
  [[ ! -t 1 ]] || printf '\r\e[K'
}

build_targets() {
  say "building $*"
  ninja -C "$build" -j "$(job_count)" "$@" 2>&1 </dev/null |
    show_progress || fail "the build failed"
}

#===- Commands ------------------------------------------------------------===#

prepare() {
  mkdir -p -- "$build"
  build=$(cd -- "$build" && pwd)
  log=$build/bootstrap.log
  : >"$log"
  install_packages
  provide_cuda_tools
}

command_build() {
  prepare
  configure
  build_targets all
}

command_demo() {
  prepare
  configure
  build_targets "${demo_targets[@]}"
  export TMEM_BUILD_DIR=$build
  exec bash "$root/utils/demo.sh" </dev/null
}

command_site() {
  mkdir -p -- "$build"
  build=$(cd -- "$build" && pwd)
  log=$build/bootstrap.log
  : >"$log"
  packages=(python3 python3-venv)
  install_packages
  provide_python_tools
  [[ -n $TMEM_PYTHON ]] || fail "no MkDocs"
  exec "$TMEM_PYTHON" "$root/utils/build-site.py" "$build/site"
}

# check_script NAME COMMAND...: one check; its result goes to `results`.
check_script() {
  local name=$1 status=0
  shift
  say "checking: $name"
  "$@" </dev/null 2>&1 | tee -a "$log" || status=$?
  results+=("$name=$status")
}

check_format() {
  local sources
  mapfile -d '' -t sources < <(cd "$root" && find include lib tools test python \
    benchmarks \( -name '*.h' -o -name '*.cpp' \) -print0 2>/dev/null)
  (cd "$root" && clang-format-22 --dry-run -Werror "${sources[@]}")
}

command_check() {
  local results=() lit_results lit_status=0
  packages+=("${check_packages[@]}")
  prepare
  provide_next_ptxas
  provide_python_tools
  configure
  build_targets all TMemUnitTests
  lit_results=$build/test/results.xml
  rm -f -- "$lit_results"
  export LIT_OPTS
  LIT_OPTS="${LIT_OPTS:-} --xunit-xml-output $(printf %q "$lit_results")"
  say "testing"
  ninja -C "$build" check-tmem </dev/null 2>&1 | tee -a "$log" || lit_status=$?
  check_script check-rules python3 "$root/utils/check-rules.py" --root "$root"
  if command -v clang-format-22 >/dev/null; then
    check_script clang-format check_format
  else
    say "clang-format-22 is not installed: formatting is not checked"
  fi
  python3 "$root/utils/lib/count-results.py" "$lit_results" "$lit_status" \
    "${results[@]}"
}

case ${1:-} in
  demo | check | build | site) (($# == 1)) || { usage >&2; exit 2; } ;;
  -h | --help) usage; exit ;;
  *) usage >&2; exit 2 ;;
esac
"command_$1"
