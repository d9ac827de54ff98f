"""Calls every method of the service: client.py HOST PORT."""

import sys

from @PYTHON@ import NotFound, Series, SeriesStoreClient


def main() -> None:
    host = sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1"
    port = int(sys.argv[2]) if len(sys.argv) > 2 else 7400
    with SeriesStoreClient(host, port) as store:
        store.put(Series("python", [1.0, 2.5, 4.0]))
        print("python:", list(store.get("python").values))
        print("series:", ", ".join(store.names()))
        try:
            store.get("nothing")
        except NotFound as error:
            print("there is no series", error.name)


if __name__ == "__main__":
    main()
