# SPDX-License-Identifier: MIT
"""Keeps documents and levels of the library open while Python objects show them, each used by one thread at a time."""
from __future__ import annotations

import contextlib
import functools
import threading
from typing import Any, Callable, Iterator, Optional

from ._library import ClosedError, finding_that, lib


class _Handle(int):
    """The address of an object of the library, which is freed with the last reference. Since an int without attributes is not tracked
    by the collector of cycles, it is freed after everything that may still show its bytes."""

    __slots__ = ()

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError("%s cannot be copied or pickled" % type(self).__name__)


class DocumentHandle(_Handle):
    __slots__ = ()

    def __del__(self, close: Callable[[int], None] = lib.mst_close) -> None:
        close(self)


class LevelHandle(_Handle):
    __slots__ = ()

    def __del__(self, close: Callable[[int], None] = lib.mst_level_close) -> None:
        close(self)


class Held:
    """A handle and its sources. Within `with` it is open and locked by this thread."""

    __slots__ = ("handle", "keep", "kind", "lock", "users", "__weakref__")

    def __init__(self, kind: str, handle: Optional[_Handle] = None, keep: Any = None):
        self.handle = handle
        self.keep = keep
        self.kind = kind
        self.lock = threading.RLock()
        self.users = 0

    def __enter__(self) -> _Handle:
        self.lock.acquire()  # pylint: disable=consider-using-with
        if self.handle is None:
            self.lock.release()
            text = "the %s is closed" % self.kind
            raise ClosedError("argument", finding_that(text))
        self.users += 1
        return self.handle

    def __exit__(self, *_: Any) -> None:
        self.users -= 1
        self.lock.release()

    def be_free_to(self, change: str) -> None:
        """Within `with`: refuses to change or close it during a call of this thread that reads it."""
        if self.users > 1:
            raise BufferError("the %s cannot be %s by what its own call has called" % (self.kind, change))

    def free(self) -> None:
        self.handle = None
        self.keep = None


def locked(method: Callable[..., Any]) -> Callable[..., Any]:
    """Wraps a method: while it runs, the object that `self` shows is open and locked. It must not run the caller's code."""
    @functools.wraps(method)
    def call(self: Any, *arguments: Any, **options: Any) -> Any:
        with self._held:
            return method(self, *arguments, **options)
    return call


@contextlib.contextmanager
def locked_together(helds: list[Held]) -> Iterator[None]:
    """Locks several of them, in the same order in all threads, which prevents deadlocks."""
    with contextlib.ExitStack() as stack:
        for _, held in sorted({id(one): one for one in helds}.items()):
            stack.enter_context(held)
        yield


class Unique:
    """A Python object for an object in the library: cannot be copied."""

    __slots__ = ()

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError("a %s cannot be copied or pickled" % type(self).__name__)
