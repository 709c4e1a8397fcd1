#!/usr/bin/env python3
"""What was built, into place or out of it: tools/install.py install|uninstall PREFIX DESTDIR

meson.build says what goes where. Taking it away needs no record of an installation: it is the same list, looked up again."""
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"


def meson(*words, **options):
    return subprocess.run(["meson", *words], check=True, stdout=subprocess.PIPE, text=True, **options).stdout


def configured_prefix():
    options = json.loads(meson("introspect", "--buildoptions", str(BUILD)))
    return next(o["value"] for o in options if o["name"] == "prefix")


def installed():
    """Each file that an installation makes, below the configured prefix."""
    for source, target in json.loads(meson("introspect", "--installed", str(BUILD))).items():
        source, target = pathlib.Path(source), pathlib.Path(target)
        if source.is_dir():
            yield from (target / file.relative_to(source) for file in source.rglob("*") if file.is_file())
        else:
            yield target


def install(prefix, destdir):
    if configured_prefix() != prefix:
        meson("configure", str(BUILD), f"-Dprefix={prefix}")
        subprocess.run(["ninja", "-C", str(BUILD), "--quiet"], check=True)
    environment = {**os.environ, "DESTDIR": destdir} if destdir else os.environ
    meson("install", "-C", str(BUILD), "--no-rebuild", "--quiet", env=environment)
    print(f"ostler is in {destdir}{prefix}")


def uninstall(prefix, destdir):
    old, count = configured_prefix(), 0
    for target in installed():
        place = pathlib.Path(f"{destdir}{prefix}") / target.relative_to(old)
        if place.exists() or place.is_symlink():
            place.unlink()
            count += 1
        if place.parent.name == "ostler" and place.parent.is_dir() and not any(place.parent.iterdir()):
            place.parent.rmdir()  # share/doc/ostler is nobody else's
    print(f"{count} files of ostler are gone from {destdir}{prefix}")


def main():
    action, prefix, destdir = (sys.argv[1:] + ["", ""])[:3]
    if action not in ("install", "uninstall") or not prefix.startswith("/"):
        sys.exit("usage: tools/install.py install|uninstall PREFIX [DESTDIR], PREFIX absolute")
    if not (BUILD / "build.ninja").exists():
        sys.exit("install: there is no build/ to tell what is installed: make build")
    (install if action == "install" else uninstall)(prefix.rstrip("/") or "/", destdir.rstrip("/"))


main()
