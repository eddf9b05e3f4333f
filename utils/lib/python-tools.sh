#===- python-tools.sh - A Python with the packages needed -------*- bash -*-===#
#
# Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
# For bootstrap.sh, which defines say, logged, root and build.
#
#===------------------------------------------------------------------------===#

# Sets TMEM_PYTHON to a Python with the packages of utils/requirements.txt, or to
# nothing: then the tests that need them are skipped.
provide_python_tools() {
  local venv=$build/venv requirements=$root/utils/requirements.txt
  TMEM_PYTHON=$venv/bin/python
  export TMEM_PYTHON
  if cmp -s -- "$requirements" "$venv/installed-requirements.txt"; then
    return
  fi
  say "installing Python packages"
  if { logged "$TMEM_PYTHON" -m pip --version ||
       logged python3 -m venv --clear "$venv"; } &&
     logged "$TMEM_PYTHON" -m pip install --disable-pip-version-check \
       --retries 2 -r "$requirements"; then
    cp -- "$requirements" "$venv/installed-requirements.txt"
  else
    say "could not install Python packages (offline?): what needs them is skipped"
    TMEM_PYTHON=
  fi
}
