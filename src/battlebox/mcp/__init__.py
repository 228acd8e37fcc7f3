"""The table for language models: an MCP server that is a client of a battlebox server.

server.py   the tools              seats.py    the seats that are played, and what is seen there
texts.py    what a tool answers    inside.py   a battlebox server of its own

A match's id and a seat's token are arguments of every tool; nothing else is remembered for good.
What a tool tells came over the wire that browsers read, so nothing hidden can be in it.
"""
