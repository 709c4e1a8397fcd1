#!/usr/bin/env python3
"""make lint: every check of the source that needs no running program. Exit status 1 when any of them complains.

    tools/lint.py [--deep] [check…]     --deep lets the static analyzer follow every path as far as it likes (make test-all)
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build-asan"
JOBS = os.cpu_count() or 1
DEEP = "--deep" in sys.argv
# Most of clang-tidy's time goes into the last paths through a few large functions.
ANALYZER = [] if DEEP else ["--extra-arg=-Xclang", "--extra-arg=-analyzer-config", "--extra-arg=-Xclang", "--extra-arg=max-nodes=50000"]


def run(*command, cwd=ROOT):
    done = subprocess.run([str(c) for c in command], cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace")
    return done.returncode, done.stdout


def in_parallel(function, items):
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        return list(pool.map(function, items))


def sources(pattern, *folders):
    return sorted(p for folder in folders for p in (ROOT / folder).rglob(pattern))


def configured():
    """The compile database is there and knows every file."""
    if (BUILD / "build.ninja").exists():
        return run("ninja", "-C", BUILD, "build.ninja")
    return run("meson", "setup", BUILD, "-Db_sanitize=address,undefined", "--buildtype=debug")


def script(name):
    code, output = run(sys.executable, ROOT / "tools" / name)
    return code == 0, output


def check_layers():
    return script("check_layers.py")


def check_sizes():
    return script("check_sizes.py")


def check_code_map():
    """docs/architecture.md has a line for every folder and every file of src/."""
    page = ROOT / "docs/architecture.md"
    if not page.exists():
        return True, "no docs/architecture.md yet\n"
    text = page.read_text()
    words = set(re.findall(r"[\w.-]+", text))
    files = sources("*.[ch]", "src")
    wanted = {f"{p.parent.name}/" for p in files} | {p.relative_to(ROOT / "src").as_posix() for p in files}
    missing = []
    for name in sorted(wanted):
        stem = pathlib.PurePosixPath(name).stem
        known = name in text if name.endswith("/") else any(w in words for w in (stem, f"{stem}.c", f"{stem}.h", f"{stem}."))
        if not known:
            missing.append(f"docs/architecture.md does not mention src/{name}\n")
    return not missing, "".join(missing) or f"{len(files)} files\n"


# Those that write what is in the table of commands, and a bar of our own.
PRINTERS = {"screen", "screen_print", "help", "manual", "complete", "complete_bash", "complete_fish", "complete_zsh", "cmd_help", "progress"}


def check_printing():
    """Commands print through cli/screen and the board draws through Preact, so that nothing from outside is shown as it is."""
    wrong = []
    for path in sources("*.c", "src/cli"):
        if path.stem in PRINTERS:
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if re.search(r"(?<!\w)(v?f?printf|f?puts|f?putc|fwrite|perror)\(", line):
                wrong.append(f"src/cli/{path.name}:{number}: prints by itself; screen.h has what it takes\n")
    for path in sources("*.ts*", "web/src"):
        if re.search(r"dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write", path.read_text()):
            wrong.append(f"{path.relative_to(ROOT)}: writes HTML by itself; what is drawn passes ui/only_shown\n")
    return not wrong, "".join(wrong) or "all through cli/screen and ui/only_shown\n"


def check_promises():
    """Every test that SECURITY.md names exists."""
    promises = re.findall(r"`((?:e2e|unit|module|script|secrets)/[\w/.]+)` \*([^*]+)\*", (ROOT / "SECURITY.md").read_text())
    missing = []
    for place, words in promises:
        suffix = "" if place.startswith("script/") else ".test.mjs" if place.startswith(("e2e/", "secrets/")) else "_test.c"
        path = ROOT / "test" / (place + suffix)
        if not path.exists() or words not in path.read_text():
            missing.append(f"SECURITY.md: there is no test \"{words}\" in test/{place}{suffix}\n")
    return not missing and bool(promises), "".join(missing) or f"{len(promises)} tests hold them\n"


def check_headers():
    """Each header compiles alone, so that the order of includes never matters."""
    def compile_header(path):
        code, output = run("gcc", "-std=gnu17", "-fsyntax-only", "-Wall", "-Wextra", "-Wno-unused-function", "-Werror",
                           "-D_GNU_SOURCE", "-Isrc", "-include", path, "-x", "c", "/dev/null")
        return "" if code == 0 else output
    headers = [p for p in sources("*.h", "src") if p.name != "banned.h"]
    output = "".join(in_parallel(compile_header, headers))
    return not output, output or f"{len(headers)} headers\n"


def check_format():
    files = sources("*.[ch]", "src", "test")
    code, output = run("clang-format-14", "--dry-run", "-Werror", *files)
    places = sorted(set(re.findall(r"^/?(.*?):\d+:\d+: error: code should be clang-formatted", output, re.M)))
    report = "".join(f"{os.path.relpath('/' + p, ROOT)} is not formatted: make fmt\n" for p in places)
    return code == 0, report or output or f"{len(files)} files\n"


def fingerprint(path, command, seen=None):
    """What clang-tidy's answer depends on: the file, all it includes of ours, how it is compiled, and the checks."""
    seen = seen if seen is not None else {}
    if path not in seen:
        seen[path] = path.read_bytes()
        for target in re.findall(rb'#\s*include\s*"([^"]+)"', seen[path]):
            for place in (ROOT / "src", path.parent):
                if (place / target.decode()).exists():
                    fingerprint(place / target.decode(), command, seen)
                    break
    digest = hashlib.sha256((command + str(ANALYZER) + (ROOT / ".clang-tidy").read_text()).encode())
    for name in sorted(seen):
        digest.update(seen[name])
    return digest.hexdigest()


