"""Players that read: language models and programs, what they are sent, and what can go wrong."""

from __future__ import annotations

import io
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from typer.testing import CliRunner

import battlebox as bb
from battlebox.arena import Plan, match_of, standings, tournament, write_csv
from battlebox.arena.plan import Result, play, results_of
from battlebox.arena.report import page
from battlebox.bots import AnswerStats, LanguageBot, ask, parse_bot
from battlebox.bots.language import LanguageSpec, endpoint
from battlebox.bots.language.messages import Answer, Format, Heard, Question
from battlebox.bots.language.prompt import bare
from battlebox.cli.app import app
from battlebox.core.errors import BotError, BotForfeit, BotTimeout, RulesetError
from battlebox.core.match import Match
from battlebox.games import NAMES
from battlebox.terminal import resume, watch
from battlebox.terminal.files import save

SHORT = bb.load("war_zone", start_health=5)
WAYS: dict[str, dict[str, Any]] = {
    "war_zone": {"players": 3, "start_health": 3},
    "battleball": {"max_plies": 4},
    "battle": {"players": 4, "target_points": 1},
}
PYTHON = sys.executable
#: answers with the first choice that it can find in what it reads
READS = """
import json, re, sys
for line in sys.stdin:
    q = json.loads(line)
    shown = q["prompt"] if q["format"] == "drawn" else ""
    found = re.search(r"\\[(\\d+)\\]", shown) or re.search(r"such as (\\S+) or", shown)
    answer = q["choices"][0]["key"] if q["choices"] else found[1] if found else "no idea"
    print(json.dumps({"answer": answer, "tokens_in": 7, "tokens_out": 1, "cost": 0.5}), flush=True)
"""
Write = Callable[..., str]


@pytest.fixture
def program(tmp_path: Path) -> Write:
    """program(text, how): the word of a program of that text."""

    def make(text: str, how: str = "", name: str = "player.py") -> str:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return f"llm{how}:{PYTHON} {path}"

    return make


def answering(code: str) -> str:
    """The text of a program that does this with each line."""
    return f"import json, os, sys, time\nfor line in sys.stdin:\n    {code}\n"


class Says:
    """Somebody who is asked, and what they were asked."""

    def __init__(self, *answers: str | Callable[[Question], str]) -> None:
        self.answers, self.asked = answers, list[Question]()

    def ask(self, question: Question, seconds: float | None) -> Heard:
        answer = self.answers[len(self.asked) % len(self.answers)]
        self.asked.append(question)
        return Heard(Answer(answer=answer if isinstance(answer, str) else answer(question)))


def reader(rules: Any, talker: Any, format: Format = Format.MENU, **more: Any) -> LanguageBot:
    how = {"attempts": 3, "forfeits": False, "think": None} | more
    return LanguageBot(talker, rules, 5, word="llm:x", format=format, **how)


def at_a_choice(rules: Any, seed: int = 1, position: str | None = None) -> Match:
    """A match at the first decision with more than one choice."""
    m = rules.match(seed, position=position)
    while len(m.legal_actions) == 1:
        m.submit(m.to_act, m.legal_actions[0])
    return m  # type: ignore[no-any-return]


# ---- every game, every format --------------------------------------------------------------------
@pytest.mark.parametrize("format", [*Format])
@pytest.mark.parametrize("name", NAMES)
def test_a_program_plays_a_match(name: str, format: Format, program: Write) -> None:
    rules = bb.load(name, **WAYS.get(name, {}))
    plan = Plan(rules, ("random", program(READS, f"+{format}")), 3)
    result = play(plan, 0)
    assert match_of(plan, result).over
    seats = plan.seats(0)
    for who, stats in zip(seats, result.answers, strict=True):
        assert (stats is None) == (who == 0)
        if stats:
            assert stats.decisions > 0
            assert stats.answers == stats.tokens_out
            assert stats.answers * 7 == stats.tokens_in
            assert stats.cost == stats.answers * 0.5
            if format is Format.WORD:  # it cannot know any
                assert (stats.illegal, stats.random) == (3 * stats.decisions, stats.decisions)
            else:
                assert (stats.illegal, stats.random) == (0, 0)
                assert stats.answers == stats.decisions


