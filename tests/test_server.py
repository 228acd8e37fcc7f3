"""What people do in a room: sit down, play, talk about undo and draw, come back, play again."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from serving import (
    PATIENCE,
    ROOMY,
    InThread,
    Seat,
    in_a_loop,
    in_thread,
    invitations,
    let_pass,
    plain,
    take_seat,
    until,
)

import battlebox as bb
from battlebox.bots import levels
from battlebox.core.fair import commitment
from battlebox.core.laws import another_truth
from battlebox.core.match import Match
from battlebox.games.battleball.testing import OWN_TEAM
from battlebox.protocol import PROTOCOL
from battlebox.protocol.commands import Undo
from battlebox.protocol.deltas import changed
from battlebox.server.clock import ManualClock
from battlebox.server.log_events import Acted, Undone, read_event
from battlebox.server.session import BOT_NAMES, Refused, Session, clean_name
from battlebox.server.store import Entry
from battlebox.server.views import ViewKey

DECK = Path(bb.__file__).parent / "games" / "war_zone" / "decks" / "warzone-half.toml"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InThread]:
    with in_thread(tmp_path_factory.mktemp("data"), **ROOMY) as running:
        yield running


class Person(Seat):
    """Somebody on a seat of a match."""

    def __init__(self, server: InThread, match: str, seat: int, token: str) -> None:
        super().__init__(server, match, token)
        self.match, self.number, self.token = match, seat, token


@contextlib.contextmanager
def seated(server: InThread, *seats: str, **more: Any) -> Iterator[list[Person]]:
    """A new match; people on the seats that are "you" or "open"."""
    made = server.make(list(seats), **more)
    keys = invitations(server, made)
    for p in keys:
        if p != made["seat"]:
            keys[p] = take_seat(server, made["id"], keys[p], f"Ben{p}")
    with contextlib.ExitStack() as stack:
        people = [stack.enter_context(Person(server, made["id"], p, keys[p])) for p in sorted(keys)]
        for x in people:
            x.look()
        yield people


def catch_up(server: InThread, people: list[Person]) -> None:
    """Everybody hears all that was sent so far."""
    for x in people:
        view = server.room(x.match).views[ViewKey(x.number)]
        while x.frame.get("n") != view.n or x.room != json.loads(view.room):
            x.hear()


def play(server: InThread, people: list[Person], steps: int = 10**6, seed: int = 1) -> None:
    """Random moves of the seats to move."""
    dice = random.Random(seed)
    for k in range(steps):
        catch_up(server, people)
        if people[0].room["end"]:
            return
        mover = next(x for x in people if x.frame["scene"]["choices"])
        action = dice.choice(mover.frame["scene"]["choices"])["action"]
        answer = mover.act(f"{seed}-{k}", action)
        assert answer["type"] == "ack", answer


# ---- a match from its beginning to its end -------------------------------------------------------
def test_the_games_are_told_with_all_that_a_form_needs(server: InThread) -> None:
    games = server.ask("GET", "/api/games").json()
    assert [g["name"] for g in games] == bb.games()
    for g in games:
        low, high = g["players"]
        assert 2 <= low <= high <= 10
        assert g["levels"] == list(levels(bb.load(g["name"]).game))
        assert set(g["human_defaults"]) <= set(g["options"]["properties"])
        for mode in g["modes"]:
            bb.load(g["name"], **{**g["human_defaults"], **mode["options"]})


@pytest.mark.parametrize("name", bb.games())
def test_the_rules_page_has_every_rule_under_its_id(server: InThread, name: str) -> None:
    told = server.ask("GET", f"/api/games/{name}/rules").json()
    assert len(told["rules"]) > 20
    for id in told["rules"]:
        assert told["html"].count(f'id="{id}"') == 1
    ids = re.findall(r' id="(.*?)"', told["brief"] + told["html"])
    assert len(ids) == len(set(ids)), "chapters of both parts too"
    assert "In a minute" in told["brief"]
    assert "<script" not in told["brief"] + told["html"]
    headings = re.findall(r"<h2 [^>]*>(.*?)</h2>", told["html"])
    assert "Options" in headings
    assert not set(headings) & {"Notation", "How long it takes", "Measured"}
    assert "scenario" not in " ".join(headings).lower()


OWN_DECK = (Path(bb.__file__).parent / "games/medieval/decks/medieval-default.toml").read_text()


def test_what_a_mode_and_a_match_are_played_with(server: InThread) -> None:
    """By mode, with the options that people start from; of a match with its own deck."""

    def names(path: str) -> list[str]:
        told = server.ask("GET", f"/api/{path}/components").json()
        return [piece["name"] for family in told["families"] for piece in family["pieces"]]

    def of_mode(mode: str) -> str:
        told = server.ask("GET", "/api/games/medieval/components", params={"mode": mode}).json()
        return str(told)

    assert "Plague" in names("games/medieval")
    assert "Assassin" not in of_mode("Standard")
    assert "Assassin" in of_mode("Court")
    missing = server.ask("GET", "/api/games/medieval/components", params={"mode": "Nope"})
    assert missing.status_code == 404
    own = OWN_DECK.replace('"Plague"', '"Black Death"')
    made = server.make(["you", "open"], game="medieval", deck=own)
    assert "Black Death" in names(f"matches/{made['id']}")
    assert "Black Death" not in names("games/medieval")


def test_two_people_play_to_the_end(server: InThread) -> None:
    with seated(server, "you", "open") as people:
        ada, ben = people
        fair = ada.room["fair"]
        assert fair["secret"] is None
        play(server, people)
        end = ada.room["end"]
        assert end["reason"] == "rules"
        assert end == ben.room["end"]
        assert sorted(end["returns"]) == [-1, 1]
        assert ada.room["may"] == ben.room["may"] == ["rematch"]
        told = ada.room["fair"]
        assert told["commitment"] == fair["commitment"] == commitment(bytes.fromhex(told["secret"]))
        text = server.ask("GET", f"/api/matches/{ada.match}/record").text
    match = bb.replay(text)
    assert match.over
    assert match.returns == tuple(end["returns"])
    assert f"fair {fair['commitment']} {told['secret']}" in text
    assert text.startswith("# seats: human human\n# names: Ada, Ben1\n")


def test_what_was_told_is_what_the_match_tells(server: InThread) -> None:
    """The frames, put together as a client does, give the log and the last scene."""
    with seated(server, "you", "open", "open") as people:
        play(server, people, 40)
        catch_up(server, people)
        match = server.room(people[0].match).session.match
        for seat, person in enumerate(people):
            told: list[str] = []
            for m in map(json.loads, person.heard):
                if m["type"] == "frame":
                    assert m["keep"] <= len(told)
                    told[m["keep"] :] = [x["text"] for x in m["told"]]
            assert [x for x in told if x] == match.log(seat)
            assert person.frame["scene"] == json.loads(json.dumps(match.scene(seat).to_dict()))


@pytest.mark.compiled
@pytest.mark.xdist_group("war_zone")
def test_bots_play_along(server: InThread) -> None:
    made = server.make(["you", "easy", "random", "medium"])
    with Seat(server, made["id"], made["token"]) as ada:
        dice, done = random.Random(1), -1
        while not ada.room.get("end"):
            n, choices = ada.frame.get("n", -1), ada.frame.get("scene", {}).get("choices")
            if n > done and choices:
                ada.act(f"k{n}", dice.choice(choices)["action"])
                done = n
            else:
                ada.hear()
        names = [x["name"] for x in ada.room["seats"]]
        assert names == ["Ada", *BOT_NAMES[:3]]
        assert all(x["here"] for x in ada.room["seats"])


def test_bots_among_themselves_are_watched(server: InThread) -> None:
    made = server.make(["random", "random"])
    assert (made["seat"], made["token"]) == (None, None)
    with Seat(server, made["id"], None) as watcher:
        while not watcher.room.get("end"):
            watcher.hear()
        assert watcher.room["may"] == []


def test_a_deal_can_be_chosen(server: InThread) -> None:
    scenes = []
    for seed in (7, 7, 8):
        with seated(server, "you", "open", seed=seed) as people:
            assert people[0].room["fair"] == {"commitment": None, "secret": None}
            scenes.append(people[0].frame["scene"]["zones"])
    assert scenes[0] == scenes[1] != scenes[2]


def test_a_deck_of_ones_own(server: InThread) -> None:
    text = DECK.read_text().replace("Infantry Fire", "Water Fight")
    with seated(server, "you", "open", deck=text) as people:
        play(server, people, 12)
        assert "Water Fight" in "".join(x for p in people for x in p.heard)


def test_a_team_of_ones_own(server: InThread) -> None:
    """Played, and told as its file has it; the log on disk holds it."""
    with seated(server, "you", "open", game="battleball", deck=OWN_TEAM) as people:
        play(server, people, 40)
        heard = "".join(x for p in people for x in p.heard)
        assert "Sprinter R1 lines up" in heard
        assert "Crane" in heard
        record = server.room(people[0].match).session.match.record()
        assert bb.replay(record).rules.text == OWN_TEAM


def test_options_and_mode_reach_the_room(server: InThread) -> None:
    more = {"options": {"speedy": True, "cycle": 1}, "mode": "Speedy"}
    with seated(server, "you", "open", **more) as people:
        assert people[0].room["mode"] == "Speedy"
        assert people[0].room["options"] == "2 players; Speedy game: yes"


@pytest.mark.parametrize(
    ("game", "options", "said"),
    [
        ("war_zone", {"hand_size": 99}, "Cards in hand = 99: input should be less than or equal"),
        ("iron_man", {"start": 9}, "First card = 9 is not before Victory cards = 5"),
    ],
)
def test_a_wrong_option_is_told_by_the_name_people_know(
    server: InThread, game: str, options: dict[str, int], said: str
) -> None:
    wanted = {"game": game, "options": options, "seats": ["you", "easy"]}
    error = server.ask("POST", "/api/matches", json=wanted).json()["error"]
    assert error["message"].startswith(said)
    assert error["where"].startswith("options")


# ---- who sits where ------------------------------------------------------------------------------
def test_invitations_are_for_the_host_alone_and_end_when_taken(server: InThread) -> None:
    made = server.make(["open", "you", "open"])
    keys = invitations(server, made)
    assert set(keys) == {0, 1, 2}
    with Seat(server, made["id"], keys[1]) as host, Seat(server, made["id"], keys[0]) as guest:
        guest.look()
        assert (guest.room["you"], guest.room["invited"]) == (None, 0)
        assert guest.room["invitations"] == {}
        assert guest.frame["scene"]["viewer"] is None  # they have not sat down: they see no hand
        assert guest.act("a", 0)["error"]["code"] == "not_allowed"
        taken = guest.want("take_seat", "b", name="Ben")
        assert taken["type"] == "ack"
        while guest.room["invited"] is not None:
            guest.hear()
        while set(host.room.get("invitations", {})) != {"2"}:
            host.hear()
        assert host.room["seats"][0] == {
            **{"seat": 0, "name": "Ben", "kind": "person", "level": ""},
            **{"here": False, "resigned": False, "replaced": False},
        }
        with Seat(server, made["id"], taken["token"]) as ben:
            assert ben.look()["scene"]["viewer"] == 0
            assert (
                ben.want("fill_seat", "c", seat=2, level="random")["error"]["code"] == "not_allowed"
            )
        assert (
            host.want("fill_seat", "d", seat=0, level="random")["error"]["code"] == "not_possible"
        )
        assert (
            host.want("fill_seat", "e", seat=2, level="genius")["error"]["code"] == "not_possible"
        )
        assert host.want("fill_seat", "f", seat=2, level="random")["type"] == "ack"
        while host.room["seats"][2]["kind"] != "bot":
            host.hear()
        assert host.room["invitations"] == {}
    with Seat(server, made["id"], keys[2]) as late:
        assert late.look()["scene"]["viewer"] is None
        assert late.want("take_seat", "g", name="Cem")["error"]["code"] == "not_allowed"


def test_an_invitation_shows_nobody_the_hand_of_who_took_the_seat(server: InThread) -> None:
    """The host knows every invitation: the friends' cards are theirs all the same."""
    made = server.make(["you", "open"])
    invitation = invitations(server, made)[1]
    with Seat(server, made["id"], invitation) as guest:
        first = guest.want("take_seat", "sit", name="Ben")
    with Seat(server, made["id"], invitation) as host:
        assert host.look()["scene"]["viewer"] is None
        assert host.want("take_seat", "mine", name="Eve")["error"]["code"] == "taken"
    answer = server.ask("GET", f"/api/matches/{made['id']}", invitation).json()
    assert answer["room"]["you"] is None
    assert (
        server.ask("GET", f"/api/matches/{made['id']}", first["token"]).json()["room"]["you"] == 1
    )


