#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads the output of `spec --as html` and `spec --as hexpat` for every format: texts.py COMMAND

The page is read by an XML parser and has the full contents of the reference in Markdown. Nothing here runs
the patterns of ImHex: their brackets must fit, every record and field of the reference must be declared,
and a type must be declared before its use, with the right number of arguments. The last line counts tests."""
import json
import re
import subprocess
import sys
import xml.etree.ElementTree as tree

command = sys.argv[1]
passed = failed = 0


def run(*given):
    return subprocess.run([command, *given], check=True, capture_output=True, text=True).stdout


def result(good, text):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    if not good:
        print('not ok', text)


def name_of(text):
    """An identifier for a name of the reference."""
    text = re.sub(r'[^A-Za-z0-9]', '_', text).lower()
    return text if re.match(r'[a-z]', text) else 'n' + text


def records(markdown):
    """The records that a reference describes, with their fields."""
    for section in re.split(r'^## ', markdown, flags=re.M)[1:]:
        title, *lines = section.split('\n')
        if not any(line.startswith('| field | type |') for line in lines):
            continue
        fields, in_table = [], False
        for line in lines:
            if line.startswith('| field | type |'):
                in_table = True
            elif not line.startswith('|'):
                in_table = False
            elif in_table and (found := re.match(r'\| `([^`]*)` \| ', line)):
                fields.append((found[1], line))
        yield title, fields


def words_of(text):
    return ''.join(text.split())


def check_page(format_, markdown):
    try:
        page = tree.fromstring(re.sub('^<!DOCTYPE html>', '', run('spec', '--as', 'html', format_)))
    except tree.ParseError as problem:
        result(False, f'{format_}: the page is not well-formed: {problem}')
        return
    body = page.find('body')
    shown = words_of(''.join(body.itertext()))
    plain = re.sub(r'^(#+|-) ', '', re.sub(r'^\|[-|]*$', '', markdown, flags=re.M), flags=re.M)
    plain = re.sub(r'\[`?([^][`]*)`?\]\([^()]*\)', r'\1', plain)
    plain = re.sub(r'<(https?:[^>]*)>', r'\1', re.sub(r'`|\*\*', '', plain))
    plain = '\n'.join(one.replace('|', '') if one.startswith('|') else one for one in plain.split('\n'))
    result(shown == words_of(plain), f'{format_}: the page does not say what the reference says')
    rows = [row for row in markdown.split('\n') if row.startswith('|') and not row.startswith('|---')]
    result(len(list(body.iter('tr'))) == len(rows), f'{format_}: the page has other rows')
    anchors = [one.get('id') for one in body.iter() if one.get('id')]
    targets = [one.get('href')[1:] for one in body.iter('a') if one.get('href').startswith('#')]
    result(len(anchors) == len(set(anchors)), f'{format_}: an anchor occurs twice')
    types = re.findall(r'^\| (?:`[^`]*`|[^|]*\| `[^`]*`) \| (?:\w+ n, n x |data set of |archive of )?([a-z_]+)(?:\[\d+\])? \|', markdown, flags=re.M)
    described = {title for title, _ in records(markdown)}
    result(described & set(types) <= set(targets), f'{format_}: {described & set(types) - set(targets)} are no links')
    result(set(targets) <= set(anchors), f'{format_}: links lead to {set(targets) - set(anchors)}')


TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|#[^\n]*|[A-Za-z_][\w:]*|[^\s\w]|\d\w*')
BUILT_IN = {'u8', 'u16', 'u32', 'u64', 's8', 's16', 's32', 's64', 'float', 'double', 'bool', 'char', 'char16'}


def check_brackets(text):
    """Only code: texts and comments are left out. `<` and `>` are checked in types."""
    tokens = [one for one in TOKEN.findall(text) if one[0] not in '"/#' or one == '/']
    open_ = []
    for one in tokens:
        if one in '([{':
            open_.append(one)
        elif one in ')]}' and (not open_ or '([{'.index(open_.pop()) != ')]}'.index(one)):
            return None
    return None if open_ else tokens


def arguments_at(tokens, at):
    """The number of arguments in the angle brackets that begin there; None: they do not end."""
    depth, count = 0, 1
    for one in tokens[at:]:
        depth += (one in '(<[') - (one in ')>]')
        if depth == 0:
            return count
        count += one == ',' and depth == 1
        if one in ';{':
            return None
    return None


def check_types(format_, tokens):
    """Types are declared before they are used, with the same number of parameters."""
    known = {}
    for at, one in enumerate(tokens[:-1]):
        if one in ('struct', 'enum', 'using'):
            count = arguments_at(tokens, at + 2) if tokens[at + 2] == '<' else 0
            result(known.get(tokens[at + 1], count) == count, f'{format_}: {tokens[at + 1]} has other parameters')
            known[tokens[at + 1]] = count
    seen = set()
    for at, one in enumerate(tokens[:-2]):
        if one in ('struct', 'enum', 'using'):
            seen.add(tokens[at + 1])
        elif at and tokens[at - 1] in (';', '{', '}', 'be', 'le') and one not in BUILT_IN and re.match(r'\w', one):
            # a line begins with a type, a word of the language, or a variable that gets a value
            after = tokens[at + 1]
            if after == '<':
                result(one in seen and arguments_at(tokens, at + 1) == known[one], f'{format_}: {one}<...>')
            elif re.match(r'[A-Za-z_]', after) and one not in ('import', 'else', 'be', 'le'):
                result(one in seen and known[one] == 0, f'{format_}: {one} {after}')


def check_patterns(format_, markdown):
    text = run('spec', '--as', 'hexpat', format_)
    result('ot tested' in text.split('\n')[0], f'{format_}: the patterns do not say that they were not tested')
    tokens = check_brackets(text)
    result(tokens, f'{format_}: the brackets of the patterns do not fit')
    if not tokens:
        return
    check_types(format_, tokens)
    bodies = dict(re.findall(r'^struct (\w+)<[^>]*> \{\n(.*?)^\};', text, flags=re.M | re.S))
    for record, fields in records(markdown):
        matching = [bodies[one] for one in bodies if re.fullmatch(re.escape(name_of(record)) + r'_record\d*', one)]
        result(matching, f'{format_}: no record {record}')
        for field, line in fields:
            # the numbers of directories are only in the file; one line describes many records
            if 'Only in the file' in line or '| a record |' in line:
                continue
            declared = any(re.search(rf'\b{name_of(field)}_?(?:_alt\d+)?(?:\[|;| )', body) for body in matching)
            result(declared, f'{format_}: {record} has no {field}')


formats = [json.loads(line)['format'] for line in run('spec', '--json').splitlines()]
result(len(formats) > 20, 'the list of formats')
for one in formats:
    reference = run('spec', one)
    check_page(one, reference)
    check_patterns(one, reference)
print(f'{passed} passed, {failed} failed')
sys.exit(failed != 0)
