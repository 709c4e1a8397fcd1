#!/usr/bin/env python3
"""Holds files and functions to a size that a reader can take in. Warnings are printed, refusals fail."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
#              warn  refuse  (lines)
LIMITS = {".c": (600, 900), ".h": (120, 200)}
FUNCTION = (60, 100)

# Tables are as long as what they list.
EXEMPT_FILES = {"src/core/event.c", "src/net/mime.c"}
EXEMPT_FUNCTIONS = set()  # "file.c:function"


def functions(text):
    """(name, first line, lines) of each function: in this style its head and its last brace stand in the first column."""
    lines, start = text.split("\n"), None
    for number, line in enumerate(lines):
        if line == "}" and start is not None:
            head = " ".join(lines[start:number + 1]).split("{")[0]
            name = re.search(r"(\w+)\s*\(", head)
            if name and "=" not in head:
                yield name.group(1), start + 1, number - start + 1
        if line[:1].isalpha() and not line.endswith(":"):
            start = number
        elif line.startswith("}"):
            start = None


def judge(what, size, limits, warnings, errors):
    if size > limits[1]:
        errors.append(f"{what} has {size} lines; more than {limits[1]} are refused: split it by what it is about")
    elif size > limits[0]:
        warnings.append(f"{what} has {size} lines; aim for at most {limits[0]}")


def main():
    warnings, errors, count = [], [], 0
    for path in sorted(p for d in ("src", "test") for p in (ROOT / d).rglob("*.[ch]")):
        file, text = path.relative_to(ROOT).as_posix(), path.read_text()
        count += 1
        if file in EXEMPT_FILES:
            continue
        judge(file, text.count("\n"), LIMITS[path.suffix], warnings, errors)
        for name, line, size in functions(text):
            if f"{path.name}:{name}" not in EXEMPT_FUNCTIONS:
                judge(f"{file}:{line}: {name}()", size, FUNCTION, warnings, errors)
    for text in warnings:
        print(f"warning: {text}")
    for text in errors:
        print(text)
    if not errors:
        print(f"sizes: {count} files")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
