# SPDX-License-Identifier: MIT
"""A level as elements that reference each other, independent of their numbers.

The readers of the families make such a level from the bytes of a file. This is their common part: the
meaning of a level, the elements that must be removed together with another, and the references to an
element.
"""

INTERNED = {}


def intern(value):
    """A small number for a value; equal values have equal numbers for the life of the program."""
    return INTERNED.setdefault(value, len(INTERNED))


def value_of(number):
    """The value that has the number, with the numbers inside it resolved: for messages."""
    values = list(INTERNED)

    def resolve(value, depth):
        if isinstance(value, tuple):
            return tuple(resolve(item, depth) for item in value)
        if isinstance(value, Named):
            return resolve(values[value.number], depth + 1) if depth < 3 else "..."
        return value

    return resolve(values[number], 0)


class Named:
    """The name of another element, inside a value."""

    __slots__ = ("number",)

    def __init__(self, number):
        self.number = number

    def __eq__(self, other):
        return isinstance(other, Named) and self.number == other.number

    def __hash__(self):
        return hash((Named, self.number))


class Loose:
    """A reference whose number is out of range."""

    __slots__ = ("number",)

    def __init__(self, number):
        self.number = number


# How a reference changes when its element is removed.
NONE = "none"  # with --cascade it names nothing; else the removal is refused
OWNER = "owner"  # with --cascade the element that contains it is removed as well; else refused
MEMBER = "member"  # it is left out: it states that the element belongs to something
HEIR = "heir"  # it then names the element that the removed one named in the same place
NEAR = "near"  # with --cascade another element takes its place; else refused


class Ref:
    """A place in an element that references another: `to` is an element, None or Loose.

    `place`: a format of the path after the element's own (with @: of the whole file) and its numbers.
    """

    __slots__ = ("owner", "place", "numbers", "to", "policy")

    def __init__(self, owner, place, numbers, to, policy):
        self.owner = owner
        self.place = place
        self.numbers = numbers
        self.to = to
        self.policy = policy

    def key(self):
        return (self.place, None if self.policy == MEMBER else self.numbers)


class Node:
    """An element: its own bytes and its references."""

    __slots__ = ("list", "data", "refs", "given")

    def __init__(self, name, data):
        self.list = name
        self.data = data
        self.refs = []
        self.given = 0  # how many of `refs` belong to the element itself, not to rows of other lists

    def add(self, place, to, policy, *numbers):
        self.refs.append(Ref(self, place, numbers, to, policy))


class Refused(Exception):
    """The removal is refused; `users`: the references to the element."""

    def __init__(self, users):
        super().__init__()
        self.users = users


