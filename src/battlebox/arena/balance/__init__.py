"""What a ruleset is like, measured: who wins, how long it takes, what is used, what options do.

study = Study(bb.load("war_zone"))
write_page(study, measure(study), Path("balance.html"), "how it was called")
"""