def test_who_knows_a_match_by_its_id_takes_an_open_seat(server: InThread) -> None:
    made = server.make(["you", "open", "open"])
    path, links = (f"/api/matches/{made['id']}/{x}" for x in ("join", "links"))
    for seat, name in ((1, "Ben"), (2, "Cleo")):
        assert server.ask("GET", links).json()["links"] == [], "a link to watch could take a seat"
        place = server.ask("POST", path).json()
        assert place["seat"] == seat
        take_seat(server, made["id"], place["token"], name)
    [watch] = server.ask("GET", links).json()["links"]
    assert watch["url"].endswith(f"/match/{made['id']}")
    answer = server.ask("POST", path)
    assert answer.status_code == 409
    assert answer.json()["error"]["code"] == "taken"
    assert "you can watch it" in answer.json()["error"]["message"]
    assert server.ask("POST", "/api/matches/nothing/join").status_code == 404


def test_names_are_told_in_sentences_and_never_twice(server: InThread) -> None:
    with seated(server, "you", "open") as (ada, ben):
        assert ben.want("rename", "n", name="  ada \n")["type"] == "ack"
        catch_up(server, [ada, ben])
        assert ada.room["seats"][1]["name"] == "ada 2"
        assert "ada 2" in json.dumps(ada.frame["scene"])
        assert "Ben1" not in json.dumps(ada.frame)
        assert ada.frame["keep"] == 0


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("Ada", "Ada"),
        ("  A\t\nda ", "A da"),
        ("\u202eAda", "Ada"),
        ("x" * 99, "x" * 24),
        ("日本", "日本"),
    ],
)
def test_names_are_made_fit_to_be_shown(given: str, shown: str) -> None:
    assert clean_name(given) == shown


