#!/usr/bin/env python3
"""make test: lint, a sanitized build, every suite; the last line is always "N passed, N failed".

    tools/test.py [--all] [suite…]     suites: lint product unit script prop corpus module web e2e replay browser chaos
                                       with --all also: clang tsan valgrind fuzz package
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build-asan"
NODE = ROOT / "tools/node"
FUZZ_SECONDS = int(os.environ.get("FUZZ_SECONDS", "60"))
JOBS = os.cpu_count() or 1
TEST_TIMEOUT_MS = 480_000
NODE_SUITE_SECONDS = 1800
CHAOS_SEED = "7"
# On a busy machine Chromium sometimes never shows a notification: only with --all.
LONG_BROWSER = {"push.test.mjs"}

MESON_SUITES = ["unit", "script", "prop", "corpus", "module"]
SUITES = ["lint", "product", *MESON_SUITES, "web", "e2e", "replay", "browser", "chaos"]
LONG_SUITES = ["clang", "tsan", "valgrind", "fuzz", "package"]

ENVIRONMENT = {
    **os.environ,
    "ASAN_OPTIONS": "detect_stack_use_after_return=1:strict_string_checks=1",
    "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
    "TSAN_OPTIONS": "halt_on_error=1",
    "OSTLER_BUILD": str(BUILD),
}


class Tally:
    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def add(self, name, passed, failed, skipped, seconds, log=""):
        """Counts one suite. One that ran nothing is a failure: a test that is not run protects nothing."""
        if passed + failed + skipped == 0:
            failed, log = 1, log + f"{name}: no test was run\n"
        if failed and log:
            print(f"\n----- {name} -----\n{log.rstrip()}\n-----")
        self.passed += passed
        self.failed += failed
        self.skipped += skipped
        print(f"  {name:<16} {passed:5} passed {failed:3} failed" + (f" {skipped:3} skipped" if skipped else " " * 12)
              + f" {seconds:6.1f} s", flush=True)

    def line(self):
        return f"{self.passed} passed, {self.failed} failed" + (f", {self.skipped} skipped" if self.skipped else "")


def run(*command, cwd=ROOT, env=None, timeout=900):
    """Exit status and output. What hangs is a failure like any other."""
    begun = time.monotonic()
    with subprocess.Popen([str(c) for c in command], cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, env={**ENVIRONMENT, **(env or {})}) as child:
        try:
            output, _ = child.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            child.kill()
            output, _ = child.communicate()
            output += f"\n{command[0]}: no end after {timeout} s\n".encode()
    return child.returncode, output.decode(errors="replace"), time.monotonic() - begun


def build(directory, *options, env=None):
    """Configures and builds; the output of what failed, or None."""
    if not (directory / "build.ninja").exists():
        code, output, _ = run("meson", "setup", directory, *options, env=env)
        if code:
            return output
    code, output, _ = run("ninja", "--quiet", "-C", directory)
    return output if code else None


def count_tap(text):
    """(passed, failed, skipped). cmocka 1.1.5 writes a skipped test as "not ok N # SKIP"."""
    counts = {"ok": 0, "not ok": 0, "skip": 0}
    for line in text.splitlines():
        found = re.match(r"(not ok|ok)\b", line)
        if found:
            counts["skip" if re.search(r"#\s*skip", line, re.I) else found.group(1)] += 1
    return counts["ok"], counts["not ok"], counts["skip"]


def only_skipped(test, skipped):
    """Meson fails a program for cmocka's "not ok N # SKIP", which ended well all the same."""
    return test["result"] == "FAIL" and skipped > 0 and test["returncode"] == 0


def meson_suite(tally, directory, suite, label=None, extra=(), timeout_factor=3):
    code, output, seconds = run("meson", "test", "-C", directory, "--no-rebuild", "--suite", suite, "-t", timeout_factor, *extra)
    passed = failed = skipped = 0
    log, where = "", re.search(r"(\S+/testlog\S*)\.txt", output)
    results = pathlib.Path(where.group(1) + ".json") if where else None
    for line in results.read_text().splitlines() if results and results.exists() else []:
        test = json.loads(line)
        p, f, s = count_tap(test.get("stdout") or "")
        if test["result"] not in ("OK", "SKIP") and not f and not only_skipped(test, s):
            f = 1  # it crashed, hung, or a sanitizer spoke after the last test
        if f:
            log += f"{test['name']}: {test['result']}\n{test.get('stdout') or ''}{test.get('stderr') or ''}\n"
        passed, failed, skipped = passed + p, failed + f, skipped + s
    if code and not failed and not skipped:
        failed, log = 1, output
    tally.add(label or suite, passed, failed, skipped, seconds, log)