@pytest.mark.parametrize("name", NAMES)
def test_what_is_read_in_each_format(name: str) -> None:
    """All choices and their words in a menu; as words none of them, but how moves are written."""
    rules, dice = bb.load(name, **WAYS.get(name, {})), random.Random(name)
    m = at_a_choice(rules)
    for _ in range(8):
        scene, seat = m.scene(m.to_act), m.to_act
        assert seat is not None
        told = dict[Format, Question]()
        for format in Format:
            says = Says(scene.choices[-1].word)
            bot = reader(rules, says, format)
            assert ask(bot, m, seat) == scene.choices[-1].action
            (told[format],) = says.asked
            assert bot.stats.decisions == bot.stats.answers == 1
            assert (told[format].seat, told[format].game) == (seat, rules.name)
            assert f"You are Seat {seat}." in told[format].instructions
            assert told[format].table in told[format].prompt
            assert all(x in told[format].prompt for x in m.log(seat))
        listed = told[Format.MENU].choices
        assert listed is not None
        assert {x.word for x in listed} == {c.word for c in scene.choices}
        assert told[Format.WORD].choices is told[Format.DRAWN].choices is None
        assert "[1] " not in told[Format.WORD].prompt
        assert rules.game.words_explained
        assert rules.game.words_explained in told[Format.WORD].instructions
        m.submit(seat, dice.choice(m.legal_actions))
        while len(m.legal_actions) == 1:
            m.submit(m.to_act, m.legal_actions[0])
        if m.over:
            break


def test_it_hears_what_happened_since_its_last_decision() -> None:
    m, says = SHORT.match(2), Says("1")
    bot, heard = reader(SHORT, says), 0
    while not m.over:
        if m.to_act == 0:
            before = len(says.asked)
            action = ask(bot, m, 0)
            if len(says.asked) > before:
                assert says.asked[-1].happened == m.log(0, heard)
                heard = len(m.events(0))
            m.submit(0, action)
        else:
            m.submit(1, m.legal_actions[0])
    assert len(says.asked) > 3


def test_after_an_undo_it_hears_only_what_is_new() -> None:
    m, says = SHORT.match(2), Says("1")
    bot = reader(SHORT, says)
    m.submit(0, ask(bot, m, 0))
    while m.to_act != 0:
        m.submit(1, m.legal_actions[0])
    ask(bot, m, 0)
    bot.hear(())
    bot.hear(m.events(0)[:1])
    bot.choose(m.observation(0))
    assert len(says.asked[-1].happened) <= 1


def test_after_an_undo_that_was_played_on_it_hears_what_came_in_its_place() -> None:
    m, says = SHORT.match(2), Says("1")
    bot = reader(SHORT, says)
    m.submit(0, ask(bot, m, 0))
    while m.to_act != 0:
        m.submit(1, m.legal_actions[0])
    events = m.events(0)
    ask(bot, m, 0)
    k = next(k for k, x in enumerate(events) if x.event is not events[-1].event)
    others = [*events[:k], events[-1], *events[k + 1 :]]
    bot.hear(others)
    bot.choose(m.observation(0))
    names = SHORT.match(0).names
    told = [SHORT.game.scenes.say(SHORT, x, 0, names) for x in others[k:]]
    assert says.asked[-1].happened == [x for x in told if x]


def test_matches_have_names_of_which_the_deal_does_not_follow() -> None:
    m, says = SHORT.match(2), Says("1")
    for _ in range(2):
        ask(reader(SHORT, says), m, 0)
    assert says.asked[0].match != says.asked[1].match


def test_it_is_told_of_all_cards() -> None:
    """Of those of an own deck, too, as a person can read of them."""
    m, says = SHORT.match(2), Says("1")
    ask(reader(SHORT, says), m, 0)
    told = says.asked[0].instructions
    assert all(piece.label in told for x in SHORT.components for piece in x.pieces)


