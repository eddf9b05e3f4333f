//===- Proxy.cpp - Between an editor and MLIR's server --------------------===//
//
// Part of tmem-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Proxy.h"
#include "Documents.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/LSP/Transport.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdio>
#include <map>
#include <mutex>
#include <thread>
#include <unistd.h>

using namespace mlir::tmem::lsp;
using llvm::StringRef;
namespace json = llvm::json;

namespace {

/// A request that the server has not yet answered.
struct Question {
  std::shared_ptr<const Document> document; ///< As it was then, or null.
  bool isHover = false;
  unsigned line = 0, character = 0; ///< Of a hover, in bytes.
};

/// What the editor has said, and the server not yet answered.
class Session {
public:
  /// Remembers what a message says, and has it count in bytes.
  void noteRequest(json::Value &message);
  /// The question that a message answers, if any. The message then counts in
  /// UTF-16 code units.
  std::optional<Question> noteAnswer(json::Value &message);

private:
  void noteDocument(StringRef method, const json::Object &params);
  std::shared_ptr<const Document> findDocument(const json::Object &params);
  std::shared_ptr<const Document> findDiagnosed(const json::Object &params);

  std::mutex mutex;
  DocumentMap documents;
  /// By URI and version, from the one of which the server spoke last.
  llvm::StringMap<std::map<int64_t, std::shared_ptr<const Document>>> versions;
  llvm::StringMap<Question> questions; ///< By the request's id, as JSON.
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

std::shared_ptr<const Document>
Session::findDocument(const json::Object &params) {
  auto it = documents.find(getURI(params));
  return it == documents.end() ? nullptr : it->second;
}

void Session::noteDocument(StringRef method, const json::Object &params) {
  StringRef uri = getURI(params);
  if (uri.empty())
    return;
  const json::Object *holder = nullptr;
  if (method == "textDocument/didOpen") {
    holder = params.getObject("textDocument");
  } else if (method == "textDocument/didChange") {
    // The server asks for whole documents.
    if (const json::Array *changes = params.getArray("contentChanges"))
      holder = changes->empty() ? nullptr : changes->back().getAsObject();
  } else if (method == "textDocument/didClose") {
    documents.erase(uri);
    versions.erase(uri);
  }
  if (!holder)
    return;
  auto document =
      std::make_shared<Document>(holder->getString("text").value_or("").str());
  documents[uri] = document;
  const json::Object *identifier = params.getObject("textDocument");
  versions[uri][identifier->getInteger("version").value_or(0)] = document;
}

/// What diagnostics are about: the editor may have gone on since.
std::shared_ptr<const Document>
Session::findDiagnosed(const json::Object &params) {
  auto it = versions.find(params.getString("uri").value_or(""));
  std::optional<int64_t> version = params.getInteger("version");
  if (it == versions.end() || !version)
    return nullptr;
  auto &ofDocument = it->second;
  ofDocument.erase(ofDocument.begin(), ofDocument.lower_bound(*version));
  auto found = ofDocument.find(*version);
  return found == ofDocument.end() ? nullptr : found->second;
}

void Session::noteRequest(json::Value &message) {
  const json::Object &object = *message.getAsObject();
  StringRef method = object.getString("method").value_or("");
  const json::Object *params = object.getObject("params");
  if (!params)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  noteDocument(method, *params);
  convertPositions(message, documents, /*document=*/nullptr, Columns::ToBytes);
  const json::Value *id = object.get("id");
  if (!id || !params->getObject("textDocument"))
    return;
  Question question;
  question.document = findDocument(*params);
  if (const json::Object *position = params->getObject("position")) {
    question.isHover = method == "textDocument/hover";
    question.line = position->getInteger("line").value_or(0);
    question.character = position->getInteger("character").value_or(0);
  }
  questions[toText(*id)] = std::move(question);
}

std::optional<Question> Session::noteAnswer(json::Value &message) {
  const json::Object &object = *message.getAsObject();
  const json::Value *id = object.get("id");
  std::lock_guard<std::mutex> lock(mutex);
  std::optional<Question> question;
  if (auto it = id ? questions.find(toText(*id)) : questions.end();
      it != questions.end()) {
    question = std::move(it->second);
    questions.erase(it);
  }
  if (const json::Object *params = object.getObject("params")) {
    if (std::shared_ptr<const Document> document = findDiagnosed(*params)) {
      DocumentMap diagnosed;
      diagnosed[*params->getString("uri")] = document;
      convertPositions(message, diagnosed, nullptr, Columns::ToUnits);
    }
  } else {
    convertPositions(message, documents,
                     question ? question->document.get() : nullptr,
                     Columns::ToUnits);
  }
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
    if (!message) {
      llvm::consumeError(message.takeError());
    } else if (message->getAsObject()) {
      session.noteRequest(*message);
      text = toText(*message);
    }
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
  if (json::Object *object = message->getAsObject()) {
    std::optional<Question> question = session.noteAnswer(*message);
    if (question && question->isHover && question->document &&
        object->get("result"))
      addHover(*object, hover(question->document->getText(), question->line,
                              question->character));
  }
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
