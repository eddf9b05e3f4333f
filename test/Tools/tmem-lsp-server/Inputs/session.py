"""Talks to a language server as an editor does: with headers, one request after the
answer to the one before, hundreds of them; then ends as editors do, or (`leave`) by
closing the pipe. With a document, also says whether this shows what the server says
of the file's load.

session.py SERVER FILE [leave | DOCUMENT.md]"""

import json
import pathlib
import re
import subprocess
import sys

server, path, *more = sys.argv[1:]
document = pathlib.Path(path).read_text()
process = subprocess.Popen([server], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def send(method, params, **more):
    message = {"jsonrpc": "2.0", "method": method, "params": params, **more}
    text = json.dumps(message).encode()
    process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(text), text))
    process.stdin.flush()


def receive():
    size = 0
    while (line := process.stdout.readline().strip()) != b"":
        size = int(line.split(b":")[1])
    return json.loads(process.stdout.read(size))


def ask(number, method, params):
    send(method, params, id=number)
    while (answer := receive()).get("id") != number:
        pass
    return answer["result"]


ask(0, "initialize", {"processId": None, "rootUri": None, "capabilities": {}})
file = {"uri": "test:///kernel.mlir"}
text = {**file, "languageId": "mlir", "version": 1, "text": document}
send("textDocument/didOpen", {"textDocument": text})
plans = pictures = 0
lines = document.splitlines()
for line, code in enumerate(lines):
    position = {"line": line, "character": len(code) - len(code.lstrip()) + 1}
    hover = ask(f"h{line}", "textDocument/hover", dict(textDocument=file, position=position))
    value = hover["contents"]["value"] if hover else ""
    plans += "**plan**" in value
    if "tmem.load " in code:
        load = value
    pictures += "tlane\\tcol" in value or "tid\\reg" in value
print(f"{plans} plans, {pictures} pictures")
if more and more != ["leave"]:
    # As editors show Markdown, without its marks.
    shown = re.sub(r"\*\*|^```.*$", "", load[load.index("**plan**") :], flags=re.M)
    words = r"\s+".join(map(re.escape, shown.split()))
    quoted = re.search(rf"^```text\s+{words}\s+^```$", pathlib.Path(more[0]).read_text(), re.M)
    print("quoted" if quoted else f"not quoted:\n{shown}")
if more == ["leave"]:
    process.stdin.close()
else:
    ask(1, "shutdown", None)
    send("exit", None)
print(f"exit status {process.wait(timeout=20)}")