def test_nothing_is_read_of_a_sealed_choice() -> None:
    """Whatever the other player has laid face down, the question is the same to the last byte."""
    rules, told = bb.load("medieval"), set[str]()
    first = at_a_choice(rules)
    for action in first.legal_actions:
        m, says = rules.match(first.seed), Says("1")
        for seat, word in first.history:
            m.submit(seat, word)
        m.submit(m.to_act, action)
        assert m.to_act is not None
        bot = reader(rules, says)
        ask(bot, m, m.to_act)
        told |= {q.model_dump_json(exclude={"match"}) for q in says.asked}
    assert len(first.legal_actions) > 1
    assert len(told) == 1


def test_where_there_is_no_choice_nobody_is_asked() -> None:
    rules = bb.load("battleball")
    m, says = rules.match(1), Says("1")
    while len(m.legal_actions) != 1:
        m.submit(m.to_act, m.legal_actions[-1])
    assert m.to_act is not None
    bot = reader(rules, says)
    assert ask(bot, m, m.to_act) == m.legal_actions[0]
    assert bot.stats == AnswerStats()
    assert says.asked == []


# ---- what an answer means ------------------------------------------------------------------------
@pytest.mark.parametrize(
    "answer",
    [
        "{key}",
        "[{key}]",
        "{word}",
        "`{word}`",
        "I think that this is best.\n\n**Answer: {word}**\n",
        "Final answer: [{key}] {word}  {label}",
        "{label}.",
        '"{key}"',
    ],
)
def test_models_wrap_their_answers(answer: str) -> None:
    m = at_a_choice(SHORT)
    choice = m.scene(0).choices[1]

    def said(q: Question) -> str:
        assert q.choices
        (key,) = (x.key for x in q.choices if x.word == choice.word)
        return answer.format(key=key, word=choice.word, label=choice.label)

    bot = reader(SHORT, Says(said))
    assert ask(bot, m, 0) == choice.action
    assert bot.stats.illegal == 0


def test_what_stands_in_a_word_stays() -> None:
    assert bare("f14*") == "f14"  # which is tried only where "f14*" itself means nothing
    m = at_a_choice(bb.load("battleball"))
    words = [c.word for c in m.scene(m.to_act).choices]
    assert len({bare(x) for x in words}) == len(words)


DEFENCE = (
    "wz1 n=2 hs=3 ph=DEFEND turn=1 act=0 health=20.14 hand0=TR.GM hand1=IF disc=RE.AR last=AR@1 "
    "latk=AR pend=AR>0+"
)
REFUSALS = {
    "nothing": ("", "menu", r"Your answer is empty\."),
    "blank": (" \n\n ", "menu", r"Your answer is empty\."),
    "a speech": ("I would " + "rather " * 50, "menu", r"The last line of your answer is too long"),
    "no word": ("dance", "menu", r"'dance' is not one of your choices: it is not an action: "),
    "no number": ("7", "menu", r"'7' is not one of your choices: it is not an action"),
    "no tag": ("[7]", "menu", r"'\[7\]' is not one of your choices: it is not an action"),
    "a number not shown": ("1", "word", r"'1' is not one of your choices"),
    "a tag not shown": ("[1]", "word", r"'\[1\]' is not one of your choices"),
    "of another question": ("IF>1", "menu", r"'IF>1' is a move, but not an answer to what you"),
    "at oneself": (
        "IF>0",
        "menu",
        r"you cannot attack yourself \(WZ-21\)\.$|is a move, but not an",
    ),
    "not held": (
        "BW",
        "menu",
        r"'BW' is not legal now\. You do not have the card or piece for it\. ",
    ),
    "of no use": ("GM", "menu", r"Gas Mask does not block Artillery: only Trench would\. WZ-22: "),
    "two things": ("[1] GM", "menu", r"\[1\] is '.*', but 'GM' says something else\."),
}


