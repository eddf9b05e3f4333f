//===- tmem-lsp-server.cpp - tmem in editors ------------------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// MLIR's server with the tmem dialect, in a process of its own; this one adds
// pictures of layouts and plans of transfers to what it says on hovering.
//
//===----------------------------------------------------------------------===//

#include "Hover.h"
#include "Proxy.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "tmem/InitAll.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <csignal>
#include <cstdio>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;

/// MLIR's option for tests with lit, which is about this process's ends.
static bool isTestOption(StringRef argument) {
  return argument == "-lit-test" || argument == "--lit-test";
}

/// In the child: MLIR's server on the pipes.
static int serve(DialectRegistry &registry, ArrayRef<char *> arguments, int in,
                 int out) {
  dup2(in, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  close(in);
  close(out);
  SmallVector<char *> values;
  for (char *argument : arguments)
    if (!isTestOption(argument))
      values.push_back(argument);
  int count = values.size();
  values.push_back(nullptr);
  return failed(MlirLspServerMain(count, values.data(), registry));
}

int main(int argc, char **argv) {
  SmallVector<char *> arguments(argv, argv + argc);
  bool isTest = llvm::any_of(arguments, isTestOption);
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  tmem::registerAllDialects(registry);

  int requests[2], answers[2];
  if (pipe(requests) || pipe(answers)) {
    perror("tmem-lsp-server: error: pipe");
    return 1;
  }
  // Before any thread is started.
  pid_t server = fork();
  if (server < 0) {
    perror("tmem-lsp-server: error: fork");
    return 1;
  }
  if (server == 0) {
    close(requests[1]);
    close(answers[0]);
    return serve(registry, arguments, requests[0], answers[1]);
  }
  close(requests[0]);
  close(answers[1]);
  std::signal(SIGPIPE, SIG_IGN);
  tmem::lsp::runProxy(requests[1], answers[0], isTest,
                      [&](StringRef document, unsigned line, unsigned column) {
                        return tmem::lsp::getHoverText(registry, document, line,
                                                       column);
                      });
  int status = 0;
  waitpid(server, &status, 0);
  // Without destructors: a thread may still wait for the editor.
  fflush(stdout);
  _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}
