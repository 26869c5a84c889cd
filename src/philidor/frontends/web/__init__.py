"""The board in the browser: a server that keeps the games, the rules, the clocks and the engines.

What it promises its pages is written down in docs/web-protocol.md; `schema` holds the same in code.
"""