@pytest.mark.parametrize("what", REFUSALS)
def test_each_refusal_says_why(what: str) -> None:
    answer, format, why = REFUSALS[what]
    m = SHORT.match(1, position=DEFENCE)
    says = Says(answer)
    bot = reader(SHORT, says, Format(format))
    before = m.digest()
    assert ask(bot, m, 0) in m.legal_actions
    assert m.digest() == before
    assert (bot.stats.answers, bot.stats.illegal, bot.stats.random) == (3, 3, 1)
    first, second, third = says.asked
    assert [q.attempt for q in says.asked] == [1, 2, 3]
    assert first.refused == []
    assert re.search(why, second.refused[0].why), second.refused[0].why
    assert second.refused[0].why in second.prompt
    assert "You have 2 attempts left." in second.prompt
    assert len(third.refused) == 2
    assert "This is your last attempt." in third.prompt


@pytest.mark.parametrize("name", NAMES)
def test_whatever_is_answered_it_is_said_why_not(name: str) -> None:
    """Also the words of other positions, at random decisions, and what no game knows."""
    rules, dice = bb.load(name, **WAYS.get(name, {})), random.Random(name)
    words, said = {"🦆", "\x00", "-1", "1e5", "a" * 150, "[", "()", "*", "٣", "pass pass"}, 0
    m = rules.match(1)
    for _ in range(120):
        if m.over:
            m = rules.match(2)
        if len(m.legal_actions) > 1:
            says = Says(*dice.sample(sorted(words), 3))
            assert ask(reader(rules, says, Format.WORD), m, m.to_act or 0) in m.legal_actions
            for x in says.asked[-1].refused:
                assert x.why[-1] in ".!?)", x.why
                assert " " in x.why
                said += 1
        words |= {*m.legal_words()}
        m.submit(m.to_act, dice.choice(m.legal_actions))
    assert said > 20


def test_of_several_choices_it_is_said_between_which() -> None:
    m = at_a_choice(SHORT)
    says = Says("put", "pass")
    assert m.word(ask(reader(SHORT, says), m, 0)) == "pass"
    assert re.match(r"'put' could be: \[1\] Put .*; \[2\] Put ", says.asked[1].refused[0].why)


def test_a_move_by_lot_follows_from_the_seed() -> None:
    m = at_a_choice(SHORT)
    chosen = {ask(reader(SHORT, Says("xyzzy")), m, 0) for _ in range(3)}
    assert len(chosen) == 1


def test_it_forfeits_if_its_word_says_so(program: Write) -> None:
    word = program(answering("print(json.dumps({'answer': 'xyzzy'}), flush=True)"), "+2+forfeit")
    plan = Plan(SHORT, ("random", word))
    result = play(plan, 0)
    (seat,) = (p for p, who in enumerate(plan.seats(0)) if who == 1)
    assert result.forfeited == seat
    assert result.returns[seat] == -1
    stats = result.answers[seat]
    assert stats
    assert (stats.decisions, stats.answers, stats.illegal, stats.random) == (1, 2, 2, 0)
    results = tournament(plan, 4, workers=1)
    assert f"{word} forfeited 4 of them: 2 answers to a decision were illegal." in standings(
        results
    )
    assert not match_of(plan, result).over
    with pytest.raises(BotForfeit, match=r"2 illegal answers, which forfeits .*'xyzzy' is not one"):
        ask(bb.bot(word, SHORT), at_a_choice(SHORT), 0)


# ---- words ---------------------------------------------------------------------------------------
def test_words_say_how_to_ask() -> None:
    spec = parse_bot("llm+word+5+forfeit:prog --a=b 'c d'", 3.0)
    assert spec == LanguageSpec(
        "llm+word+5+forfeit:prog --a=b 'c d'",
        ("prog", "--a=b", "c d"),
        format=Format.WORD,
        attempts=5,
        forfeits=True,
        think=3.0,
    )
    spec = parse_bot("https+drawn://host:1/v1/#a/b:c")
    assert isinstance(spec, LanguageSpec)
    assert (spec.url, spec.model) == ("https://host:1/v1", "a/b:c")
    assert (spec.format, spec.attempts, spec.forfeits) == (Format.DRAWN, 3, False)
    assert parse_bot("llm:x") == LanguageSpec("llm:x", ("x",), format=Format.MENU)


