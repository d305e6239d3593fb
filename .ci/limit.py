#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a command until it ends or has used its processor time, and reports how much it used.

usage: limit.py SECONDS RESULT COMMAND [ARGUMENT...]

Counts the processor time of the command and of everything that it starts, daemons included, so that a busy machine fails
nothing. A command that uses almost no processor time for five minutes counts as stuck. Exits with the command's exit code,
or 124 at the limit or if stuck; kills everything that the command started. RESULT gets the seconds used.
"""
import ctypes
import os
import resource
import signal
import sys
import time

PR_SET_CHILD_SUBREAPER = 36
STUCK_AFTER = 300
TICKS = os.sysconf("SC_CLK_TCK")


def processes():
    """Every process: its parent, and the ticks used by it and by its children that it has waited for."""
    found = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="latin-1") as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            continue  # it ended
        found[int(name)] = int(fields[1]), sum(map(int, fields[11:15]))
    return found


def descendants():
    """Ticks of every running process that this one or its descendants started."""
    everything = processes()
    children = {}
    for process, (parent, _) in everything.items():
        children.setdefault(parent, []).append(process)
    found, todo = {}, list(children.get(os.getpid(), []))
    while todo:
        process = todo.pop()
        found[process] = everything[process][1]
        todo += children.get(process, [])
    return found


def seconds_used():
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ended.ru_utime + ended.ru_stime + sum(descendants().values()) / TICKS


def end_everything():
    for _ in range(50):
        left = descendants()
        if not left:
            return
        for process in left:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        reap()
        time.sleep(0.1)


def reap(wanted=None):
    """Waits for ended processes; returns the exit code of `wanted` if it is among them."""
    code = None
    while True:
        try:
            process, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return code
        if process == 0:
            return code
        if process == wanted:
            code = os.waitstatus_to_exitcode(status)
            code = 128 - code if code < 0 else code


def run(limit, command):
    child = os.fork()
    if child == 0:
        os.setsid()
        try:
            os.execvp(command[0], command)
        except OSError as error:
            print(error, file=sys.stderr)
        os._exit(127)
    last_used, last_moved = 0.0, time.monotonic()
    while True:
        code = reap(child)
        if code is not None:
            return code
        used = seconds_used()
        if used > limit:
            print(f"limit.py: over {limit:.0f} s of processor time", file=sys.stderr)
            return 124
        if used > last_used + 1:
            last_used, last_moved = used, time.monotonic()
        elif time.monotonic() - last_moved > STUCK_AFTER:
            print(f"limit.py: stuck: no processor time used for {STUCK_AFTER} s", file=sys.stderr)
            return 124
        time.sleep(0.05 if used < 1 else 0.5)


def main():
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    code = run(float(sys.argv[1]), sys.argv[3:])
    end_everything()
    with open(sys.argv[2], "w", encoding="ascii") as file:
        print(round(seconds_used()), file=file)
    return code


sys.exit(main())
