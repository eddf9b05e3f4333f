# -*- Python -*-
# Configuration of the unit tests: GoogleTest programs, found in the build tree.

import os

import lit.formats

config.name = "TMem-Unit"
config.test_format = lit.formats.GoogleTest(".", "Tests")
config.excludes = ["CMakeFiles"]
config.test_exec_root = os.path.join(config.tmem_obj_root, "test", "Unit")
config.test_source_root = config.test_exec_root

ptxas = os.environ.get("TMEM_PTXAS") or config.tmem_ptxas
if ptxas:
    config.environment["TMEM_PTXAS"] = ptxas