WRONG_WORDS = {
    "llm:": "write llm:COMMAND",
    "llm:  ": "write llm:COMMAND",
    "llm:a 'b": "its command is not well formed: No closing quotation",
    "llm+menue:a": r"\+menue says nothing; did you mean 'menu'\?",
    "llm+:a": r"\+ says nothing; known: menu, word, drawn, forfeit, a number of attempts",
    "llm+menu+word:a": "it says one thing twice",
    "llm+2+3:a": "it says one thing twice",
    "llm+0:a": r"attempts are 1 \.\. 20",
    "llm+21:a": r"attempts are 1 \.\. 20",
    "http:": "write http://HOST/PATH#MODEL",
    "http://#m": "write http://HOST/PATH#MODEL",
    "http://host/v1": "say which model, as in http://host/v1#MODEL",
    "http://host/v1#": "say which model, as in http://host/v1#MODEL",
    "http://host:x/v1#m": "Port could not be cast",
    "http://[::1/v1#m": "Invalid IPv6 URL",
    "https://user:sesame@host/v1#m": "no bot at https://host/v1: .* a key is taken from BATTLEBOX",
    "https://host/v1?key=sesame#m": "no bot at https://host/v1: .* a key is taken from BATTLEBOX",
    "lml:a": "no bot 'lml:a'",
}


@pytest.mark.parametrize("word", WRONG_WORDS)
def test_wrong_words(word: str) -> None:
    with pytest.raises(RulesetError, match=WRONG_WORDS[word]) as e:
        parse_bot(word)
    assert "sesame" not in str(e.value)


def test_a_command_that_does_not_exist_is_found_before_anything_is_played(tmp_path: Path) -> None:
    out = tmp_path / "a.jsonl"
    with pytest.raises(BotError, match=r"llm:no_such_program x: there is no program 'no_such_prog"):
        tournament(Plan(SHORT, ("random", "llm:no_such_program x")), 4, workers=1, out=out)
    assert not out.exists()


# ---- programs ------------------------------------------------------------------------------------
WRONG_PROGRAMS = {
    "ends at once": ("import sys; sys.exit(3)", r"the program ended with exit code 3$"),
    "ends": (answering("sys.exit()"), r"the program ended with exit code 0$"),
    "cannot be run": ("", r"the program ended with exit code 126$"),
    "is killed": (answering("os.kill(os.getpid(), 9)"), r"the program ended with exit code 137$"),
    "no JSON": (answering("print('hello', flush=True)"), r"'hello' is no answer: it is not JSON\."),
    "no text": (
        answering("sys.stdout.buffer.write(b'\\xff\\xfe\\n'); sys.stdout.flush()"),
        "is no answer: it is not JSON",
    ),
    "no answer": (answering("print('{}', flush=True)"), r"'{}' is no answer: 'answer' is missing"),
    "a list": (answering("print('[1]', flush=True)"), r"'\[1\]' is no answer: "),
    "strange tokens": (
        answering("""print('{"answer": "1", "tokens_in": -1}', flush=True)"""),
        "is no answer: tokens_in",
    ),
    "no number": (
        answering("""print('{"answer": "1", "cost": NaN}', flush=True)"""),
        "is no answer: cost",
    ),
    "a long line": (
        answering("print('x' * 2_000_000, flush=True)"),
        "a line of more than 1,000,000",
    ),
}


@pytest.mark.parametrize("what", WRONG_PROGRAMS)
def test_what_programs_do_wrong(what: str, program: Write) -> None:
    text, wrong = WRONG_PROGRAMS[what]
    word = program(text)
    if what == "cannot be run":
        path = Path(word.rpartition(" ")[2])
        path.chmod(0o700)
        word = f"llm:{path}"
    with pytest.raises(BotError, match=wrong) as e:
        play(Plan(SHORT, ("random", word), 5), 0)
    assert re.match(r"match 0 \(seed 5\), decision \d+, seat \d .*: llm:", str(e.value))
    m = at_a_choice(SHORT)
    with pytest.raises(BotError, match=wrong):  # started again, it does the same
        ask(bb.bot(word, SHORT), m, 0)