@pytest.mark.parametrize("given", ["", "  ", "\u200b", "\x00", "you", "YOU"])
def test_what_is_no_name_is_refused(given: str) -> None:
    with pytest.raises(Refused):
        clean_name(given)


def test_several_windows_of_one_seat_show_the_same(server: InThread) -> None:
    with seated(server, "you", "open") as people:
        ada = people[0]
        with Seat(server, ada.match, ada.token) as again:
            again.hear_until("frame")
            play(server, people, 10)
            catch_up(server, people)
            while again.frame["n"] != ada.frame["n"]:
                again.hear()
            assert again.frame["scene"] == ada.frame["scene"]


# ---- going and coming ----------------------------------------------------------------------------
def test_who_is_away_is_shown(server: InThread) -> None:
    with seated(server, "you", "open") as (ada, ben):
        catch_up(server, [ada, ben])
        assert ada.room["seats"][1]["here"]
        ben.close()
        while ada.room["seats"][1]["here"]:
            ada.hear()


def come_back(server: InThread, person: Person, **seen: Any) -> list[dict[str, Any]]:
    """What somebody is sent first who says hello again, and what they have seen."""
    with server.dial(person.match) as socket:
        hello = {"type": "hello", "protocol": PROTOCOL, "token": person.token, **seen}
        socket.send(json.dumps(hello))
        socket.send(json.dumps({"type": "cancel", "id": "now"}))
        said = [json.loads(socket.recv(PATIENCE))]
        while said[-1].get("id") != "now":
            said.append(json.loads(socket.recv(PATIENCE)))
        assert said[0]["type"] == "room"
        return [m for m in said if m["type"] == "frame"]


def test_coming_back_tells_only_what_is_new(server: InThread) -> None:
    with seated(server, "you", "open") as people:
        play(server, people, 8)
        catch_up(server, people)
        ada = people[0]
        seen = ada.frame
        whole = server.room(ada.match).session.match
        heard = len(whole.events(0))
        play(server, people, 8, seed=2)
        catch_up(server, people)
        [frame] = come_back(server, ada, run=seen["run"], since=seen["n"])
        assert frame["keep"] == heard
        assert len(frame["told"]) == len(whole.events(0)) - heard
        for other in ({"run": "else", "since": 3}, {"run": seen["run"], "since": 10**6}, {}):
            [frame] = come_back(server, ada, **other)
            assert (frame["keep"], len(frame["told"])) == (0, len(whole.events(0)))
            assert plain(frame["scene"]) == ada.frame["scene"]


def test_who_has_the_picture_before_is_sent_what_has_changed(server: InThread) -> None:
    with seated(server, "you", "open") as people:
        play(server, people, 8)
        ada, compared = people[0], 0
        for k in range(6):
            catch_up(server, people)
            before = ada.frame
            run, n = before["run"], before["n"]
            assert come_back(server, ada, run=run, since=n) == []  # nothing is new
            play(server, people, 1, seed=10 + k)
            catch_up(server, people)
            now = ada.frame
            for known in range(-1, now["n"]):
                [frame] = come_back(server, ada, run=run, since=known)
                assert (frame["run"], frame["n"]) == (run, now["n"])
                assert frame.get("since") == (known if known == now["n"] - 1 >= 0 else None)
                assert ("changes" in frame) == ("scene" not in frame) == ("since" in frame)
                if "scene" in frame:
                    assert plain(frame["scene"]) == now["scene"]
                elif known == n:
                    assert plain(changed(before["scene"], frame["changes"])) == now["scene"]
                    compared += 1
        assert compared > 2


