"""Tools of FastMCP, over standard input and output or over HTTP."""

import sys
from pathlib import Path

from fastmcp import Context, FastMCP

server = FastMCP("sums")


@server.tool(annotations={"readOnlyHint": True})
async def add(a: int, b: int, context: Context) -> int:
    """Adds two numbers."""
    await context.info("adding")
    return a + b


@server.tool(annotations={"readOnlyHint": True})
def fail() -> str:
    """Always fails."""
    raise ValueError("no such sum")


@server.tool(annotations={"destructiveHint": True})
def write(path: str, text: str) -> str:
    """Writes a file."""
    Path(path).write_text(text, encoding="utf-8")
    return "written"


if __name__ == "__main__":
    if len(sys.argv) > 1:
        server.run(transport="http", host="127.0.0.1", port=int(sys.argv[1]), show_banner=False)
    else:
        server.run(show_banner=False)