def test_an_answer_too_many_is_an_error(program: Write) -> None:
    """It would be taken for that to the next question."""
    word = program(answering('print(\'{"answer": "1"}\\n{"answer": "2"}\', flush=True)'))
    bot, m = bb.bot(word, SHORT), at_a_choice(SHORT)
    ask(bot, m, 0)
    program_lines = bot.talker._lines  # type: ignore[attr-defined]
    program_lines.put(program_lines.get())  # the second line has come
    with pytest.raises(BotError, match=r"more than a line for one question: '{.answer.: .2.}'"):
        ask(bot, m, 0)


@pytest.fixture
def alive(tmp_path: Path) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """What a program does first, so that one can wait for its end and that of all its children;
    then what they have written there.
    """
    os.mkfifo(path := tmp_path / "alive")
    pipe = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    os.set_blocking(pipe, True)

    def ended() -> bytes:
        return b"".join(iter(lambda: os.read(pipe, 100), b""))

    code = (
        f"import os, subprocess, sys\nheld = os.open({str(path)!r}, os.O_WRONLY)\n"
        "os.set_inheritable(held, True)\nos.write(held, b'!')\n"
        f"subprocess.Popen([sys.executable, '-c', 'import sys; sys.stdin.read()'],"
        " close_fds=False, stdin=subprocess.PIPE)\n"
    )
    yield code, ended
    os.close(pipe)


Alive = tuple[str, Callable[[], bytes]]


def test_who_never_answers_forfeits_and_is_ended(program: Write, alive: Alive) -> None:
    """By the clock, of whose speed nothing is expected. Its children end with it."""
    first, ended = alive
    word = program(first + answering("time.sleep(10_000)"))
    plan = Plan(SHORT, ("random", word), 5, think=2.0)
    result = play(plan, 0)
    assert plan.seats(0)[result.forfeited or 0] == 1
    ended()
    assert f'"think": {plan.think}' in plan.header
    with pytest.raises(BotTimeout, match="no answer within 2 s, which forfeits the match"):
        ask(bb.bot(word, SHORT, think=2.0), at_a_choice(SHORT), 0)
    ended()


def test_who_reads_nothing_is_ended_too(program: Write, alive: Alive) -> None:
    """However long the question is."""
    first, ended = alive
    bot = bb.bot(program(first + "import time; time.sleep(10_000)"), SHORT, think=2.0)
    says = Says("1")
    ask(reader(SHORT, says), m := at_a_choice(SHORT), 0)
    long = says.asked[0].model_copy(update={"table": "x" * 1_000_000})
    with pytest.raises(BotTimeout):
        bot.talker.ask(long, 2.0)  # type: ignore[attr-defined]
    ended()
    assert m.history == []


def test_what_is_wrong_leaves_nothing_running(program: Write, alive: Alive) -> None:
    first, ended = alive
    with pytest.raises(BotError, match="it is not JSON"):
        play(Plan(SHORT, ("random", program(first + answering("print('x', flush=True)")))), 0)
    ended()


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_program_ends_with_who_started_it(how: int, program: Write, alive: Alive) -> None:
    """Even if that is killed, while the program is busy."""
    first, ended = alive
    word = program(first + answering("print(os.getpid(), file=sys.stderr); time.sleep(10_000)"))
    code = (
        "import battlebox as bb; r = bb.load('war_zone'); "
        f"bb.bot({word!r}, r).choose(r.match(1).observation(0))"
    )
    with subprocess.Popen([PYTHON, "-c", code], stderr=subprocess.PIPE) as parent:
        assert parent.stderr
        assert parent.stderr.readline().strip().isdigit(), "it has been asked"
        parent.send_signal(how)
        ended()
        assert parent.wait() == -how


def test_when_nothing_more_is_asked_it_can_put_its_things_in_order(
    program: Write, alive: Alive
) -> None:
    first, ended = alive
    word = program(first + READS + "os.write(held, b'bye')\n")
    code = (
        "import battlebox as bb; r = bb.load('war_zone'); "
        f"bb.bot({word!r}, r).choose(r.match(1).observation(0))"
    )
    subprocess.run([PYTHON, "-c", code], check=True)
    assert ended() == b"!bye"