def test_a_frame_brings_the_views_that_led_to_it(server: InThread) -> None:
    """Whole pictures can be made of them; nobody gets them twice, and programs not at all."""
    with (
        seated(server, "you", "open", game="medieval", seed=3) as people,
        Seat(server, people[0].match, people[0].token, frames="data") as program,
    ):
        ada = people[0]
        match = server.room(ada.match).session.match
        program.look()
        met = 0
        for k in range(8):
            play(server, people, 1, seed=k)
            catch_up(server, people)
            expected = match.intermediate_views(0)
            assert [m["told"] for m in ada.frame.get("intermediate_views", [])] == [
                x.told for x in expected
            ]
            for m, x in zip(ada.frame.get("intermediate_views", []), expected, strict=True):
                assert m["zones"] == json.loads(json.dumps(x.scene.to_dict()))["zones"]
                assert (m["prompt"], m["title"]) == (x.scene.prompt, x.scene.title)
            met += len(expected)
        assert met > 20
        sent = json.loads(next(x for x in reversed(ada.heard) if '"intermediate_views"' in x))[
            "intermediate_views"
        ]
        whole = sum(len(x.scene.as_json) for x in expected)
        assert len(json.dumps(sent, separators=(",", ":"))) < whole / 3
        ada.want("rename", "anew", name="Zoë")
        catch_up(server, people)
        assert "intermediate_views" not in ada.frame
        [first] = come_back(server, ada)  # nothing leads up to the first picture
        assert "intermediate_views" not in first
        while program.frame["n"] < server.room(ada.match).views[ViewKey(0, "data")].n:
            program.hear()
        assert not any("intermediate_views" in text for text in program.heard)


def test_a_match_goes_on_after_the_server_was_ended(tmp_path: Path) -> None:
    with in_thread(tmp_path, **ROOMY) as server, seated(server, "you", "open") as people:
        play(server, people, 15)
        catch_up(server, people)
        match, keys = people[0].match, [x.token for x in people]
        before = [x.frame["scene"] for x in people]
    with (
        in_thread(tmp_path, **ROOMY) as server,
        Seat(server, match, keys[0]) as ada,
        Seat(server, match, keys[1]) as ben,
    ):
        assert [ada.look()["scene"], ben.look()["scene"]] == before


def test_matches_that_nobody_looks_at_leave_the_memory(tmp_path: Path) -> None:
    with in_thread(tmp_path, idle=0, **ROOMY) as server:
        ids = [server.make(["you", "open"])["id"] for _ in range(5)]
        assert server.rooms.live <= 1
        assert server.ask("GET", f"/api/matches/{ids[0]}").json()["room"]["id"] == ids[0]


def test_a_match_in_use_stays_however_many_others_there_are(tmp_path: Path) -> None:
    with (
        in_thread(tmp_path, live_matches=1, **ROOMY) as server,
        seated(server, "you", "open") as people,
    ):
        for _ in range(3):
            server.make(["you", "open"])
        play(server, people, 5)
        assert server.rooms.live <= 3


# ---- undo, draw, resign --------------------------------------------------------------------------
def undoable(server: InThread, people: list[Person]) -> Person:
    """Plays until somebody may take something back."""
    for k in range(300):
        catch_up(server, people)
        for x in people:
            if x.frame["undo"]:
                return x
        play(server, people, 1, seed=k)
    raise AssertionError("nobody could take anything back")


def test_undo_needs_the_consent_of_the_others(server: InThread) -> None:
    with seated(server, "you", "open", "open") as people:
        asker = undoable(server, people)
        match = server.room(asker.match).session.match
        steps = len(match.history)
        others = [x for x in people if x is not asker]
        assert asker.want("undo", "u1")["type"] == "ack"
        catch_up(server, people)
        asked = {"what": "undo", "by": asker.number, "waiting": [x.number for x in others]}
        assert all(x.room["proposal"] == asked for x in people)
        no = asker.want("answer", "u2", what="undo", yes=True)
        assert no["error"]["code"] == "not_possible"
        assert others[0].want("answer", "u3", what="undo", yes=True)["type"] == "ack"
        assert others[1].want("answer", "u4", what="undo", yes=False)["type"] == "ack"
        assert len(match.history) == steps
        assert asker.want("undo", "u5")["type"] == "ack"
        for k, x in enumerate(others):
            assert x.want("answer", f"u6{k}", what="undo", yes=True)["type"] == "ack"
        assert len(match.history) == steps - 1
        catch_up(server, people)
        for x in people:
            assert x.room["proposal"] is None
            assert x.frame["scene"] == json.loads(json.dumps(match.scene(x.number).to_dict()))


def test_alone_against_bots_one_goes_back_over_what_they_have_done(server: InThread) -> None:
    """To one's own last decision, at once; in an older log an undo took back one action."""
    seed, words = undone_over_a_bot()
    made = server.make(["you", "random"], seed=seed)
    setup = server.rooms.store.setup(made["id"])
    assert setup is not None
    session = Session(setup)
    for by, word in words:
        session.apply(Acted(seat=by, word=word))
    assert session.may_undo(0)
    event = session.decide(Undo(), 0)
    assert event == Undone(seat=0)
    session.apply(event)
    assert session.proposal is None
    assert session.deciding == (0,)
    assert session.match.history == words[: len(session.match.history)]
    assert words[len(session.match.history)][0] == 0
    older = Session(setup)
    for by, word in words[: len(session.match.history) + 1]:
        older.apply(Acted(seat=by, word=word))
    older.apply(read_event('{"undo": 0}'))
    assert older.match.digest() == session.match.digest()


