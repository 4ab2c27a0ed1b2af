"""An agent of LangGraph that is killed, in processes that are forked from one that has all imported: that is quick.

    python agent.py URL LOG

For each line that it reads it starts the agent, where the run is, and writes two lines: the id of the process, and at its
end what it says, the state at the end of the run, or what ended it. The log has a line for the beginning and one for the end
of each task.
"""

import json
import operator
import os
import sys
import time
from typing import Annotated

from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt
from typing_extensions import TypedDict

from sectile.langgraph import SectileSaver

STEPS = 100
# After so many steps a person is asked.
ASKS = 4
CONFIG = {"configurable": {"thread_id": "agent"}, "recursion_limit": 10 * STEPS}


class State(TypedDict):
    step: int
    done: Annotated[list[str], operator.add]


def work(half, note):
    def node(state):
        name = f"{state['step']}{half}"
        note(f"begin {name}")
        # So that one is kept while the other goes on.
        time.sleep(0.001 if half == "a" else 0.01)
        note(f"end {name}")
        return {"done": [name]}

    return node


def close(state):
    """Ends a step, whose halves are both done."""
    done = []
    if state["step"] % ASKS == 0:
        done = [f"{state['step']}{interrupt('go on?')}"]
    return {"step": state["step"] + 1, "done": done}


def agent(saver, note):
    graph = StateGraph(State)
    graph.add_node("begin", lambda state: {})
    graph.add_node("close", close)
    graph.add_edge(START, "begin")
    for half in "ab":
        graph.add_node(half, work(half, note))
        graph.add_edge("begin", half)
    graph.add_edge(["a", "b"], "close")
    graph.add_conditional_edges("close", lambda state: END if state["step"] == STEPS else "begin")
    return graph.compile(checkpointer=saver)


def run(url, log):
    """Goes on where the run is, and answers when it asks. Returns the state at the end."""
    with open(log, "a") as file, SectileSaver.from_conn_string(url) as saver:

        def note(line):
            # In one piece, so that a kill cuts no line.
            os.write(file.fileno(), f"{line}\n".encode())

        graph = agent(saver, note)
        given = None if graph.get_state(CONFIG).created_at else {"step": 0, "done": []}
        # It asks once for every so many steps.
        for _ in range(STEPS):
            graph.invoke(given, CONFIG, durability="sync")
            state = graph.get_state(CONFIG)
            if not state.next:
                return state.values
            given = Command(resume="!") if state.interrupts else None
    raise RuntimeError("the run does not go on")


def main():
    url, log = sys.argv[1:]
    for _ in sys.stdin:
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            os.write(writer, json.dumps(run(url, log)).encode())
            os._exit(0)
        os.close(writer)
        print(child, flush=True)
        with os.fdopen(reader, "rb") as answer:
            said = answer.read().decode()
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        print(said or f"ended by {-code}", flush=True)


if __name__ == "__main__":
    main()
