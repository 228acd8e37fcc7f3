"""What every game stands on. Names no game, imports nothing else of ours.

A game's text, and the two builds made of it:

    state.py       marked fields -> one record      rules.py       @rule @move, events, tell
    build.py       derives apply, choices, redact   checked.py     access to records
    lint.py        what rules may not do            parts.py       what a game must have
    sources.py     where things stand in a text     assigned.py    variables without a value
    jit.py         the only import of Numba         contract.py    what a build supplies, as stubs
    drivers.py     loops over states                engine.py      a build with a table: play
    random.py      draw, roll, pick, shuffle        fair.py        outcomes from a committed secret
    features.py    observations as rows of numbers  batch.py       many matches, for learners

What follows from its marks, where it says nothing else:

    places.py      hiding, counts, determinization  notation.py     words, positions, facts
    words.py       forms of words                   codecs.py       parts of positions
    codes.py       codes of cards, lists of them    assembly.py     a game from a package's files
    drawing.py     scene and sentences              perspective.py  what scenes start from
    counting.py    rules that count cards           keys.py         positions of key=value items
    rows.py        whole rows, in one step

A game made ready to play:

    game.py        Game, Ruleset                    table.py       numbers from outside, checked
    deck.py        deck files                       deck_keys.py   what their keys mean, in words
    lines.py       the lines of TOML keys           packages.py    games in folders, games sent

A match, and what is shown of it:

    match.py       one match: the only way in       response_window.py  secret answers
    record.py      match files, written             replay.py      match files, read
    scene.py       what a front end draws           saying.py      words of sentences
    zones.py       the kinds of zones, their facts  event_log.py   what viewers were told
    scenario.py    rules by example                 laws.py        what every game must obey
    so_far.py      where in a match an error was    lesson.py      rules taught by playing
    histories.py   chance as a player: whole trees  information.py  what a seat has seen and done
    engine_state.py  a state, for searches          audited.py     the laws as rules, in bulk

    errors.py      every error a user can meet      processes.py   end with the one that began them
"""
