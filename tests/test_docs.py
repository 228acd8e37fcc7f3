"""What the documents promise is so: code runs, commands exist, links lead somewhere."""

from __future__ import annotations

import ast
import re
import shlex
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner

import battlebox as bb
from battlebox.cli import app
from battlebox.games import is_path

ROOT = Path(__file__).parent.parent
DOCUMENTS = sorted(
    [
        *(*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")),
        *ROOT.glob("src/battlebox/games/*/*.md"),
        *ROOT.glob("examples/*/src/*/README.md"),
    ]
)
TEXTS = {str(p.relative_to(ROOT)): p.read_text(encoding="utf-8") for p in DOCUMENTS}
LINES_MOST = 900
WIDTH = 100  # columns


def blocks(text: str, *languages: str) -> list[str]:
    """The fenced blocks of these languages, without their common indentation."""
    found = re.findall(r"^( *)```(\w*)[^\n]*\n(.*?)^\1```", text, re.MULTILINE | re.DOTALL)
    return [
        re.sub(rf"(?m)^{indent}", "", body).replace("\\\n", "")
        for indent, lang, body in found
        if lang in languages
    ]


def commands() -> list[tuple[str, str]]:
    """Every `battlebox ...` line of a shell block, and in running text: (document, command)."""
    found = []
    for name, text in TEXTS.items():
        lines = [x for block in blocks(text, "sh", "bash", "console") for x in block.splitlines()]
        lines += re.findall(r"`(battlebox [a-z][^`\n]*)`", text)
        found += [(name, x.strip()) for x in lines if x.strip().startswith("battlebox ")]
    return found


def tracked() -> list[Path]:
    """The files that git knows, or would take in."""
    names = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if names.returncode:
        pytest.skip("not a git checkout")
    return [p for x in names.stdout.split("\0") if x and (p := ROOT / x).is_file()]


PROGRAMS = [  # decisions show fragments
    name for name, text in TEXTS.items() if "docs/" not in name and blocks(text, "python")
]


# ---- code ----------------------------------------------------------------------------------------
def test_the_documents_are_there() -> None:
    assert {"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"} <= set(TEXTS)
    assert (ROOT / "LICENSE").is_file()
    assert len(blocks(TEXTS["README.md"], "python")) >= 1


@pytest.mark.compiled
@pytest.mark.xdist_group("war_zone")
@pytest.mark.parametrize("name", PROGRAMS)
def test_python_blocks_run_as_written(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for block in blocks(TEXTS[name], "python"):
        exec(compile(block, f"{name}: python", "exec"), {"__name__": "__main__"})
    assert list(tmp_path.iterdir()) == []


def test_the_first_block_is_about_ten_lines() -> None:
    block = blocks(TEXTS["README.md"], "python")[0]
    assert len([x for x in block.splitlines() if x.strip()]) <= 15


# ---- commands ------------------------------------------------------------------------------------
def test_the_documents_show_commands() -> None:
    shown = {verb for _, c in commands() for verb in shlex.split(c, comments=True)[1:2]}
    assert {"play", "join", "watch", "replay", "verify", "games", "scenario"} <= shown
    assert {"arena", "balance", "tune", "bench"} <= shown


@pytest.mark.parametrize(("name", "command"), commands())
def test_every_command_shown_exists_with_its_options(name: str, command: str) -> None:
    words = shlex.split(command, comments=True)[1:]
    verb = [w for w in words[:1] if not w.startswith("-")]  # none: the server itself
    asked = CliRunner().invoke(app, [*verb, "--help"], env={"COLUMNS": "200"})
    assert asked.exit_code == 0, f"{name}: {command}"
    known = set(re.findall(r"--[a-z-]+", asked.output))
    assert {w.partition("=")[0] for w in words if w.startswith("--")} <= known
    named = words[1:2] if verb != ["new-game"] else []  # which is not there yet
    for game in [w for w in named if w.islower() and "_" in w and "." not in w]:
        assert game in bb.games()


def test_every_option_of_a_game_shown_exists() -> None:
    for name, command in commands():
        words = shlex.split(command, comments=True)
        for w in words[2:] if not is_path(" ".join(words[2:3])) else ():  # a reader's own game
            key, equals, _ = w.partition("=")
            key = key.partition(".")[0]  # a number of a deck
            if equals and not w.startswith("--"):
                game = words[2] if words[2] in bb.games() else bb.games()[0]
                options = type(bb.load(game).options).model_fields
                assert key in options, f"{name}: {command}"


def test_the_targets_of_make_shown_exist() -> None:
    made = set(re.findall(r"(?m)^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8")))
    texts = [
        x for text in TEXTS.values() for x in (*blocks(text, "sh"), *re.findall("`.*?`", text))
    ]
    shown = {x for text in texts for x in re.findall(r"(?m)^`?make ([a-z-]+)", text)}
    assert {"play", "test"} <= shown
    assert shown <= made


def test_scenarios_shown_hold() -> None:
    from battlebox.core import scenario
    from battlebox.games import find

    shown = [
        b
        for b in blocks(TEXTS["CONTRIBUTING.md"], "")
        if b.lstrip().startswith("scenario ") and "expect" in b
    ]
    assert shown
    for block in shown:
        for sc in scenario.parse(block):
            scenario.run(find("war_zone"), sc)


@pytest.mark.parametrize(
    "path",
    [*DOCUMENTS, *ROOT.glob("bench/*.md"), *ROOT.glob("tests/**/*.md")],
    ids=lambda x: x.name,
)
def test_lines_wrap(path: Path) -> None:
    """All but those of tables, those with links, what a program prints, and scenarios."""
    text = path.read_text(encoding="utf-8")
    for printed in blocks(text, "", "scn"):
        text = text.replace(printed, "")
    long = [x for x in text.splitlines() if len(x) > WIDTH and not re.match(r" *\||.*\]\(", x)]
    assert not long, long[0]


# ---- links and words -----------------------------------------------------------------------------
@pytest.mark.parametrize("name", TEXTS)
def test_links_lead_to_files(name: str) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", TEXTS[name]):
        if "://" not in target:
            assert ((ROOT / name).parent / target).exists(), target


@pytest.mark.parametrize("name", ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_source_files_named_exist(name: str) -> None:
    """`core/x.py` and the like, wherever in the package."""
    for path in re.findall(r"`((?:[\w.]+/)*[\w.]+\.(?:py|toml|scn))`", TEXTS[name]):
        if "my-" not in path:
            assert list(ROOT.glob(f"**/{path}")), path


def test_every_game_stands_in_the_readme() -> None:
    for name in bb.games():
        assert f"games/{name}/README.md" in TEXTS["README.md"]


def test_the_version_stands_in_the_changelog_and_where_it_is_cited() -> None:
    assert bb.__version__ in TEXTS["CHANGELOG.md"]
    assert f"\nversion: {bb.__version__}\n" in (ROOT / "CITATION.cff").read_text("utf-8")


def test_no_file_names_what_only_its_makers_have() -> None:
    """No registry host, no path outside the project. The words are put together here."""
    dot = "."
    hosts = [
        dot.join(x)
        for x in (
            ("pypi", "org"),
            ("files", "pythonhosted", "org"),
            ("registry", "npmjs", "org"),
            ("npmjs", "com"),
            ("anaconda", "org"),
            ("proxy", "golang", "org"),
            ("crates", "io"),
        )
    ]
    paths = ["/".join(x) for x in (("..", "shared"), ("", "work", "main"), ("", "work", "shared"))]
    files = tracked()
    assert ROOT / "README.md" in files
    for path in files:
        text = path.read_bytes().decode("utf-8", "replace")
        for word in (*hosts, *paths):
            assert word not in text, f"{path.relative_to(ROOT)} names {word}"


def test_no_source_file_is_longer_than_a_person_reads() -> None:
    for path in ROOT.glob("src/**/*.py"):
        lines = path.read_text(encoding="utf-8").count("\n")
        assert lines <= LINES_MOST, f"{path.relative_to(ROOT)}: {lines} lines"


PACKAGES = sorted(
    p.parent
    for p in (ROOT / "src" / "battlebox").glob("**/__init__.py")
    if p.parent.parent.name != "games" and p.parent.name != "template"  # which are games
    if len(list(p.parent.glob("*.py"))) > 3
)


@pytest.mark.parametrize("package", PACKAGES, ids=lambda x: x.name)
def test_a_package_maps_its_modules(package: Path) -> None:
    """Its docstring names each of its modules and packages once, and nothing that is not there."""
    doc = ast.get_docstring(ast.parse((package / "__init__.py").read_text(encoding="utf-8")))
    cells = [re.split(r" {2,}", row.strip()) for row in (doc or "").splitlines()]
    named = [name for row in cells if len(row) > 1 for name in row[::2]]
    tree = {p.name for p in package.glob("*.py")} - {"__init__.py"}
    tree -= {p.name for p in package.glob("test_*.py")}
    tree |= {p.parent.name for p in package.glob("*/__init__.py")}
    assert sorted(named) == sorted(tree)


def test_the_words_of_the_architecture_are_where_it_says() -> None:
    rows = re.findall(
        r"^\| ([^|]+) \|[^|]+\| `(\S+\.py)` `(\w+)` \|$", TEXTS["ARCHITECTURE.md"], re.M
    )
    assert len(rows) == 21
    for word, path, name in rows:
        text = (ROOT / "src" / "battlebox" / path).read_text(encoding="utf-8")
        assert re.search(rf"^ *(class|def) {name}\b|self\.{name}: ", text, re.M), word