def product_suite(tally):
    """What people build and run: the optimiser sees mistakes that the other build does not."""
    code, output, seconds = run("make", "build")
    if code == 0:
        code, output, _ = run(ROOT / "build/ostler", "version")
    tally.add("product", int(code == 0), int(code != 0), 0, seconds, output)


def web_suite(tally):
    if not (ROOT / "web/package.json").exists():
        return tally.add("web", 0, 0, 0, 0.0)
    report = BUILD / "vitest.json"
    report.unlink(missing_ok=True)
    code, output, seconds = run(NODE, "node_modules/vitest/vitest.mjs", "run", "--reporter=default", "--reporter=json",
                                f"--outputFile.json={report}", cwd=ROOT / "web", env={"NO_COLOR": "1", "CI": "1"})
    result = json.loads(report.read_text()) if report.exists() else {}
    passed, failed = result.get("numPassedTests", 0), result.get("numFailedTests", 0)
    tally.add("web", passed, failed or int(code != 0), result.get("numPendingTests", 0), seconds, output)


def node_suite(tally, name, files, concurrency):
    if not files:
        return tally.add(name, 0, 0, 0, 0.0)
    with tempfile.TemporaryDirectory() as scratch:
        tap = pathlib.Path(scratch) / "tap"
        code, output, seconds = run(
            NODE, "--test", f"--test-concurrency={concurrency}", f"--test-timeout={TEST_TIMEOUT_MS}", "--test-reporter=spec", "--test-reporter-destination=stdout",
            "--test-reporter=tap", f"--test-reporter-destination={tap}", *files, cwd=ROOT / "test/e2e", timeout=NODE_SUITE_SECONDS)
        text = tap.read_text() if tap.exists() else ""
    totals = {key: int(number) for key, number in re.findall(r"^# (pass|fail|skipped|cancelled) (\d+)$", text, re.M)}
    failed = totals.get("fail", 0) + totals.get("cancelled", 0)
    tally.add(name, totals.get("pass", 0), failed or int(code != 0), totals.get("skipped", 0), seconds, output)


def chaos_suite(tally):
    """A minute of make chaos; make test has the same faults every time, make test-all others."""
    seed = ENVIRONMENT.get("OSTLER_SEED", CHAOS_SEED)
    code, output, seconds = run(NODE, ROOT / "test/chaos/run.mjs", "--minutes", "1", *([] if seed == "new" else ["--seed", seed]))
    tally.add("chaos", int(code == 0), int(code != 0), 0, seconds, output)


def clang_suite(tally):
    directory = ROOT / "build-clang"
    problem = build(directory, "-Db_sanitize=address,undefined", "--buildtype=debug", env={"CC": "clang"})
    if problem:
        return tally.add("clang", 0, 1, 0, 0.0, problem)
    for suite in MESON_SUITES:
        meson_suite(tally, directory, suite, f"clang {suite}")


def tsan_suite(tally):
    directory = ROOT / "build-tsan"
    problem = build(directory, "-Db_sanitize=thread", "--buildtype=debugoptimized", "-Dweb=false")
    if problem:
        return tally.add("tsan", 0, 1, 0, 0.0, problem)
    meson_suite(tally, directory, "module", "tsan module")


def valgrind_suite(tally):
    directory = ROOT / "build-valgrind"
    problem = build(directory, "--buildtype=debugoptimized", "-Dweb=false")
    if problem:
        return tally.add("valgrind", 0, 1, 0, 0.0, problem)
    wrap = "--wrap=valgrind --quiet --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite"
    for suite in ("unit", "module"):  # Debian 12's valgrind does not know pidfd_open(2)
        meson_suite(tally, directory, suite, f"valgrind {suite}", extra=[wrap, "--no-suite", "pidfd"], timeout_factor=20)


