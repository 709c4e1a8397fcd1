#!/usr/bin/env python3
"""Checks every #include under src/ against tools/layers.txt."""
import fnmatch
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SRC = ROOT / "src"
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)


class Rules:
    def __init__(self, path):
        self.tier, self.programs, self.headers = {}, {}, {}
        self.also, self.pure, self.refused, self.impure = set(), set(), [], set()
        for number, line in enumerate(path.read_text().splitlines(), 1):
            line = line.split("#", 1)[0].strip()
            if line:
                self.add(line, number)

    def add(self, line, number):
        key, _, value = line.partition(":")
        words, names = key.split(), value.split()
        if words[0] == "tier":
            self.tier.update({folder: int(words[1]) for folder in names})
        elif words[0] == "program":
            self.programs[words[1]] = names
        elif words[0] == "header":
            self.headers[words[1]] = set(names)
        elif words[0] == "also":
            self.also.update((folder, other) for folder in words[1:] for other in names)
        elif words[0] in ("pure", "impure"):
            getattr(self, words[0]).update(names)
        elif words[0] == "refused":
            self.refused += names
        else:
            sys.exit(f"layers.txt:{number}: unknown line: {line}")

    def own_include(self, folder, target):
        """Why src/<folder> may not include "target", or None."""
        other = target.split("/")[0]
        if other == folder:
            return None
        if folder in self.programs:
            allowed = self.programs[folder]
            return None if other in allowed or target in allowed else f"{folder}/ may use only {', '.join(allowed)}"
        if other not in self.tier:
            return f"{other}/ is in no tier of layers.txt"
        if self.tier[other] > self.tier[folder]:
            return f"{folder}/ (tier {self.tier[folder]}) may not look up to {other}/ (tier {self.tier[other]})"
        if self.tier[other] == self.tier[folder] and (folder, other) not in self.also:
            return f"{folder}/ and {other}/ are of one tier and may not know each other"
        return None

    def outside_include(self, folder, file, target):
        for pattern, folders in self.headers.items():
            if fnmatch.fnmatch(target, pattern) and folder not in folders:
                return f"<{target}> belongs to {', '.join(sorted(folders)) or 'the tests'} only"
        if folder in self.pure and file.rsplit(".", 1)[0] not in self.impure:
            if any(fnmatch.fnmatch(target, pattern) for pattern in self.refused):
                return f"<{target}> in {folder}/, which is pure"
        return None


def check_file(rules, path):
    file = path.relative_to(SRC).as_posix()
    folder = file.split("/")[0]
    if folder not in rules.tier and folder not in rules.programs:
        yield 1, f"{folder}/ is not in layers.txt"
        return
    text = path.read_text()
    for match in INCLUDE.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        quoted, target = match.group(1) == '"', match.group(2)
        if not quoted:
            why = rules.outside_include(folder, file, target)
        elif "/" in target:
            why = rules.own_include(folder, target)
        elif (path.parent / target).exists():
            why = f'write "{folder}/{target}": includes are relative to src/'
        else:
            why = None  # generated, or made by the build
        if why:
            yield line, why


def main():
    rules = Rules(ROOT / "tools/layers.txt")
    files = sorted(p for p in SRC.rglob("*.[ch]"))
    found = [(f"src/{p.relative_to(SRC)}:{line}: {why}") for p in files for line, why in check_file(rules, p)]
    print("\n".join(found) if found else f"layers: {len(files)} files")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