def undone_over_a_bot() -> tuple[int, list[tuple[int, str]]]:
    """A seed and actions after which seat 0 may take something back that a bot has answered."""
    for seed in itertools.count():
        m, dice = bb.load("war_zone", players=2).match(seed), random.Random(seed)
        for _ in range(30):
            if m.history and m.history[-1][0] == 1 and not m.why_no_undo(0, alone=True):
                return seed, [(by, word) for by, word in m.history if by is not None]
            if m.to_act is not None:
                m.submit(m.to_act, dice.choice(m.legal_actions))
    raise AssertionError("never")


def test_who_plays_on_has_answered(server: InThread) -> None:
    with seated(server, "you", "open") as people:
        asker = undoable(server, people)
        assert asker.want("undo", "u1")["type"] == "ack"
        play(server, people, 1, seed=5)
        catch_up(server, people)
        assert asker.room["proposal"] is None


def test_what_somebody_has_learnt_cannot_be_taken_back(server: InThread) -> None:
    with seated(server, "you", "open") as people:
        answer = people[0].want("undo", "u")
        assert answer["error"]["code"] == "not_possible"
        assert "cannot be taken back: nothing has been done yet" in answer["error"]["message"]


def test_a_draw_is_agreed_on(server: InThread) -> None:
    with seated(server, "you", "open") as (ada, ben):
        assert ada.want("propose", "d1", what="draw")["type"] == "ack"
        assert ben.want("propose", "d2", what="draw")["error"]["code"] == "not_possible"
        assert ben.want("answer", "d3", what="undo", yes=True)["error"]["code"] == "not_possible"
        assert ben.want("answer", "d4", what="draw", yes=True)["type"] == "ack"
        catch_up(server, [ada, ben])
        assert ada.room["end"]["reason"] == "draw"
        assert ada.room["end"]["returns"] == [0, 0]
        text = server.ask("GET", f"/api/matches/{ada.match}/record").text
        assert "# ended: A draw was agreed on." in text
        assert not bb.replay(text).over
        assert ada.act("d5", 0)["error"]["code"] == "over"


def test_bots_agree_to_no_draw(server: InThread) -> None:
    with seated(server, "you", "random") as (ada,):
        assert ada.room["may_propose"] == []
        assert "Bots do not agree" in ada.want("propose", "d1", what="draw")["error"]["message"]


# ---- agreements of a game ------------------------------------------------------------------------
@contextlib.contextmanager
def on_the_field(server: InThread, **more: Any) -> Iterator[tuple[Person, Person]]:
    """Two coaches of Battleball who have lined up; the first is to choose a piece."""
    with seated(server, "you", "open", game="battleball", seed=7, **more) as people:
        for x in people:
            assert x.room["may_propose"] == ["draw"]
            words = {c["word"]: c["action"] for c in x.frame["scene"]["choices"]}
            assert x.act("l", words["preset:1"])["type"] == "ack"
            catch_up(server, people)
        mover = next(x for x in people if x.frame["scene"]["choices"])
        yield mover, next(x for x in people if x is not mover)


def move_on(x: Person, id: str) -> None:
    """Does the first of their choices."""
    action = x.frame["scene"]["choices"][0]["action"]
    assert x.act(id, action)["type"] == "ack"


def test_an_agreement_is_proposed_refused_and_made(server: InThread) -> None:
    with on_the_field(server) as (ada, ben), Seat(server, ada.match, None) as watching:
        both, match = [ada, ben], server.room(ada.match).session.match
        watching.look()
        assert watching.room["may_propose"] == []
        assert ada.room["may_propose"] == ben.room["may_propose"] == ["draw", "halt play"]
        for k, yes in enumerate((False, True)):
            before = match.digest()
            assert ada.want("propose", f"o{k}", what="halt play")["type"] == "ack"
            catch_up(server, both)
            asked = {"what": "halt play", "by": ada.number, "waiting": [ben.number]}
            assert ada.room["proposal"] == ben.room["proposal"] == asked
            assert ada.room["may_propose"] == ben.room["may_propose"] == []
            for x, what in ((ada, "halt play"), (ben, "draw"), (ben, "stop")):
                answer = x.want("answer", f"a{k}{what[0]}{x.number}", what=what, yes=True)
                assert answer["error"]["code"] == "not_possible"
            assert match.digest() == before
            assert ben.want("answer", f"y{k}", what="halt play", yes=yes)["type"] == "ack"
            catch_up(server, both)
            assert ada.room["outcome"] == {"what": "halt play", "by": ada.number, "accepted": yes}
            assert (match.digest() == before) == (not yes)
        assert match.history[-1] == (None, "halt play")
        assert (match.phase, ben.room["may_propose"]) == ("LINEUP", ["draw"])
        for x in both:
            assert "both coaches agree" in x.frame["told"][-1]["text"]
        late = ben.want("propose", "late", what="halt play")
        assert "You cannot propose 'halt play' now, only: draw." in late["error"]["message"]
        # either may ask to take it back
        assert ben.frame["undo"]
        assert ben.want("undo", "u")["type"] == "ack"
        assert ada.want("answer", "yu", what="undo", yes=True)["type"] == "ack"
        assert match.digest() == before


def test_an_agreement_that_is_proposed_lapses_with_the_next_move(server: InThread) -> None:
    with on_the_field(server) as (ada, ben):
        assert ben.want("propose", "o", what="halt play")["type"] == "ack"
        move_on(ada, "m")
        catch_up(server, [ada, ben])
        assert (ada.room["proposal"], ben.room["may_propose"]) == (None, ["draw"])
        answer = ada.want("answer", "y", what="halt play", yes=True)
        assert answer["error"]["code"] == "not_possible"
        assert ada.want("propose", "again", what="halt play")["error"]["code"] == "not_possible"
    with on_the_field(server) as (ada, ben):  # their own, too
        assert ada.want("propose", "o", what="halt play")["type"] == "ack"
        move_on(ada, "m")
        answer = ben.want("answer", "y", what="halt play", yes=True)
        assert answer["error"]["code"] == "not_possible"