def fuzz_target(program):
    """A while of libFuzzer from a copy of the corpus: what it finds is a failure, what it learns is thrown away."""
    name = program.name.removesuffix("_fuzz")
    with tempfile.TemporaryDirectory() as scratch:
        corpus = pathlib.Path(scratch) / "corpus"
        seeds = ROOT / "test/corpus" / name
        shutil.copytree(seeds, corpus) if seeds.exists() else corpus.mkdir()
        return name, run(program, f"-max_total_time={FUZZ_SECONDS}", "-rss_limit_mb=2048", "-timeout=10", "-print_final_stats=1",
                         f"-artifact_prefix={BUILD}/{name}-", corpus, timeout=FUZZ_SECONDS + 120)


def fuzz_suite(tally):
    directory = ROOT / "build-fuzz"
    problem = build(directory, "-Dfuzz=true", "-Dweb=false", "-Db_sanitize=address,undefined", "--buildtype=debugoptimized",
                    env={"CC": "clang"})
    programs = sorted(p for p in (directory / "test/fuzz").glob("*_fuzz") if p.is_file())
    if problem or not programs:
        return tally.add("fuzz", 0, int(bool(problem)), 0, 0.0, problem or "")
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        for name, (code, output, seconds) in pool.map(fuzz_target, programs):
            tally.add(f"fuzz {name}", int(code == 0), int(code != 0), 0, seconds, output)


def lint(tally, deep):
    print("lint", flush=True)
    if subprocess.run([ROOT / "tools/lint.py", *(["--deep"] if deep else [])], stdin=subprocess.DEVNULL).returncode:
        tally.failed += 1
        print("  lint failed; see above")


def main():
    wanted = [a for a in sys.argv[1:] if a != "--all"]
    wanted = wanted or (SUITES + LONG_SUITES if "--all" in sys.argv else SUITES)
    unknown = [w for w in wanted if w not in SUITES + LONG_SUITES]
    if unknown:
        sys.exit(f"unknown suite {unknown[0]}\n{__doc__}")
    if "--all" in sys.argv:
        ENVIRONMENT.setdefault("OSTLER_SEED", "new")  # drawn cases that nobody has seen; make test has the same ones every time
    tally, begun = Tally(), time.monotonic()
    if "lint" in wanted:
        lint(tally, "--all" in sys.argv)
    print("tests", flush=True)
    problem = build(BUILD, "-Db_sanitize=address,undefined", "--buildtype=debug")
    if problem:
        tally.add("build", 0, 1, 0, time.monotonic() - begun, problem)
    else:
        run_suites(tally, wanted)
    print(f"  {time.monotonic() - begun:.0f} s in all")
    print(tally.line(), flush=True)
    return 1 if tally.failed else 0


def run_suites(tally, wanted):
    if "product" in wanted:
        product_suite(tally)
    for suite in [s for s in MESON_SUITES if s in wanted]:
        meson_suite(tally, BUILD, suite)
    if "web" in wanted:
        web_suite(tally)
    e2e = ROOT / "test/e2e"
    if "e2e" in wanted:
        node_suite(tally, "e2e", sorted(e2e.glob("*.test.mjs")), JOBS)
    if "replay" in wanted:
        node_suite(tally, "replay", sorted((ROOT / "test/real/replay").glob("*.test.mjs")), JOBS)
    if "browser" in wanted:
        files = sorted((e2e / "browser").glob("*.test.mjs"))
        node_suite(tally, "browser", [f for f in files if "--all" in sys.argv or f.name not in LONG_BROWSER], 1)
    if "chaos" in wanted:
        chaos_suite(tally)
    for name, suite in (("clang", clang_suite), ("tsan", tsan_suite), ("valgrind", valgrind_suite), ("fuzz", fuzz_suite)):
        if name in wanted:
            suite(tally)
    if "package" in wanted:
        node_suite(tally, "package", sorted((ROOT / "test/package").glob("*.test.mjs")), 1)


if __name__ == "__main__":
    sys.exit(main())
