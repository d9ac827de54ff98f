#!/usr/bin/env python3
"""Builds the documentation as a site with a search in build/docs/site, without a network.

The pages stay readable in the repository: those that docs/SUMMARY.md names are copied with adjusted links, and mdBook builds the site from the
copies. A linked file that is not a page is copied too. A link to a missing file, or to a page that docs/SUMMARY.md does not name, is an error.
"""

from __future__ import annotations

import os
import posixpath
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
BOOK = ROOT / "build/docs"
MDBOOK = ROOT / "build/tools/bin/mdbook"

# A link or picture: the text before the target, the target, its anchor.
LINK = re.compile(r"(!?\[(?:[^\[\]]|\[[^\]]*\])*\]\()([^)\s#]*)(#[^)\s]*)?(\))")
# Languages that the site's highlighter does not know, and their replacements.
UNKNOWN = {"cmake": "text"}
FENCE = re.compile(r"^(```|~~~)")


# Pages that come below another one without being named: each with the title that it has.
FOLDERS = {"docs/measuring.md": "bench/results", "docs/adr/README.md": "docs/adr"}


class Broken(Exception):
    """The pages do not fit together."""


def place(page: str) -> str:
    """Where a page of the repository is in the book: the first page of a folder is its index."""
    folder, name = posixpath.split(page)
    return posixpath.join(folder, "index.md") if name == "README.md" else page


def named(summary: str) -> list[str]:
    """The pages that the summary names, as paths from the repository's root."""
    return [posixpath.normpath(posixpath.join("docs", target)) for _, target, _, _ in LINK.findall(summary)]


def whole(summary: str) -> str:
    """The summary with the pages of FOLDERS that it does not name, after those below the same page."""
    known = set(named(summary))
    lines = summary.split("\n")
    for parent, folder in FOLDERS.items():
        at = next(number for number, line in enumerate(lines) if parent in named(line)) + 1
        while at < len(lines) and lines[at].startswith("  "):
            at += 1
        for path in sorted((ROOT / folder).glob("*.md")):
            page = path.relative_to(ROOT).as_posix()
            if page not in known:
                title = path.read_text(encoding="utf-8").split("\n", 1)[0].removeprefix("# ")
                lines.insert(at, f"  - [{title}]({posixpath.relpath(page, 'docs')})")
                at += 1
    return "\n".join(lines)


class Site:
    def __init__(self) -> None:
        self.summary = whole((DOCS / "SUMMARY.md").read_text(encoding="utf-8"))
        self.pages = named(self.summary)
        self.problems: list[str] = []
        self.source = BOOK / "src"

    def target(self, page: str, link: str) -> str:
        """The target of a page's link in the book."""
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page), link))
        found = ROOT / path
        if path.startswith("..") or not found.exists():
            self.problems.append(f"{page}: {link} does not exist")
            return link
        if found.is_dir():
            if (found / "README.md").is_file():
                path += "/README.md"
            else:
                # A folder of sources has no page: its name is enough.
                return ""
        if path.endswith(".md"):
            if path not in self.pages:
                self.problems.append(f"{page}: {link} is not in docs/SUMMARY.md")
        else:
            copied = self.source / path
            copied.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / path, copied)
        return posixpath.relpath(place(path), posixpath.dirname(place(page)) or ".")

    def line(self, page: str, text: str) -> str:
        def changed(match: re.Match[str]) -> str:
            begin, link, anchor, end = match.groups()
            if not link or re.match(r"[a-z]+:", link):
                return match[0]
            target = self.target(page, link)
            if not target:
                return begin.lstrip("![").removesuffix("](")
            return f"{begin}{target}{anchor or ''}{end}"

        return LINK.sub(changed, text)

    def text(self, page: str, text: str) -> str:
        """A page with adjusted links; code stays unchanged."""
        lines, code = [], False
        for line in text.split("\n"):
            fence = FENCE.match(line.strip()) is not None
            if fence and not code:
                # What comes after the language is for the tests.
                language = line.strip()[3:].split(" ")[0]
                line = line[: len(line) - len(line.lstrip())] + line.strip()[:3] + UNKNOWN.get(language, language)
            code ^= fence
            lines.append(line if code or fence else self.line(page, line))
        return "\n".join(lines)

    def build(self) -> None:
        shutil.rmtree(BOOK, ignore_errors=True)
        self.source.mkdir(parents=True)
        for page in self.pages:
            if not (ROOT / page).is_file():
                self.problems.append(f"docs/SUMMARY.md: {page} does not exist")
                continue
            copied = self.source / place(page)
            copied.parent.mkdir(parents=True, exist_ok=True)
            copied.write_text(self.text(page, (ROOT / page).read_text(encoding="utf-8")), encoding="utf-8")
        missing = sorted(set(git_pages()) - set(self.pages))
        self.problems += [f"docs/SUMMARY.md does not name {page}" for page in missing]
        if self.problems:
            raise Broken("\n".join(sorted(set(self.problems))))
        summary = LINK.sub(lambda m: f"{m[1]}{place(posixpath.normpath(posixpath.join('docs', m[2])))}{m[4]}", self.summary)
        (self.source / "SUMMARY.md").write_text(summary, encoding="utf-8")
        for name in ("book.toml", "site.css"):
            shutil.copyfile(DOCS / name, BOOK / name)
        done = subprocess.run([MDBOOK, "build", "--dest-dir", BOOK / "site", BOOK], capture_output=True, text=True, check=False, env={**os.environ, "NO_COLOR": "1"})
        noise = [line for line in done.stderr.splitlines() if "WARN" in line or "ERROR" in line]
        if done.returncode or noise:
            raise Broken("\n".join(noise) or done.stderr)


def git_pages() -> list[str]:
    """The pages of docs/ that somebody might look for: all of them."""
    return [path.relative_to(ROOT).as_posix() for path in sorted(DOCS.rglob("*.md")) if path.name != "SUMMARY.md"]


def main() -> int:
    if not MDBOOK.is_file():
        print("docs: no mdBook; scripts/docs-setup.sh makes it", file=sys.stderr)
        return 1
    site = Site()
    try:
        site.build()
    except Broken as broken:
        print(f"docs: {broken}", file=sys.stderr)
        return 1
    print(f"{len(site.pages)} pages: build/docs/site/index.html")
    return 0


if __name__ == "__main__":
    sys.exit(main())