def test_what_cannot_be_agreed_on_is_not_proposed(server: InThread) -> None:
    with on_the_field(server, options={"allow_agreed_halt": False}) as (ada, ben):
        assert ada.room["may_propose"] == ben.room["may_propose"] == ["draw"]
        before = server.mark(ada.match)
        for k, what in enumerate(("halt play", "undo", "stop", "")):
            answer = ada.want("propose", f"o{k}", what=what)
            assert answer["error"]["code"] == "not_possible"
            assert f"You cannot propose {what!r} now" in answer["error"]["message"]
        assert server.mark(ada.match) == before
    with seated(server, "you", "random", game="battleball") as (ada,):
        assert ada.room["may_propose"] == []
        answer = ada.want("propose", "o", what="halt play")
        assert "Bots do not agree" in answer["error"]["message"]


def test_an_agreement_is_in_the_log_and_in_the_record(server: InThread) -> None:
    """What memory has lost the log gives back, also between the proposal and the answer."""
    with on_the_field(server) as (ada, ben):
        id, seats = ada.match, (ada.number, ben.number)
        assert ada.want("propose", "o", what="halt play")["type"] == "ack"
        kept = server.mark(id)
    server.rooms._live.pop(id)
    with Person(server, id, seats[1], ben.token) as ben:
        ben.look()
        assert ben.room["proposal"] == {"what": "halt play", "by": seats[0], "waiting": [seats[1]]}
        assert server.mark(id) == kept
        assert ben.want("answer", "y", what="halt play", yes=True)["type"] == "ack"
        kept, history = server.mark(id), server.room(id).session.match.history
    server.rooms._live.pop(id)
    with Person(server, id, seats[1], ben.token) as ben:
        ben.look()
        assert server.mark(id) == kept
        assert server.room(id).session.match.history == history
        assert ben.want("answer", "y", what="halt play", yes=True)["type"] == "ack"  # done already
        assert server.mark(id) == kept
        assert ben.want("resign", "r")["type"] == "ack"
    text = server.ask("GET", f"/api/matches/{id}/record").text
    assert "\nagree halt play\n" in text
    assert bb.replay(text).history == history
    told = server.ask("GET", f"/api/matches/{id}/replay?from=2&to=3").json()["frames"][1]["told"]
    assert "both coaches agree" in told[-1]["text"]


def append(server: InThread, id: str, entry: Entry) -> None:
    """Writes to the log."""
    in_a_loop(server.rooms.store.append(id, entry))


def test_a_draw_in_a_log_of_before_is_still_proposed(server: InThread) -> None:
    with seated(server, "you", "open") as (ada, ben):
        id, length = ada.match, server.room(ada.match).session.length
        append(server, id, Entry(length, None, 0.0, '{"draw": 0}'))
    server.rooms._live.pop(id)
    with Person(server, id, 1, ben.token) as ben:
        ben.look()
        assert ben.room["proposal"] == {"what": "draw", "by": 0, "waiting": [1]}


def test_a_log_with_a_forged_agreement_is_damaged(server: InThread) -> None:
    with on_the_field(server) as (ada, _):
        session, id = server.room(ada.match).session, ada.match
        forged = [
            {"offer": "stop play", "seat": 0},
            {"answer": "stop play", "seat": 1, "yes": True},
        ]
        for k, body in enumerate(forged):
            append(server, id, Entry(session.length + k, None, 0.0, json.dumps(body)))
    server.rooms._live.pop(id)
    answer = server.ask("GET", f"/api/matches/{id}")
    assert answer.status_code == 409
    assert "'stop play' cannot be agreed on now" in answer.json()["error"]["message"]


def test_giving_up_with_two_seats_ends_it(server: InThread) -> None:
    with seated(server, "you", "open") as (ada, ben):
        assert ben.want("resign", "r")["type"] == "ack"
        catch_up(server, [ada, ben])
        assert ada.room["end"]["reason"] == "resigned"
        assert ada.room["end"]["returns"] == [1, -1]
        assert ada.room["end"]["text"] == "Ben1 gave up: Ada wins."


@pytest.mark.compiled
@pytest.mark.xdist_group("war_zone")
def test_giving_up_with_more_leaves_the_seat_to_a_bot(server: InThread) -> None:
    with seated(server, "you", "open", "open") as people:
        ada, ben, cem = people
        assert ben.want("resign", "r")["type"] == "ack"
        catch_up(server, people)
        assert ada.room["end"] is None
        assert ben.room["seats"][1]["resigned"]
        assert ben.want("resign", "r2")["error"]["code"] == "not_allowed"
        assert cem.want("resign", "r")["type"] == "ack"
        assert ada.want("resign", "r")["type"] == "ack"
        while not ada.room["end"]:
            ada.hear()
        assert ada.room["end"]["returns"] == [-1, -1, -1]


# ---- again ---------------------------------------------------------------------------------------
def test_a_rematch_turns_the_seats(server: InThread) -> None:
    with seated(server, "you", "open", "random") as people:
        ada, ben = people
        early = server.ask("POST", f"/api/matches/{ada.match}/rematch", ada.token)
        assert early.status_code == 409
        for x in people:
            x.want("resign", "r")
        catch_up(server, people)
        places = [
            server.ask("POST", f"/api/matches/{ada.match}/rematch", x.token).json()
            for x in (ada, ben, ada)
        ]
        assert len({x["id"] for x in places}) == 1
        assert [x["seat"] for x in places] == [1, 2, 1]
        while not ada.room["rematch"]:
            ada.hear()
        assert ada.room["rematch"] == places[0]["id"]
    with Seat(server, places[0]["id"], places[0]["token"]) as again:
        again.hear_until("room")
        assert [x["name"] for x in again.room["seats"]] == [BOT_NAMES[0], "Ada", "Ben1"]
        assert again.room["end"] is None
        assert again.room["fair"]["commitment"] != ada.room["fair"]["commitment"]


