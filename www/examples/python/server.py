"""A chat server with the standard library only: pages over HTTP, events over SSE. The first line it prints is its address.

GET  /threads/{id}/events        the events, from `Last-Event-ID` on, or a snapshot first
GET  /threads/{id}/chunks        a page of the log: limit, before
POST /threads/{id}/messages      {"clientId", "text"}; the same clientId is the same message
POST /threads/{id}/stop          {"turnId"?}
POST /threads/{id}/cancel        {"messageId"}
POST /threads/{id}/resume        {}
Every other path is a file of the folder that --site names.
"""

import argparse
import functools
import json
import re
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

from thread import Thread

BODY_MAX = 1_000_000
PING_S = 15
THREADS = {}  # A thread is made when somebody names it.


class Handler(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    extensions_map = {**SimpleHTTPRequestHandler.extensions_map, ".js": "text/javascript", ".wasm": "application/wasm"}

    def end_headers(self):
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, *_):
        pass

    def do_GET(self):
        path = urlsplit(self.path)
        match = re.fullmatch(r"/threads/([^/]+)/(events|chunks)", path.path)
        if match is None:
            return super().do_GET()
        thread = thread_of(match[1])
        if match[2] == "events":
            return self.stream(thread)
        query = {name: int(values[0]) for name, values in parse_qs(path.query).items() if values[0].isdigit()}
        self.reply(200, thread.page(query.get("limit", 100), query.get("before")))

    def do_POST(self):
        match = re.fullmatch(r"/threads/([^/]+)/(messages|stop|cancel|resume)", self.path)
        if match is None:
            return self.reply(404, {"message": "no such path"})
        if self.is_foreign():
            return self.reply(403, {"message": "another origin"})
        try:
            given = json.loads(self.rfile.read(min(int(self.headers["Content-Length"]), BODY_MAX)))
            self.reply(200, act(thread_of(match[1]), match[2], given))
        except (ValueError, KeyError, TypeError) as error:
            self.close_connection = True
            self.reply(400, {"message": f"that is not what this path wants: {error}"})

    def is_foreign(self):
        """A page of another site must not talk to a server on this machine."""
        origin = self.headers["Origin"]
        return origin is not None and urlsplit(origin).netloc != self.headers["Host"]

    def reply(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def stream(self, thread):
        """Events as they come. A browser's EventSource comes back by itself, and says which id it saw last."""
        self.close_connection = True
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        try:
            for event in thread.events(self.headers["Last-Event-ID"], PING_S):
                self.wfile.write(f"id: {thread.epoch}-{event['n']}\ndata: {json.dumps(event)}\n\n".encode())
        except OSError:
            pass  # The client has gone.


def thread_of(name):
    name = unquote(name)
    return THREADS.setdefault(name, Thread(name))


def act(thread, name, given):
    """What a user does."""
    if name == "messages":
        return thread.send(str(given["clientId"]), str(given["text"]))
    if name == "stop":
        return thread.stop(given.get("turnId"))
    if name == "cancel":
        return {"success": thread.cancel(given["messageId"])}
    return thread.resume()


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--port", type=int, default=8788, help="0: a free one")
    options.add_argument("--site", default="../plain", help="the folder of the page")
    given = options.parse_args()
    server = ThreadingHTTPServer(("127.0.0.1", given.port), functools.partial(Handler, directory=given.site))
    server.daemon_threads = True
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


main()
