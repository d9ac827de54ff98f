"""The echo service on FastAPI, which uvicorn runs in one process with uvloop and httptools, its quickest parts. Prints its address, and ends with its input."""

from __future__ import annotations

import os
import socket
import sys
import threading

import fastapi
import pydantic
import uvicorn


class Request(pydantic.BaseModel):
    s: str


app = fastapi.FastAPI()


@app.post("/Echo/echo")
async def echo(request: Request) -> str:
    return request.s


def until_input_ends() -> None:
    sys.stdin.read()
    os._exit(0)


def main() -> None:
    listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
    threading.Thread(target=until_input_ends, daemon=True).start()
    # Connections wait in the listener until the server takes them.
    print(f"http://127.0.0.1:{listener.getsockname()[1]}/Echo", flush=True)
    uvicorn.Server(uvicorn.Config(app, loop="uvloop", http="httptools", access_log=False, log_level="warning")).run(sockets=[listener])


if __name__ == "__main__":
    main()