def test_a_replay_shows_every_step_to_every_seat(server: InThread) -> None:
    with seated(server, "you", "open") as people:
        play(server, people)
        id = people[0].match
        match = server.room(id).session.match
        for seat in (None, 0, 1):
            frames: list[dict[str, Any]] = []
            while True:
                query = {"from": len(frames), "to": len(frames) + 39}
                query |= {} if seat is None else {"seat": seat}
                told = server.ask("GET", f"/api/matches/{id}/replay", params=query).json()
                assert told["from"] == len(frames)
                frames += told["frames"]
                if not told["frames"] or len(frames) > told["steps"]:
                    break
            assert len(frames) == told["steps"] + 1 == len(match.history) + 1
            texts = [x["text"] for f in frames for x in f["told"] if x["text"]]
            assert texts == match.log(seat)
            assert plain(frames[-1]["scene"]) == json.loads(json.dumps(match.scene(seat).to_dict()))


def test_a_replay_plays_nothing_again(server: InThread, monkeypatch: pytest.MonkeyPatch) -> None:
    with seated(server, "you", "open") as people:
        play(server, people)
        id, taken = people[0].match, []
        take = Match._take
        monkeypatch.setattr(Match, "_take", lambda m, *a: [taken.append(a), take(m, *a)])
        path = f"/api/matches/{id}/replay"
        steps = server.ask("GET", path, params={"from": 0, "to": 0}).json()["steps"]
        assert steps > 20
        last = server.ask("GET", path, params={"from": steps, "seat": 1}).json()["frames"]
        assert len(last) == 1
        assert not taken
        assert server.ask("GET", f"{path}?from={steps + 1}").json()["frames"] == []
        monkeypatch.setattr("battlebox.server.routes.matches.REPLAY", 1)
        one = server.ask("GET", path, params={"from": steps - 3, "seat": 1}).json()["frames"]
        assert len(one) == 1  # at a time, where they are large


# ---- watching ------------------------------------------------------------------------------------
def test_spectators_see_what_everybody_may_know(server: InThread) -> None:
    with seated(server, "you", "open") as people, Seat(server, people[0].match, None) as watcher:
        play(server, people, 12)
        room = server.room(people[0].match)
        while watcher.frame.get("n") != room.views[ViewKey(None)].n:
            watcher.hear()
        match = room.session.match
        assert watcher.frame["scene"] == json.loads(json.dumps(match.scene(None).to_dict()))
        other = another_truth(match, None, random.Random(1)).scene(None)
        assert [z["id"] for z in watcher.frame["scene"]["zones"]] == [z.id for z in other.zones]
        assert watcher.want("resign", "r")["error"]["code"] == "not_allowed"


def test_spectators_may_be_made_to_wait(tmp_path: Path) -> None:
    clock = ManualClock()
    with (
        in_thread(tmp_path, clock=clock, **ROOMY) as server,
        seated(server, "you", "open", delay=3.0) as people,
        Seat(server, people[0].match, None) as watcher,
    ):
        early = watcher.look()
        play(server, people, 6)
        room = server.room(people[0].match)
        assert room.delayed.session.length < room.session.length
        clock.advance(2.999)
        assert server.at_rest(lambda: room.delayed.session.length) == 0
        assert watcher.frame == early
        let_pass(clock, 0.001)
        until(lambda: room.delayed.session.length == room.session.length)
        while watcher.frame.get("n") != room.views[ViewKey(None)].n:
            watcher.hear()
        wanted = room.session.match.scene(None)
        assert watcher.frame["scene"] == json.loads(json.dumps(wanted.to_dict()))


# ---- found by reading again ----------------------------------------------------------------------
def test_an_undo_that_a_resignation_settles_is_told_as_an_undo(server: InThread) -> None:
    with seated(server, "you", "open", "open") as people:
        asker = undoable(server, people)
        others = [x for x in people if x is not asker]
        match = server.room(asker.match).session.match
        steps = len(match.history)
        assert asker.want("undo", "u")["type"] == "ack"
        assert others[0].want("answer", "y", what="undo", yes=True)["type"] == "ack"
        assert others[1].want("resign", "r")["type"] == "ack"
        assert steps - 1 <= len(match.history)
        view = server.room(asker.match).views[ViewKey(asker.number)]
        until(lambda: len(view.told) == len(match.events(asker.number)))
        told = [x["text"] for x in map(json.loads, view.told) if x["text"]]
        assert told == match.log(asker.number)


def test_a_proposal_ends_with_the_match_and_with_who_gives_up(server: InThread) -> None:
    with seated(server, "you", "open") as (ada, ben):
        assert ada.want("propose", "d", what="draw")["type"] == "ack"
        assert ben.want("resign", "r")["type"] == "ack"
        catch_up(server, [ada, ben])
        assert (ada.room["proposal"], ada.room["end"]["reason"]) == (None, "resigned")
    with seated(server, "you", "open", "open") as (ada, ben, cem):
        assert ada.want("propose", "d", what="draw")["type"] == "ack"
        assert cem.want("resign", "r")["type"] == "ack"
        answer = ben.want("answer", "y", what="draw", yes=True)
        assert answer["error"]["code"] == "not_possible"


def test_a_host_who_gave_up_still_gives_seats_away(server: InThread) -> None:
    made = server.make(["you", "open", "open"])
    keys = invitations(server, made)
    take_seat(server, made["id"], keys[1], "Ben")
    with Seat(server, made["id"], keys[0]) as host:
        assert host.want("resign", "r")["type"] == "ack"
        assert host.want("fill_seat", "f", seat=2, level="random")["type"] == "ack"


def test_only_the_action_that_took_a_seat_brings_its_token_again(server: InThread) -> None:
    """Ids of commands are the client's: one that can be guessed gives no seat away."""
    made = server.make(["you", "open"])
    keys = invitations(server, made)
    own = take_seat(server, made["id"], keys[1], "Ben")
    with Seat(server, made["id"], own) as ben:
        assert ben.want("rename", "1", name="Benjamin")["type"] == "ack"
    with Seat(server, made["id"], keys[1]) as host:
        answer = host.want("take_seat", "1", name="Eve")
        assert answer["type"] == "refused"
        assert "token" not in answer


