"""Builds the development workload: the artifacts and ``workload.jsonl``, from the folders in ``sources``.

``python build.py`` builds everything, ``python build.py SLUG ...`` some artifacts and all requests; ``--check`` then
opens each artifact and says which quotes do not stand in it. The project is installed with its extra ``test`` for this.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

# Everything below this folder is shipped, and compiled modules are not part of that.
sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from building.artifacts import build_artifact, slugs_in  # noqa: E402
from building.requests import folders_with_requests, requests_of, write_workload  # noqa: E402

SOURCES, ARTIFACTS, WORKLOAD = HERE / "sources", HERE / "artifacts", HERE / "workload.jsonl"


def main(arguments: list[str] | None = None) -> int:
    """Build what was asked for; return 1 where a quote does not resolve."""
    parser = argparse.ArgumentParser(description="Build the artifacts and the requests of the development workload.")
    parser.add_argument("slugs", nargs="*", help="folders in sources; all by default")
    parser.add_argument("--check", action="store_true", help="look for every quote in the built artifacts")
    options = parser.parse_args(arguments)
    known = slugs_in(SOURCES)
    folders = {folder.name for folder in folders_with_requests(SOURCES)}
    unknown = [slug for slug in options.slugs if slug not in known and slug not in folders]
    if unknown:
        parser.error(f"no folder in sources is called {', '.join(unknown)}")
    for slug in known:
        if not options.slugs or slug in options.slugs:
            path = build_artifact(SOURCES / slug, ARTIFACTS)
            print(f"built {path.relative_to(HERE).as_posix()}")
    wrong = report(options.slugs) if options.check else 0
    print(f"{write_workload(SOURCES, WORKLOAD)} requests in {WORKLOAD.name}")
    return wrong


def report(slugs: list[str]) -> int:
    """Print what the check found, per folder of sources and artifact."""
    from building.checking import check

    wrong = 0
    for folder in folders_with_requests(SOURCES):
        if slugs and folder.name not in slugs:
            continue
        requests = requests_of(folder)
        for artifact in dict.fromkeys(str(request["artifact"]) for request in requests):
            chosen = [request for request in requests if request["artifact"] == artifact]
            done = check(folder.name, HERE / artifact, chosen)
            wrong += len(done.missing)
            print(
                f"{done.slug}: {done.artifact}: {done.files} files, {done.pages} pages, {done.headings} headings, "
                f"{done.tokens} tokens, {done.requests} requests, {done.quotes} quotes, "
                f"{len(done.missing)} missing, {len(done.ambiguous)} ambiguous"
            )
            for said in done.missing:
                print(f"  missing    {said}")
            for said in done.ambiguous:
                print(f"  ambiguous  {said}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
