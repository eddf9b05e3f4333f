#===- cuda-tools.sh - Find or install ptxas and nvdisasm --------*- bash -*-===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
# For bootstrap.sh, which defines say, logged and build.
#
#===------------------------------------------------------------------------===#

# The oldest ptxas that knows sm_110, and the oldest that knows sm_107. The
# wheels are installed without their dependencies: both tools stand alone.
min_ptxas=13.0 min_ptxas_next=13.4
ptxas_wheel=nvidia-cuda-nvcc==13.0.88
ptxas_next_wheel=nvidia-cuda-nvcc==13.5.37
nvdisasm_wheel=nvidia-cuda-nvdisasm==13.5.37

tool_version() {
  "$1" --version 2>/dev/null </dev/null |
    sed -n 's/.*release \([0-9][0-9.]*\).*/\1/p'
}

# is_tool PATH MINIMUM: PATH can be run and is recent enough.
is_tool() {
  local version
  [[ -f $1 && -x $1 ]] || return 1
  version=$(tool_version "$1") || return 1
  [[ -n $version ]] && printf '%s\n' "$2" "$version" | sort -C -V
}

# find_tool NAME MINIMUM VENV [CHOSEN]: prints the first that is_tool.
find_tool() {
  local path
  for path in "${4:-}" "$(command -v "$1" || true)" \
    "${CUDA_HOME:-/nonexistent}/bin/$1" "/usr/local/cuda/bin/$1" \
    "$3"/lib/python3*/site-packages/nvidia/*/bin/"$1"; do
    if is_tool "$path" "$2"; then
      printf '%s\n' "$path"
      return
    fi
  done
  return 1
}

# install_wheel VENV WHEEL
install_wheel() {
  logged "$1/bin/python" -m pip --version ||
    logged python3 -m venv --clear "$1" || return 1
  logged "$1/bin/python" -m pip install --disable-pip-version-check \
    --retries 2 --no-deps "$2"
}

# provide_tool NAME MINIMUM VENV WHEEL [CHOSEN]: sets `tool` to its path, or to
# nothing: then the tests that need it are skipped.
provide_tool() {
  local venv=$build/$3
  if ! tool=$(find_tool "$1" "$2" "$venv" "${5:-}"); then
    say "installing $4"
    install_wheel "$venv" "$4" || say "could not install $4 (offline?)"
    tool=$(find_tool "$1" "$2" "$venv") || tool=
  fi
  if [[ -n $tool ]]; then
    say "$1 $(tool_version "$tool"): $tool"
  else
    say "no $1 $2 or later: what needs it is skipped"
  fi
}

provide_cuda_tools() {
  local tool
  provide_tool ptxas "$min_ptxas" venv "$ptxas_wheel" "${TMEM_PTXAS:-}"
  export TMEM_PTXAS=$tool
  provide_tool nvdisasm "$min_ptxas" venv "$nvdisasm_wheel" "${TMEM_NVDISASM:-}"
  export TMEM_NVDISASM=$tool
}

provide_next_ptxas() {
  local tool
  provide_tool ptxas "$min_ptxas_next" venv-next "$ptxas_next_wheel" \
    "${TMEM_PTXAS_NEXT:-}"
  export TMEM_PTXAS_NEXT=$tool
}