def test_a_seat_that_was_taken_is_told_again_only_to_who_took_it(server: InThread) -> None:
    """Their answer may be lost; others who have the invitation may know the command's id, too."""
    made = server.make(["you", "open", "open"])
    keys = invitations(server, made)
    wanted = {"name": "Ben", "key": "only Ben can know this"}
    with Seat(server, made["id"], keys[1]) as ben:
        own = ben.want("take_seat", "sit", **wanted)
    with Seat(server, made["id"], keys[1]) as ben:  # the line was broken
        assert ben.want("take_seat", "sit", **wanted) == own
    for key in ({}, {"key": "what somebody might guess"}):
        with Seat(server, made["id"], keys[1]) as eve:
            answer = eve.want("take_seat", "sit", **{"name": "Ben", **key})
            assert answer["error"]["code"] == "taken"
            assert "token" not in answer
    take_seat(server, made["id"], keys[2], "Cem")  # without a key: nobody is told it again
    with Seat(server, made["id"], keys[2]) as again:
        assert again.want("take_seat", "sit", name="Cem")["error"]["code"] == "taken"


@pytest.mark.parametrize("key", [{}, {"key": "1234567890123456"}])
def test_of_two_who_take_a_seat_at_once_one_gets_it(server: InThread, key: dict[str, str]) -> None:
    made = server.make(["you", "open"])
    invitation = invitations(server, made)[1]
    with Seat(server, made["id"], invitation) as ben, Seat(server, made["id"], invitation) as eve:
        ben.look()
        eve.look()
        room = server.room(made["id"])
        hold = asyncio.run_coroutine_threadsafe(room._lock.acquire(), server.loop)
        hold.result(PATIENCE)
        ben.send(type="take_seat", id="sit", name="Ben", **key)
        until(lambda: len(room._lock._waiters or ()) == 1)
        eve.send(type="take_seat", id="sit", name="Eve", **key)
        until(lambda: len(room._lock._waiters or ()) == 2)
        server.loop.call_soon_threadsafe(room._lock.release)
        assert ben.hear_until("ack", "refused")["token"]
        answer = eve.hear_until("ack", "refused")
        assert (answer["type"], "token" in answer) == ("refused", False)


def test_an_id_is_for_one_command(tmp_path: Path) -> None:
    """What was not done is not acknowledged, also when the log was read again meanwhile."""
    with in_thread(tmp_path, **ROOMY) as server, seated(server, "you", "open", "open") as people:
        ada, ben = people[:2]
        ada.send(type="propose", id="1", what="draw")
        assert ada.hear_until("ack", "refused")["type"] == "ack"
        assert ben.want("answer", "1", what="draw", yes=False)["type"] == "ack"
        mover = next(x for x in people if x.look()["scene"]["choices"])
        catch_up(server, people)
        one, other = [c["action"] for c in mover.frame["scene"]["choices"]][:2]
        question = mover.frame["question"]
        assert mover.act("move", one)["type"] == "ack"
        ids = {x: (x.match, x.token) for x in people}
    with in_thread(tmp_path, **ROOMY) as server, contextlib.ExitStack() as stack:
        ada, ben, mover = (stack.enter_context(Seat(server, *ids[x])) for x in (ada, ben, mover))
        for seat, type, id, wanted, done in (
            (ada, "resign", "1", {}, False),
            (ada, "propose", "1", {"what": "halt"}, False),
            (ada, "propose", "1", {"what": "draw"}, True),
            (ada, "rename", "1", {"name": "Eve"}, False),
            (ben, "answer", "1", {"what": "draw", "yes": True}, False),
            (ben, "answer", "1", {"what": "draw", "yes": False}, True),
            (ben, "undo", "1", {}, False),
            (mover, "act", "move", {"action": other, "question": question}, False),
            (mover, "act", "move", {"action": one, "question": question}, True),
            (mover, "act", "move", {"action": one, "question": "another"}, True),
            (mover, "resign", "move", {}, False),
        ):
            answer = seat.want(type, id, **wanted)
            code = "" if answer["type"] == "ack" else answer["error"]["code"]
            assert code == ("" if done else "used"), (type, wanted)
        room = server.room(ada.room["id"])
        assert not any(x.resigned for x in room.session.seats)


def test_late_spectators_get_the_record_when_they_have_seen_the_end(tmp_path: Path) -> None:
    clock = ManualClock()
    with (
        in_thread(tmp_path, clock=clock, **ROOMY) as server,
        seated(server, "you", "open", delay=3600) as people,
    ):
        ada, ben = people
        play(server, people, 4)
        assert ben.want("resign", "r")["type"] == "ack"
        room = server.room(ada.match)
        for path in ("record", "replay", "replay?seat=0"):
            where = f"/api/matches/{ada.match}/{path}"
            late = server.ask("GET", where)
            assert (late.status_code, late.json()["error"]["code"]) == (409, "not_over")
            assert server.ask("GET", where, ada.token).status_code == 200
        told = server.ask("GET", f"/api/matches/{ada.match}").json()["room"]
        assert (told["end"], told["rematch"], told["fair"]["secret"]) == (None, None, None)
        assert server.ask("POST", f"/api/matches/{ada.match}/rematch", ada.token).status_code == 200
        told = server.ask("GET", f"/api/matches/{ada.match}").json()["room"]
        assert (told["end"], told["rematch"]) == (None, None)
        with Seat(server, ada.match, None) as watcher:
            watcher.look()
            watcher.send(type="review", id="w")
            assert watcher.hear_until("refused")["error"]["code"] == "not_over"

        clock.advance(3600)
        until(lambda: room.delayed.session.end)
        for path in ("record", "replay"):
            assert server.ask("GET", f"/api/matches/{ada.match}/{path}").status_code == 200


def test_matches_behind_one_in_use_leave_the_memory_too(tmp_path: Path) -> None:
    with in_thread(tmp_path, idle=0, **ROOMY) as server, seated(server, "you", "open") as people:
        for _ in range(4):
            server.make(["you", "open"])
        play(server, people, 2)
        server.make(["you", "open"])
        assert server.rooms.live <= 2
