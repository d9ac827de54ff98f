"""PHP's own SOAP server for stock.php: php.py WSDL. It ends with its input."""

from __future__ import annotations

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3]))

from ports import free_ports  # noqa: E402 # it is found by the line before

with tempfile.TemporaryDirectory() as folder:
    port = free_ports(1)[0]
    shutil.copy(sys.argv[1], pathlib.Path(folder) / "stock.wsdl")
    shutil.copy(pathlib.Path(__file__).with_name("stock.php"), folder)
    server = subprocess.Popen(["php", "-d", "soap.wsdl_cache_enabled=0", "-S", f"127.0.0.1:{port}", f"{folder}/stock.php"], stdin=subprocess.DEVNULL, stdout=sys.stderr, stderr=subprocess.PIPE, text=True)
    try:
        assert server.stderr is not None
        for line in server.stderr:
            if "started" in line:
                break
        print(json.dumps({"address": f"http://127.0.0.1:{port}/"}), flush=True)
        # What it says of each call would fill the pipe.
        drain = subprocess.Popen(["cat"], stdin=server.stderr, stdout=subprocess.DEVNULL)
        sys.stdin.read()
    finally:
        server.kill()
        server.wait()
        drain.wait()