class Level:
    """`lists`: the elements of each list by its path; `rest`: everything outside lists."""

    owned = ()  # lists whose elements are removed with the last reference to them
    shallow = ()  # places that are not part of the name of their element
    unordered = ()  # lists whose order follows from other data
    prefix = ""  # of the paths of all lists
    fixed = ()  # lists into which nothing is inserted
    nested = ()  # lists whose elements are in several lists of the file
    numbered = ()  # lists whose elements have numbers of their own, which copies do not keep
    needed = {}  # the members that an added element requires, as arguments of `add`
    not_added = ()  # lists to which only whole elements can be added
    slots = {}  # lists of a fixed number: the data and the references (place, policy) of an empty element

    def __init__(self):
        self.lists = {}
        self.rest = ()
        self.known_users = None

    def at(self, name, index, place="", to=None):
        """The element that a number names."""
        elements = self.lists[name]
        return elements[index] if 0 <= index < len(elements) else Loose(index)

    def dangling(self):
        """References that lead nowhere, as text; the families add their rules."""
        found = []
        for name, elements in self.lists.items():
            for index, node in enumerate(elements):
                for ref in node.refs:
                    if isinstance(ref.to, Loose):
                        found.append("%s: %d" % (self.place_of(name, index, ref), ref.to.number))
        return found

    @staticmethod
    def place_of(name, index, ref):
        if ref.place.startswith("@"):
            return ref.place[1:].format(index, *ref.numbers)
        return "%s[%d]%s" % (name, index, ref.place.format(*ref.numbers))

    def path(self, node):
        return "%s[%d]" % (node.list, self.lists[node.list].index(node))

    def ref_path(self, ref):
        return self.place_of(ref.owner.list, self.lists[ref.owner.list].index(ref.owner), ref)

    def users(self, node):
        """All references to an element."""
        if self.known_users is None:
            self.known_users = {}
            for elements in self.lists.values():
                for other in elements:
                    for ref in other.refs:
                        if isinstance(ref.to, Node):
                            self.known_users.setdefault(ref.to, []).append(ref)
        return self.known_users.get(node, [])

    # ---- meaning ---------------------------------------------------------------------------------------

    def meaning(self):
        """For each list a number for each element: equal numbers mean the same, regardless of indices."""
        names = {}

        def name(node):
            if node is None:
                return None
            if isinstance(node, Loose):
                return ("out of range", node.number)
            known = names.get(node)
            if known is None:
                names[node] = Named(-1)  # an element that names itself
                refs = tuple((ref.key(), name(ref.to)) for ref in node.refs[: node.given]
                             if (node.list, ref.place) not in self.shallow)
                known = names[node] = Named(intern((node.list, node.data, refs)))
            return known

        result = {"": [intern(self.rest)]}
        for path, elements in self.lists.items():
            result[path] = [
                intern((path, node.data, tuple((ref.key(), name(ref.to)) for ref in node.refs)))
                for node in elements]
            if path in self.unordered:
                result[path].sort()
        return result

    # ---- removing --------------------------------------------------------------------------------------

    def nearest(self, ref, gone):
        """The element that replaces a removed one (NEAR)."""
        raise NotImplementedError

    def parts_of(self, node):
        """Elements of lists inside an element: they are removed with it."""
        return ()

    def takes_users(self, ref):
        """Whether the element that contains `ref` is removed with the named one without --cascade."""
        return False

    def removal(self, node, cascade, keep_loose=False):
        """The effects of removing `node`: (elements removed, references that then name nothing, [(reference,
        element that it names instead)], references that are left out)."""
        gone = {node: True}
        users = []
        while True:
            before = len(gone)
            for element in list(gone):
                gone.update((part, True) for part in self.parts_of(element))
                for ref in self.users(element):
                    if ref.owner in gone:
                        continue
                    if ref.policy == OWNER and (cascade or self.takes_users(ref)):
                        gone[ref.owner] = True
            if len(gone) == before and not keep_loose:
                for element in list(gone):
                    for ref in element.refs:
                        other = ref.to
                        if element.list in self.groups:  # a group does not own its members
                            continue
                        if isinstance(other, Node) and other not in gone and other.list in self.owned and all(
                                user.owner in gone or user.policy == MEMBER for user in self.users(other)):
                            gone[other] = True
            if len(gone) == before:
                break
        nothing, instead, out = [], [], []
        for element in gone:
            for ref in self.users(element):
                if ref.owner in gone:
                    continue
                if ref.policy == MEMBER:
                    out.append(ref)
                elif ref.policy == HEIR:
                    instead.append((ref, self.heir(ref, gone)))
                elif not cascade:
                    users.append(ref)
                elif ref.policy == NEAR:
                    instead.append((ref, self.nearest(ref, gone)))
                else:
                    nothing.append(ref)
        if users:
            raise Refused(users)
        return list(gone), nothing, instead, out

    @staticmethod
    def heir(ref, gone):
        target = ref.to
        for _ in range(len(gone) + 1):
            if target not in gone:
                return target
            target = [other.to for other in target.refs if other.policy == HEIR][-1]
            if not isinstance(target, Node):
                return None
        return None

    def without(self, outcome):
        """The meaning of the level after a removal. The level itself is unchanged."""
        elements, nothing, instead, out = outcome
        gone = set(elements)
        old_lists = dict(self.lists)
        old_refs = [(ref, ref.to) for ref in nothing] + [(ref, ref.to) for ref, _ in instead]
        old_nodes = [(node, node.data, node.refs, node.given) for node in {ref.owner for ref in out} |
                     {node for node in gone if node.list in self.slots}]
        try:
            for name in {node.list for node in elements} - set(self.slots):
                self.lists[name] = [node for node in self.lists[name] if node not in gone]
            for ref in nothing:
                ref.to = None
            for ref, to in instead:
                ref.to = to
            left = set(out)
            for node, _, refs, given in old_nodes:
                if node in gone:
                    node.data, places = self.slots[node.list]
                    node.refs = []
                    for place, policy in places:
                        node.add(place, None, policy)
                    node.given = len(node.refs)
                else:
                    node.refs = [ref for ref in refs if ref not in left]
                    node.given = given - sum(ref in left for ref in refs[:given])
            return self.meaning(), self.names()
        finally:
            self.lists = old_lists
            for ref, to in old_refs:
                ref.to = to
            for node, data, refs, given in old_nodes:
                node.data, node.refs, node.given = data, refs, given

    def names(self):
        """Which place of which list each reference names: distinguishes equal elements."""
        places = {}
        for name, elements in self.lists.items():
            if name not in self.unordered:
                for index, node in enumerate(elements):
                    places[node] = (name, index)
        return [[places.get(ref.to) for node in elements for ref in node.refs]
                for elements in self.lists.values() if elements]

    # ---- moving ----------------------------------------------------------------------------------------

    groups = ()  # lists whose elements only reference others together
    ordered_members = ()  # places whose references are in the order of their targets

    def place_to_move(self, name, index, generator):
        """A place to which an element may be moved; None: no candidate."""
        return generator.randrange(len(self.lists[name]))

    def is_unused(self, node):
        return node.data == self.slots[node.list][0]

    def forbids_insertion(self, name, index):
        return False

    def forbids_addition(self, name):
        return name in self.fixed and name not in self.slots

    def forbids_move(self, name, index, to):
        return False

    def moved(self, name, index, to):
        """The meaning of the level after an element was moved. The level itself is unchanged."""
        old_lists, old_refs = self.lists, []
        elements = list(self.lists[name])
        elements.insert(to, elements.pop(index))
        self.lists = dict(self.lists)
        self.lists[name] = elements
        places = {node: place for place, node in enumerate(elements)}
        for ref in self.users(elements[to]):
            if ref.place in self.ordered_members:
                node = ref.owner
                old_refs.append((node, node.refs))
                own = iter(sorted((other for other in node.refs if other.place == ref.place),
                                  key=lambda other: places[other.to]))
                node.refs = [next(own) if other.place == ref.place else other for other in node.refs]
        try:
            return self.meaning(), self.names()
        finally:
            self.lists = old_lists
            for node, refs in reversed(old_refs):
                node.refs = refs

    # ---- inserting -------------------------------------------------------------------------------------

    def take_out(self, name, index):
        """Undoes an insertion: takes the element out. Returns it and the references to it."""
        node = self.lists[name][index]
        users = self.users(node)
        self.lists = dict(self.lists)
        for part in self.parts_of(node):
            self.lists.pop(part.list, None)
        self.lists[name] = [other for other in self.lists[name] if other is not node]
        for ref in users:
            if ref.policy == MEMBER:
                ref.owner.refs.remove(ref)
        self.known_users = None
        return node, users

    def inserted_meaning(self, node):
        """The meaning of a given element, without rows of other lists."""
        def name(target, depth=0):
            if not isinstance(target, Node):
                return target.number if isinstance(target, Loose) else None
            if depth > 8:
                return "..."
            return (target.list, target.data,
                    tuple((ref.key(), name(ref.to, depth + 1)) for ref in target.refs[: target.given]
                          if (target.list, ref.place) not in self.shallow))
        return (self.given_data(node), tuple((ref.key(), name(ref.to)) for ref in node.refs[: node.given]))

    def given_data(self, node):
        return node.data

    def also_goes(self, outcome):
        """Paths that are also reported as removed but are not elements."""
        return set()

    def loose(self):
        """Elements that nothing uses and that do not belong in a level, as text."""
        return []
