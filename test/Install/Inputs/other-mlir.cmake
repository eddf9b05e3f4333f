# Stands for the package of another version of MLIR.
set(LLVM_PACKAGE_VERSION 22.2.0)
