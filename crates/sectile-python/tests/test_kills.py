"""An agent of LangGraph whose process is killed, again and again."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("langgraph.graph")

from agent import ASKS, CONFIG, STEPS  # noqa: E402

from sectile.langgraph import SectileSaver  # noqa: E402

KILLS = int(os.environ.get("SECTILE_KILLS", 50))


class Agent:
    """The processes of an agent, and what they log."""

    def __init__(self, database, log):
        log.touch()
        self._log = log
        command = [sys.executable, Path(__file__).with_name("agent.py"), database, log]
        self._parent = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._parent.kill()
        self._parent.communicate()

    def start(self):
        self._parent.stdin.write("start\n")
        self._parent.stdin.flush()
        return int(self._parent.stdout.readline())

    def end(self):
        return self._parent.stdout.readline().strip()

    def lines(self):
        return self._log.read_text().splitlines()

    def kill_after(self, count):
        """Kills a process that has logged so many lines."""
        process, count = self.start(), count + len(self.lines())
        deadline = time.monotonic() + 60
        while len(self.lines()) < count and time.monotonic() < deadline:
            time.sleep(0.001)
        os.kill(process, signal.SIGKILL)
        assert self.end() == f"ended by {int(signal.SIGKILL)}"


def tasks_kept(saver):
    """Returns the tasks that a saver has: those in the state, and those of the step that goes on."""
    found = saver.get_tuple(CONFIG)
    if found is None:
        return set(), set()
    pending = [value for _, channel, value in found.pending_writes if channel == "done"]
    return {*found.checkpoint["channel_values"].get("done", [])}, set().union(*pending)


def test_an_agent_that_is_killed_goes_on_and_does_nothing_twice_that_was_done(database, tmp_path):
    saver = SectileSaver.from_conn_string(database)
    within, halves = 0, 0
    with Agent(database, tmp_path / "log") as agent:
        for kill in range(KILLS + 1):
            done, pending = tasks_kept(saver)
            halves += bool(pending)
            start = len(agent.lines())
            if kill < KILLS:
                agent.kill_after(1 + kill % 6)
            else:
                agent.start()
                done_at_end = json.loads(agent.end())["done"]
            logged = [line.split() for line in agent.lines()[start:]]
            begun = {name for what, name in logged if what == "begin"}
            assert begun & (done | pending) == set()
            within += begun != {name for what, name in logged if what == "end"}
        steps = [int(line.split()[1][:-1]) for line in agent.lines()]
    # A step begins when those before it are kept.
    assert steps == sorted(steps)
    expected = [f"{step}{half}" for step in range(STEPS) for half in "ab"]
    expected += [f"{step}!" for step in range(0, STEPS, ASKS)]
    assert sorted(done_at_end) == sorted(expected)
    # It was killed within steps, with one half kept, and between them.
    assert KILLS < 50 or (0 < within < KILLS and halves)
