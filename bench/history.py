"""What a log says that each viewer may have been shown, moment by moment."""

from __future__ import annotations

import hashlib
import json
from base64 import b64encode
from collections.abc import Sequence
from typing import Any

from battlebox.server.log_events import read_event
from battlebox.server.session import Session
from battlebox.server.store.base import Store
from battlebox.server.views import FORMS, ViewKey

Seen = tuple[int, bytes]  # how many events were told; the digest of the picture


def digest(question: str, what: Any) -> bytes:
    """Of a picture: eight bytes."""
    text = json.dumps([question, what], sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=8).digest()


class History:
    """A match, played again from its log."""

    def __init__(self, store: Store, id: str) -> None:
        self.id, self.entries = id, store.entries(id)
        assert [x.seq for x in self.entries] == [*range(len(self.entries))], f"{id}: gaps"
        setup = store.setup(id)
        assert setup, f"{id}: it is gone"
        self.setup = setup

    def at(self, moment: int) -> float:
        """When the last entry before this moment was made, or the match; seconds since 1970."""
        return self.entries[moment - 1].at if moment else self.setup.made

    def moments(
        self, seat: int | None, form: str, seen: Sequence[Seen], told: Sequence[Any]
    ) -> list[int]:
        """The moment of each of these pictures, in order: how many entries there were.

        told: all that the viewer was told in the end. Errors: AssertionError, if one is of none.
        """
        found: list[list[Seen]] = []
        session = Session(self.setup)
        view = FORMS[form](ViewKey(seat, form))  # type: ignore[index, arg-type]
        for k in range(len(self.entries) + 1):
            if k:
                change = session.apply(read_event(self.entries[k - 1].body))
                if change.retold or change.taken_back:
                    length = 0 if change.retold else len(session.match.events(seat))
                    view.forget(length)
            view.update(session)
            found.append([(len(view.told), digest(view.question, plain(view)))])
        texts = [json.loads(x) for x in view.told]
        assert [*told] == texts[: len(told)], f"{self.id}, {seat}: told what is not in the log"
        moment, out = 0, []
        for n, x in enumerate(seen):
            while moment < len(found) and x not in found[moment]:
                moment += 1
            if moment == len(found):
                where = f"{self.id}, {form} of {seat}: picture {n} of {len(seen)}"
                before = [k for k, of in enumerate(found) if x in of]
                raise AssertionError(f"{where} is of moments {before}, of none from {out[-1:]} on")
            out.append(moment)
        return out


def plain(view: Any) -> Any:
    """The picture of a view, as the wire has it."""
    if view.key.form == "data":
        observation, actions = view.picture
        return [b64encode(observation).decode(), [*actions]]
    return view.picture.to_dict()