def test_an_arena_of_several_processes_leaves_nothing_running(program: Write, alive: Alive) -> None:
    first, ended = alive
    plan = Plan(SHORT, ("random", program(first + READS)), 1)
    results = tournament(plan, 6, workers=2)
    assert results.readers[0].stats.illegal == 0
    ended()


# ---- tournaments ---------------------------------------------------------------------------------
def test_a_tournament_says_how_they_answered(program: Write, tmp_path: Path) -> None:
    """Two that read and one that does not; one of them errs at each second decision."""
    errs = READS.replace("q =", "n = globals().get('n', 0) + 1; q =").replace(
        '{"answer": answer', '{"answer": "xyzzy" if n % 3 == 0 else answer'
    )
    words = ("random", program(READS, name="good.py"), program(errs, name="errs.py"))
    plan, out = Plan(SHORT, words, 1), tmp_path / "a.jsonl"
    results = tournament(plan, 12, workers=1, out=out)
    good, bad = results.readers
    assert (good.stats.illegal, good.illegal.value) == (0, 0.0)
    assert 0 < bad.illegal.low < bad.illegal.value < bad.illegal.high < 1
    assert bad.stats.answers == bad.stats.decisions + bad.stats.illegal
    assert bad.stats.random == 0
    assert bad.cost
    assert bad.cost.value == pytest.approx(bad.stats.answers * 0.5 / 8), "of twelve, eight are its"
    for found in (bad.seconds, bad.cost):
        assert found.low < found.value < found.high
    text = standings(results)
    assert f"{bad.cost.value:.3g} ({bad.cost.low:.3g} .. {bad.cost.high:.3g})" in text
    row = next(x for x in text.splitlines() if x.startswith(words[2]) and " menu " in x)
    assert f"{100 * bad.illegal.value:.1f} %" in row
    assert f"0 of {bad.stats.decisions}" in row
    assert "rating" in text
    assert "How they answered" in page(results, "battlebox arena")
    write_csv(results, tmp_path / "a.csv")
    head, *rows = (tmp_path / "a.csv").read_text(encoding="utf-8").splitlines()
    column = head.split(",").index("illegal_0")
    errors = sum(int(x.split(",")[column + 8 * p] or 0) for x in rows for p in range(2))
    assert errors == bad.stats.illegal
    again = tournament(plan, 12, workers=1, out=out)  # nothing is played again
    assert again.matches == results.matches
    for result in again.matches:
        if result.answers:
            m = match_of(plan, result)
            assert m.returns == result.returns
            assert len(m.history) == result.decisions
        else:
            with pytest.raises(ValueError, match="its actions were not kept"):
                match_of(plan, result)
    longer = tournament(plan, 18, workers=1, out=out)
    assert longer.matches[:12] == results.matches


def test_with_one_bot_there_are_ratings_too(program: Write) -> None:
    text = standings(tournament(Plan(SHORT, ("random", program(READS))), 4, workers=1))
    assert "rating" in text
    assert "illegal answers" in text
    assert "rating" not in standings(tournament(Plan(SHORT, ("random", "random")), 4, workers=1))


@pytest.mark.parametrize(
    "more",
    [
        {"answers": [None, {"answers": -1}]},
        {"answers": [None, {"wishes": 1}]},
        {"answers": [None, 3]},
        {"answers": 3},
        {"actions": [3]},
    ],
)
def test_a_journal_with_strange_answers_is_refused(more: dict[str, Any]) -> None:
    lines = results_of(Plan(SHORT, ("random", "llm:x")))
    good = {"match": 0, "returns": [1, -1], "decisions": 3}
    assert lines.read(good)[1] == Result(0, (1.0, -1.0), 3)
    with pytest.raises((ValueError, TypeError)):
        lines.read(good | more)


def test_a_result_is_read_as_it_was_written() -> None:
    lines = results_of(Plan(SHORT, ("random", "llm:x")))
    stats = AnswerStats(decisions=2, answers=3, illegal=1, seconds=0.1, cost=0.2)
    result = Result(4, (1.0, -1.0), 7, None, (None, stats), ("a", "b"))
    text = json.dumps(lines.write(4, result))
    assert lines.read(json.loads(text)) == (4, result)
    assert "tokens" not in text


