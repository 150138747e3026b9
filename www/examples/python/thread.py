"""One thread of a chat: its log, its queue, its running turn, and the events that tell of them.

Everything happens under one lock, so that `n` and `seq` have no gaps and a seal is published behind its rows. The log is
a list here; with a table in its place, write in one transaction what `_end` writes, and publish after its commit.
"""

import os
import threading
import time

from model import answer

EVENTS_MAX = 1000  # Who missed more gets a snapshot.
PACE_S = float(os.environ.get("PACE", "60")) / 1000


class Thread:
    def __init__(self, name):
        self.name = name
        self.epoch = f"{time.time_ns():x}"  # Another log has another epoch: then clients load anew.
        self.changed = threading.Condition()
        self.log, self.last, self.n = [], [], 0
        self.queue, self.held, self.running, self.turns = [], False, None, 0
        self.answers = {}

    # What a user does.

    def send(self, client_id, text):
        with self.changed:
            # The same clientId is the same message: the same answer, and nothing twice.
            if client_id in self.answers:
                return self.answers[client_id]
            if not text.strip():
                raise ValueError("a message says something")
            message = {"messageId": f"m-{client_id}", "clientId": client_id, "text": text}
            if self.running is None and not self.queue:
                turn = self._start(message)
                said = {"status": "ok", "messageId": message["messageId"], "turnId": turn["turnId"], "n": self.n}
            else:
                self.queue.append(message)
                self._publish(type="message-queued", **queued(message))
                said = {"status": "queued", "messageId": message["messageId"], "n": self.n}
                self._release()  # Who sends wants to go on.
            self.answers[client_id] = said
            return said

    def stop(self, turn_id=None):
        with self.changed:
            if self.running is not None and turn_id in (None, self.running["turnId"]):
                self._end("aborted")
            return {"status": "ok"}

    def cancel(self, message_id):
        with self.changed:
            left = [message for message in self.queue if message["messageId"] != message_id]
            if len(left) == len(self.queue):
                return False  # It has left the queue already.
            self.queue = left
            self._publish(type="message-cancelled", messageId=message_id)
            return True

    def resume(self):
        with self.changed:
            self._release()
            return {"status": "ok"}

    # What a client reads.

    def page(self, limit, before=None):
        with self.changed:
            chunks = [row for row in self.log if before is None or row["seq"] < before][-limit:]
            more = {"prevSeq": chunks[0]["seq"] - 1} if chunks and chunks[0]["seq"] > 1 else {}
            return {"chunks": chunks, "total": len(self.log), "limit": limit, "epoch": self.epoch, **more}

    def snapshot(self):
        turns = []
        if self.running is not None:
            user = {"role": "user", **names(self.running), "text": self.running["text"]}
            said = {"role": "assistant", "parts": [{"type": "text", "text": self.running["said"]}]}
            rows = [user, said] if self.running["said"] else [user]
            turns = [{"turnId": self.running["turnId"], "phase": "streaming", "rows": rows}]
        queue = [queued(message) for message in self.queue]
        return {
            "type": "snapshot", "threadId": self.name, "n": self.n, "epoch": self.epoch, "lastSeq": len(self.log),
            "turns": turns, "queue": queue, "held": self.held, "approvals": [],
        }  # fmt: skip

    def events(self, seen, ping_s):
        """Events without end, behind the id `seen`; where they are gone, or nothing was seen, the snapshot first."""
        epoch, _, number = (seen or "").rpartition("-")
        with self.changed:
            after = int(number) if epoch == self.epoch and number.isdigit() else -1
            oldest = self.n - len(self.last)
            first = [] if oldest <= after <= self.n else [self.snapshot()]
            after = self.n if first else after
        yield from first
        while True:
            with self.changed:
                self.changed.wait_for(lambda: self.n > after, ping_s)
                # The number of the last event, now and then, so that a lost one is noticed.
                ping = {"type": "ping", "threadId": self.name, "n": self.n}
                missed = self.last[after - self.n :] if self.n > after else [ping]
            yield from missed
            after = missed[-1]["n"]

    # What happens, under the lock.

    def _publish(self, **event):
        self.n += 1
        self.last = [*self.last[1 - EVENTS_MAX :], {"type": event.pop("type"), "threadId": self.name, "n": self.n, **event}]
        self.changed.notify_all()

    def _start(self, message):
        self.turns += 1
        turn = {**message, "turnId": f"t{self.turns}", "said": "", "over": threading.Event()}
        self.running = turn
        self._publish(type="turn-start", turnId=turn["turnId"], user={**names(turn), "text": turn["text"]})
        threading.Thread(target=self._speak, args=[turn], daemon=True).start()
        return turn

    def _speak(self, turn):
        for delta in answer(turn["text"]):
            # A stop ends the wait at once; what the model says after it is not said.
            turn["over"].wait(PACE_S)
            with self.changed:
                if self.running is not turn:
                    return
                turn["said"] += delta
                self._publish(type="text-delta", turnId=turn["turnId"], delta=delta)
        with self.changed:
            if self.running is turn:
                self._end("done")

    def _end(self, outcome):
        turn, self.running = self.running, None
        turn["over"].set()
        self._publish(type="turn-end", turnId=turn["turnId"], outcome=outcome)
        first = len(self.log) + 1
        rows = [{"role": "user", **names(turn), "data": {"text": turn["text"]}}]
        if turn["said"]:
            rows.append({"role": "assistant", "data": {"text": turn["said"]}})
        rows = [{"seq": first + at, "turnId": turn["turnId"], "type": "text", **row} for at, row in enumerate(rows)]
        self.log += rows
        # Behind the rows, and with them: nobody has to load the turn.
        last = {"firstSeq": first, "lastSeq": len(self.log), **({"prevSeq": first - 1} if first > 1 else {})}
        self._publish(type="turn-sealed", turnId=turn["turnId"], **last, chunks=rows)
        if outcome == "aborted" and self.queue:
            self._hold(True)  # Who stops does not want the next one to begin.
        elif self.queue:
            self._next()

    def _release(self):
        if self.held:
            self._hold(False)
        if self.running is None and self.queue:
            self._next()

    def _next(self):
        message = self.queue.pop(0)
        turn_id = f"t{self.turns + 1}"
        self._publish(type="message-consumed", messageIds=[message["messageId"]], reason="continuation", turnId=turn_id)
        self._start(message)

    def _hold(self, held):
        self.held = held
        items = [queued(message) for message in self.queue]
        self._publish(type="queue-snapshot", items=items, held=held, version=self.n + 1)


def names(message):
    return {"messageId": message["messageId"], "clientIds": [message["clientId"]]}


def queued(message):
    return {"messageId": message["messageId"], "clientId": message["clientId"], "message": message["text"]}