def only_errors(output):
    """What clang-tidy complains about, without the steps that lead there: those are for who runs it on that file."""
    kept, keep = [], False
    for line in output.splitlines(keepends=True):
        if re.match(r"\S+:\d+:\d+: ", line):
            keep = " note: " not in line
        elif re.match(r"\d+ warnings? (generated|treated)", line):
            keep = False
        if keep:
            kept.append(os.path.relpath(line, ROOT) if line.startswith(str(BUILD)) else line)
    return "".join(kept) or output


def check_tidy():
    code, output = configured()
    if code:
        return False, output
    cache = BUILD / "tidy"
    cache.mkdir(exist_ok=True)
    entries = json.loads((BUILD / "compile_commands.json").read_text())
    commands = {}
    for entry in entries:
        path = (pathlib.Path(entry["directory"]) / entry["file"]).resolve()
        if path.is_relative_to(ROOT / "src"):
            commands.setdefault(path, entry["command"])

    def tidy(item):
        path, command = item
        good = cache / fingerprint(path, command)
        if good.exists():
            return ""
        code, output = run("clang-tidy", "-p", BUILD, "--quiet", "--extra-arg=-Wno-unknown-warning-option", *ANALYZER, path)
        if code == 0:
            good.touch()
            return ""
        return only_errors(output)

    output = "".join(in_parallel(tidy, sorted(commands.items())))
    return not output, output or f"{len(commands)} files\n"


def check_web():
    if not (ROOT / "web/package.json").exists():
        return True, "no web/ yet\n"
    if "check" in json.loads((ROOT / "web/package.json").read_text()).get("scripts", {}):
        code, output = run(ROOT / "tools/npm", "run", "--silent", "check", cwd=ROOT / "web")
    else:
        code, output = run(ROOT / "tools/node", "node_modules/typescript/bin/tsc", "--noEmit", cwd=ROOT / "web")
    return code == 0, output or "ok\n"


CHECKS = [("layers", check_layers), ("sizes", check_sizes), ("code map", check_code_map), ("printing", check_printing), ("promises", check_promises),
          ("headers", check_headers),
          ("format", check_format), ("clang-tidy", check_tidy), ("web types", check_web)]


def main():
    wanted = [a for a in sys.argv[1:] if a != "--deep"]
    failed = 0
    for name, check in CHECKS:
        if wanted and name not in wanted:
            continue
        begun = time.monotonic()
        good, output = check()
        failed += not good
        lines = output.rstrip("\n").split("\n")
        print(f"  {name:<11} {'ok ' if good else 'BAD'} {time.monotonic() - begun:5.1f} s"
              + (f"  {lines[-1]}" if good else ""))
        if not good or len(lines) > 1:
            print("".join(f"      {line}\n" for line in (lines if not good else lines[:-1])), end="")
        sys.stdout.flush()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