def test_costs_add_up_where_they_are_told() -> None:
    one, other = AnswerStats(answers=1, cost=0.5), AnswerStats(answers=2, tokens_in=3)
    assert one + other == AnswerStats(answers=3, cost=0.5, tokens_in=3)


def test_the_one_that_failed_is_named(program: Write) -> None:
    """Also where the same program plays under another word, and errs only there."""
    word = program(READS.replace("found[1] if found", "1 / 0 if found is None"))
    plan = Plan(SHORT, (word, word.replace("llm", "llm+word", 1)))
    with pytest.raises(BotError, match=r"\): llm\+word:.*: the program ended with exit code 1$"):
        tournament(plan, 2, workers=1)


def test_two_that_read_may_be_the_same(program: Write) -> None:
    word = program(READS)
    plan = Plan(SHORT, (word, word))
    assert plan.names == (word, f"{word} #2")
    assert [x.stats.decisions > 0 for x in tournament(plan, 2, workers=1).readers] == [True] * 2


# ---- the command line and the terminal -----------------------------------------------------------
def test_the_command_tells_options_from_commands(program: Write) -> None:
    word = program("import sys; assert sys.argv[1] == '--a=b'\n" + READS) + " --a=b"
    words = ["arena", "war_zone", "random", word, "start_health=5", "--matches", "2"]
    done = CliRunner().invoke(app, [*words, "--workers", "1"])
    assert done.exit_code == 0, done.exception
    assert "illegal answers" in done.output


def test_it_is_watched(program: Write) -> None:
    console = Console(file=io.StringIO(), width=100)
    m = watch(SHORT, ["random", program(READS)], 3, pace=0, console=console)
    assert m.over


def test_at_a_terminal_it_is_said_where_it_failed(program: Write) -> None:
    word = program(answering("print('hello', flush=True)"))
    with pytest.raises(BotError, match=r"it is not JSON.*; seat 1, decision \d+, seed 3$"):
        watch(SHORT, ["random", word], 3, pace=0, console=Console(file=io.StringIO()))


@pytest.mark.parametrize("word", ["llm:touch ran", "http://127.0.0.1:9/v1#m"])
def test_a_match_file_starts_no_program(word: str, tmp_path: Path) -> None:
    save(path := tmp_path / "a.match", SHORT.match(1), ["random", word])
    with pytest.raises(RulesetError, match="plays only if you name it: add --seats"):
        resume(path)


# ---- the documents -------------------------------------------------------------------------------
EXAMPLE = Path(__file__).parent.parent / "examples" / "language_player.py"


def test_the_example_plays_well_enough() -> None:
    plan = Plan(SHORT, ("random", f"llm:{PYTHON} {EXAMPLE}"))
    results = tournament(plan, 20, workers=1)
    assert results.readers[0].stats.illegal == 0
    assert results.pair(1, 0).share > 0.5


GUIDE = (EXAMPLE.parent.parent / "docs" / "language-models.md").read_text(encoding="utf-8")


def test_the_program_of_the_guide_is_the_example() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)
    assert EXAMPLE.read_text(encoding="utf-8").endswith(f'"""\n\n{code}')


def test_the_guide_shows_the_protocol() -> None:
    chapter = GUIDE.split("\n### The protocol\n")[1]
    (shown,) = re.findall(r"```json\n(.*?)```", chapter, re.DOTALL)
    assert list(json.loads(shown)) == list(Question.model_fields)
    assert Question.model_validate_json(shown)
    for key in (*Question.model_fields, *Answer.model_fields):
        assert f"`{key}`" in GUIDE
    assert f"`{endpoint.KEY}`" in GUIDE


def test_a_player_may_be_a_line_of_another_language() -> None:
    if shutil.which("jq") is None:
        pytest.skip("there is no jq")
    word = "llm:jq --unbuffered --compact-output '{answer: .choices[0].key}'"
    assert word in GUIDE
    assert play(Plan(SHORT, ("random", word)), 0).answers
