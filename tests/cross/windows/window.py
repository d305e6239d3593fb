#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Starts a program like a double click: with a console of its own (a terminal here, which Wine turns into
one).

usage: window.py SECONDS URL|KEY PROGRAM [ARGUMENT...]   (with WINEPREFIX set)
Prints the console's contents. URL: until it shows an address, whose page is also fetched and printed. KEY:
until it waits for a key, which is pressed. Fails if that does not happen in time, or the program does not
end after the key."""
import os
import pty
import re
import select
import signal
import sys
import time
import urllib.request

WIDE = {"COLUMNS": "400", "LINES": "50"}


def plain(shown):
    text = re.sub(rb"\x1b\[\??[0-9;]*[A-Za-z]|\x1b\][^\x07]*\x07|\x1b[=>()][A-Z0-9]?", b" ", shown)
    return re.sub(r"[ \r]*\n[ \r]*", "\n", text.decode("utf-8", "replace").replace("\r", "\n"))


def main():
    seconds, wanted, program = float(sys.argv[1]), sys.argv[2], sys.argv[3:]
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update(WIDE, WINEDEBUG="-all", TERM="xterm")
        os.execvp("wine", ["wine"] + program)
    import fcntl
    import struct
    import termios
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 400, 0, 0))
    shown, end, done, key = b"", time.time() + seconds, False, False
    while time.time() < end:
        if select.select([terminal], [], [], 0.2)[0]:
            try:
                more = os.read(terminal, 65536)
            except OSError:
                more = b""
            if not more:
                done = done or key
                break
            shown += more
        text = plain(shown)
        address = re.search(r"http://[0-9.:]+/[0-9A-Za-z_-]+/\S*", text)
        if wanted == "URL" and address:
            print("address: " + address.group(0))
            print(urllib.request.urlopen(address.group(0), timeout=20).read().decode())
            done = True
            break
        if wanted == "KEY" and not key and "Press any key" in text:
            os.write(terminal, b"x")
            key = True
    print(plain(shown))
    try:
        os.kill(child, signal.SIGTERM)
        os.waitpid(child, 0)
    except (ProcessLookupError, ChildProcessError):
        pass
    sys.exit(0 if done else 1)


main()
