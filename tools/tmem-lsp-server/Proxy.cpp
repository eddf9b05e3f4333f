//===- Proxy.cpp - Between an editor and MLIR's server --------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Proxy.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/LSP/Transport.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdio>
#include <mutex>
#include <thread>
#include <unistd.h>

using namespace mlir::tmem::lsp;
using llvm::StringRef;
namespace json = llvm::json;

namespace {

/// What a hover request asked for.
struct Question {
  std::string document;
  unsigned line, character;
};

/// What the editor has said, and the server not yet answered.
class Session {
public:
  void noteRequest(const json::Object &message);
  /// The question that a message answers, if any.
  std::optional<Question> takeQuestion(const json::Object &message);

private:
  std::mutex mutex;
  llvm::StringMap<std::string> documents; ///< By URI.
  llvm::StringMap<Question> questions;    ///< By the request's id, as JSON.
};

} // namespace

static std::string toText(const json::Value &value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << value;
  return text;
}

static StringRef getURI(const json::Object &params) {
  const json::Object *document = params.getObject("textDocument");
  return document ? document->getString("uri").value_or("") : "";
}

void Session::noteRequest(const json::Object &message) {
  StringRef method = message.getString("method").value_or("");
  const json::Object *params = message.getObject("params");
  if (!params || !method.consume_front("textDocument/"))
    return;
  std::lock_guard<std::mutex> lock(mutex);
  std::string &document = documents[getURI(*params)];
  if (method == "didOpen") {
    document =
        params->getObject("textDocument")->getString("text").value_or("").str();
  } else if (method == "didChange") {
    // The server asks for whole documents.
    const json::Array *changes = params->getArray("contentChanges");
    const json::Object *last =
        changes && !changes->empty() ? changes->back().getAsObject() : nullptr;
    document = last ? last->getString("text").value_or("").str() : "";
  } else if (method == "didClose") {
    documents.erase(getURI(*params));
  } else if (method == "hover") {
    const json::Object *position = params->getObject("position");
    const json::Value *id = message.get("id");
    if (position && id)
      questions[toText(*id)] = {
          document, unsigned(position->getInteger("line").value_or(0)),
          unsigned(position->getInteger("character").value_or(0))};
  }
}

std::optional<Question> Session::takeQuestion(const json::Object &message) {
  const json::Value *id = message.get("id");
  if (!id || !message.get("result"))
    return std::nullopt;
  std::lock_guard<std::mutex> lock(mutex);
  auto it = questions.find(toText(*id));
  if (it == questions.end())
    return std::nullopt;
  Question question = std::move(it->second);
  questions.erase(it);
  return question;
}

/// Puts what there is to say behind what the server says, or in its place.
static void addHover(json::Object &message, std::string text) {
  if (text.empty())
    return;
  if (json::Object *result = message.getObject("result"))
    if (json::Object *contents = result->getObject("contents")) {
      text = contents->getString("value").value_or("").str() + "\n***\n" + text;
      (*contents)["value"] = std::move(text);
      return;
    }
  message["result"] = json::Object{
      {"contents", json::Object{{"kind", "markdown"}, {"value", text}}}};
}

static std::string frame(StringRef text) {
  return ("Content-Length: " + llvm::Twine(text.size()) + "\r\n\r\n" + text)
      .str();
}

/// From the editor to the server. What is no JSON is the server's to refuse.
static void passRequests(Session &session, int toServer, bool isTest) {
  llvm::raw_fd_ostream os(toServer, /*shouldClose=*/true);
  llvm::lsp::JSONTransportInputOverFile input(
      stdin, isTest ? llvm::lsp::JSONStreamStyle::Delimited
                    : llvm::lsp::JSONStreamStyle::Standard);
  std::string text;
  while (!input.isEndOfInput() && !input.hasError()) {
    if (failed(input.readMessage(text)))
      continue;
    auto message = json::parse(text);
    if (!message)
      llvm::consumeError(message.takeError());
    else if (const json::Object *object = message->getAsObject())
      session.noteRequest(*object);
    os << frame(text);
    os.flush();
  }
}

static std::string answer(Session &session, const std::string &text,
                          bool isTest, HoverFn hover) {
  auto message = json::parse(text);
  if (!message) {
    llvm::consumeError(message.takeError());
    return text;
  }
  json::Object *object = message->getAsObject();
  if (object)
    if (std::optional<Question> question = session.takeQuestion(*object))
      addHover(*object,
               hover(question->document, question->line, question->character));
  std::string result;
  llvm::raw_string_ostream os(result);
  os << llvm::formatv(isTest ? "{0:2}" : "{0}", *message);
  return result;
}

void mlir::tmem::lsp::runProxy(int toServer, int fromServer, bool isTest,
                               HoverFn hover) {
  // Detached and never freed: it may wait for an editor that says no more.
  auto *session = new Session();
  std::thread(passRequests, std::ref(*session), toServer, isTest).detach();
  std::FILE *file = fdopen(fromServer, "rb");
  llvm::lsp::JSONTransportInputOverFile input(file);
  std::string text;
  while (!input.isEndOfInput() && !input.hasError()) {
    if (failed(input.readMessage(text)))
      continue;
    llvm::outs() << frame(answer(*session, text, isTest, hover));
    if (isTest)
      llvm::outs() << "\n";
    llvm::outs().flush();
  }
}
