"""What security costs in each language (COST-39), for profiles of `creo calibrate`, and how far an estimate with it is from other messages: `bench/soap.py --part security --profile`.

The same small program in each language writes and reads the same messages, `bench/services/secured/`, and prints samples, of which costs are made here.
"""

from __future__ import annotations

import json
import os
import shutil
import ssl
import subprocess
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from . import machine
from .calls import HERE as SOAP
from .calls import SOURCES
from .security import compile_creo
from .tools import BENCH, BUILD, ROOT, Failed, creo, fresh, generate, run, say

Row = dict[str, Any]
HERE = BUILD / "security-costs"
KEYS = HERE / "keys"
PROGRAMS = SOURCES / "secured"
PASSWORD = "changeit"
LANGUAGES = ("java", "python", "c", "csharp")
# Messages of a sample. The compilers of Java and C# need many before times settle.
COUNTS = {"java": 50, "python": 5, "c": 20, "csharp": 50}
# What a profile has, what is asked for, and which way it goes.
WORKS = {
    "sign": ("sign", "write"),
    "verify": ("sign", "read"),
    "encrypt": ("encrypt", "write"),
    "decrypt": ("encrypt", "read"),
    "signEncrypt": ("sign,encrypt", "write"),
    "decryptVerify": ("sign,encrypt", "read"),
}
# Items of a message and bytes of the name of each: few of both, many elements, many bytes.
MESSAGES = ((10, 14), (500, 14), (10, 10_000))
# The half-width of the interval of a time that was measured.
ERROR = 0.3
SOAP_11 = 'xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"'
ITEM = "<n1:item><n1:name>{name}</n1:name><n1:count>{count}</n1:count><n1:price>12.5</n1:price></n1:item>"
ELEMENTS = 4
# To hold an estimate against: `put` of bench/security.creo with so many notes, whose title and text have so many bytes.
NOTES = {"one short note": (1, 16, 16), "one long note": (1, 16, 20_000), "20 notes": (20, 16, 100), "300 short notes": (300, 8, 8), "500 notes": (500, 16, 200)}
TOKEN = "digest,timestamp,sign"
PARTS = ("sign", TOKEN, "encrypt", "sign,encrypt")
WSSE = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd"
WSU = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd"
PROFILES = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss"
USER = "0123456789abcdef"
SUBJECT = "/O=Example/CN=client"
SERIAL = "123456789"


@dataclass(frozen=True)
class Language:
    """A program that measures."""

    name: str
    command: tuple[object, ...]
    environment: dict[str, str]
    version: str

    def samples(self, rounds: int, jobs: list[str]) -> list[dict[str, list[tuple[int, float]]]]:
        """Bytes and nanoseconds of each sample, by job and way."""
        printed = run([*self.command, KEYS, rounds, COUNTS[self.name], *jobs], environment=self.environment, capture=True)
        found: list[dict[str, list[tuple[int, float]]]] = [{"write": [], "read": []} for _ in jobs]
        for line in printed.splitlines():
            job, way, size, ns = line.split()
            found[int(job)][way].append((int(size), float(ns)))
        if any(len(ways) != rounds for each in found for ways in each.values()):
            raise Failed(f"{self.name}: samples are missing")
        return found


def missing(language: str) -> str | None:
    """What a language's module needs and the machine lacks."""

    def there(*command: str) -> bool:
        return shutil.which(command[0]) is not None and subprocess.run(command, capture_output=True, check=False).returncode == 0

    if language == "java":
        return None if shutil.which("javac") and shutil.which("java") else "java and javac"
    if language == "python":
        return None if there(python(), "-c", "import cryptography") else f"the package cryptography for {python()} (CREO_PYTHON names another Python)"
    if language == "c":
        return None if shutil.which(compiler()) and there("pkg-config", "--exists", "libxml-2.0", "libcrypto >= 3") else f"{compiler()} and, by pkg-config, libxml2 and libcrypto 3"
    return None if there(str(ROOT / "scripts/dotnet/setup.sh")) else ".NET 8, as scripts/dotnet/setup.sh says"


def python() -> str:
    return os.environ.get("CREO_PYTHON", "python3")


def compiler() -> str:
    return os.environ.get("CC", "cc")


def build(language: str) -> Language:
    """Compiles a language's program with code and module that are generated for it."""
    code = generate(language, "messages", "--with", "wss")
    out = fresh(HERE / language)
    if language == "java":
        compile_creo(code, out)
        jvm = ("java", "-XX:+UseSerialGC", "-Xms256m", "-Xmx256m", "-cp", out, "SecurityCosts")
        return Language(language, jvm, {}, machine.first_line("java", "-version"))
    if language == "python":
        version = "import platform, cryptography; from cryptography.hazmat.backends.openssl import backend; print('CPython', platform.python_version() + ', cryptography', cryptography.__version__, 'with', backend.openssl_version_text())"
        return Language(language, (python(), PROGRAMS / "security_costs.py"), {"PYTHONPATH": str(code)}, machine.first_line(python(), "-c", version))
    if language == "c":
        compile_c(code, out / "costs")
        libraries = " ".join(f"{name} {machine.first_line('pkg-config', '--modversion', package)}" for name, package in (("OpenSSL", "libcrypto"), ("libxml2", "libxml-2.0")))
        return Language(language, (out / "costs",), {}, f"{machine.first_line(compiler(), '--version')}, {libraries}")
    compile_csharp(code, out / "costs.dll")
    # The runtime has no version of its own program, and takes the system's OpenSSL.
    return Language(language, (ROOT / "scripts/dotnet/run.sh", out / "costs.dll"), {"DOTNET_TieredPGO": "0"}, f".NET 8, {machine.first_line('openssl', 'version')}")


def compile_c(code: Path, to: Path) -> None:
    flags = run(["pkg-config", "--cflags", "--libs", "libxml-2.0", "libcrypto"], capture=True).split()
    run([compiler(), "-std=c11", "-O3", "-Wall", "-Wextra", "-Werror", "-isystem", code / "include", PROGRAMS / "security_costs.c", *code.glob("src/*.c"), "-o", to, *flags, "-lm"], capture=True)


def compile_csharp(code: Path, to: Path) -> None:
    own = [PROGRAMS / "SecurityCosts.cs", BENCH / "csharp/Measuring.cs"]
    run([ROOT / "scripts/dotnet/csc.sh", f"-out:{to}", "-target:exe", "-nullable", "-warnaserror", *own, f"-recurse:{code}/*.cs"], capture=True)


def make_keys() -> None:
    """A key of RSA with 2,048 bits and its certificate, as PEM and for Java as PKCS #12."""
    fresh(KEYS)
    key, certificate = KEYS / "client.key.pem", KEYS / "client.crt.pem"
    made = ["-newkey", "rsa:2048", "-nodes", "-sha256", "-days", "30", "-subj", SUBJECT, "-set_serial", SERIAL]
    run(["openssl", "req", "-x509", *made, "-keyout", key, "-out", certificate], capture=True)
    run(["openssl", "pkcs12", "-export", "-name", "client", "-passout", f"pass:{PASSWORD}", "-inkey", key, "-in", certificate, "-out", KEYS / "keys.p12"], capture=True)


def languages(known: Row, asked: list[str]) -> list[Language]:
    """The programs of the asked languages, or else of all that the profile has and the machine can build."""
    targets = [target["target"] for target in known["targets"]]
    if strangers := [name for name in asked if name not in targets]:
        raise Failed(f"the profile has no target {', '.join(strangers)}")
    if shutil.which("openssl") is None:
        raise Failed("keys are made by openssl, which is not there")
    found = []
    for name in LANGUAGES:
        if name not in (asked or targets):
            continue
        if lacks := missing(name):
            if asked:
                raise Failed(f"{name} needs {lacks}")
            say(f"security: {name} is not measured: it needs {lacks}")
            continue
        say(f"security: building {name}")
        found.append(build(name))
    if not found:
        raise Failed("no language can be measured")
    make_keys()
    return found


def envelope(items: int, name: int) -> str:
    rows = "".join(ITEM.format(name="n" * name, count=1000 + i) for i in range(items))
    return f'<soap:Envelope {SOAP_11} xmlns:n1="urn:creo:bench"><soap:Body><n1:items>{rows}</n1:items></soap:Body></soap:Envelope>'


def message(name: str, text: str) -> Path:
    path = HERE / f"{name}.xml"
    path.write_text(text)
    return path


def write_costs(profile: Path, asked: list[str], rounds: int) -> None:
    """Measures what security costs, and writes it to the targets of a profile."""
    known = json.loads(profile.read_text())
    for language in languages(known, asked):
        asks = dict.fromkeys(parts for parts, _ in WORKS.values())
        files = [message(f"items-{items}-{name}", envelope(items, name)) for items, name in MESSAGES]
        samples = iter(language.samples(rounds, [f"{parts}:{file}" for parts in asks for file in files]))
        found = {parts: [next(samples) for _ in files] for parts in asks}
        target = next(target for target in known["targets"] if target["target"] == language.name)
        target["security"] = {work: cost([sample[way] for sample in found[parts]]) for work, (parts, way) in WORKS.items()} | {"error": ERROR}
        say(f"security: {language.name}: {target['security']}")
    # As `creo calibrate` writes it, in which `security` comes before the wires.
    known["targets"] = [{**{key: target[key] for key in target if key != "wires"}, "wires": target["wires"]} for target in known["targets"]]
    profile.write_text(json.dumps(known, separators=(",", ":")) + "\n")
    say(f"security: wrote {profile}")


def cost(messages: list[list[tuple[int, float]]]) -> dict[str, float]:
    """What a message, a byte and an element cost, by the lower quartiles of the samples of MESSAGES."""
    few, elements, texts = ((samples[0][0], sorted(ns for _, ns in samples)[len(samples) // 4]) for samples in messages)
    # The last has as many elements as the first.
    byte = max(0.0, (texts[1] - few[1]) / (texts[0] - few[0]))
    more = (MESSAGES[1][0] - MESSAGES[0][0]) * ELEMENTS
    element = max(0.0, (elements[1] - few[1] - byte * (elements[0] - few[0])) / more)
    ns = max(0.0, few[1] - byte * few[0] - element * MESSAGES[0][0] * ELEMENTS)
    return {"ns": round(ns), "byte": round(byte, 2), "element": round(element, 1)}


def notes(count: int, title: int, text: int) -> str:
    """The envelope of `put` of bench/security.creo, as Creo writes it."""
    note = f"<n1:notes><n1:title>{'t' * title}</n1:title><n1:text>{'x' * text}</n1:text></n1:notes>"
    return f'<soap:Envelope {SOAP_11} xmlns:n1="urn:creo:creo:bench:security"><soap:Body><n1:put>{note * count}</n1:put></soap:Body></soap:Envelope>'


def with_token(plain: str) -> str:
    """The envelope with the block of a client that sends a digest and a timestamp of now (SOAP-50). The digest is not checked."""
    time, end = (f"{datetime.now(timezone.utc) + timedelta(minutes=minutes):%Y-%m-%dT%H:%M:%S}.000Z" for minutes in (0, 5))
    timestamp = f"<wsu:Timestamp><wsu:Created>{time}</wsu:Created><wsu:Expires>{end}</wsu:Expires></wsu:Timestamp>"
    password = f'<wsse:Password Type="{PROFILES}-username-token-profile-1.0#PasswordDigest">{"A" * 27}=</wsse:Password>'
    nonce = f'<wsse:Nonce EncodingType="{PROFILES}-soap-message-security-1.0#Base64Binary">{"A" * 22}==</wsse:Nonce>'
    token = f"<wsse:UsernameToken><wsse:Username>{USER}</wsse:Username>{password}{nonce}<wsu:Created>{time}</wsu:Created></wsse:UsernameToken>"
    block = f'<wsse:Security xmlns:wsse="{WSSE}" xmlns:wsu="{WSU}" soap:mustUnderstand="1">{timestamp}{token}</wsse:Security>'
    return plain.replace("<soap:Body>", f"<soap:Header>{block}</soap:Header><soap:Body>")


def estimated(profile: Path, size: tuple[int, int, int], *parts: str) -> dict[str, Row]:
    """The request of `put` in each target, as the program predicts it."""
    lengths = [f"put.notes={size[0]}", f"Note.title={size[1]}", f"Note.text={size[2]}"]
    command = [*creo(ROOT), "estimate", BENCH / "security.creo", "--method", "put", "--binding", "soap+http", "--profile", profile, "--format", "json"]
    security = ["--security", ",".join(parts)] if parts else []
    rows = json.loads(run([*command, *(word for length in lengths for word in ("--length", length)), *security], capture=True))["rows"]
    return {row["target"]: row["request"] for row in rows}


def check(profile: Path, asked: list[str], rounds: int) -> tuple[list[Row], dict[str, str]]:
    """Estimated and measured times of messages that `write_costs` has not seen, and the versions of what was measured."""
    known = json.loads(profile.read_text())
    chosen = languages(known, asked)
    costs = {target["target"]: target.get("security") for target in known["targets"]}
    if without := [language.name for language in chosen if costs[language.name] is None]:
        raise Failed(f"{profile} has no times of security in {', '.join(without)}; first measure them, without --check")
    certificate = len(ssl.PEM_cert_to_DER_cert((KEYS / "client.crt.pem").read_text()))
    told = (f"certificate={certificate}", f"issuer={len('CN=client,O=Example')}", f"serial={len(SERIAL)}")
    rows = []
    for name, size in NOTES.items():
        plainly = estimated(profile, size)
        for parts in PARTS:
            said = estimated(profile, size, *parts.split(","), f"user={len(USER)}", *told)
            for language in chosen:
                before, after = plainly[language.name], said[language.name]
                if len(notes(*size)) != before["body"]["expected"]:
                    raise Failed(f"{name} has {len(notes(*size))} bytes, but {before['body']['expected']} by the estimate")
                predicted = {way: after[of]["ns"] - before[of]["ns"] for way, of in (("write", "serialize"), ("read", "deserialize"))}
                rows.append({"language": language.name, "message": name, "parts": parts, "bytes": None, "body": after["body"], "error": costs[language.name]["error"], "predicted": predicted})
    for language in chosen:
        mine = [row for row in rows if row["language"] == language.name]
        for row, samples in zip(mine, language.samples(rounds, [job(row["message"], row["parts"]) for row in mine]), strict=True):
            row["bytes"] = samples["write"][0][0]
            body = row.pop("body")
            if not body["least"] <= row["bytes"] <= body["most"]:
                raise Failed(f"{row['language']}, {row['message']}, {row['parts']}: {row['bytes']} bytes are not within the estimate's {body['least']} to {body['most']}")
            row["samples"] = {way: [round(ns) for _, ns in of] for way, of in samples.items()}
        say(f"security: {language.name} is measured")
    return rows, {language.name: language.version for language in chosen}


def job(name: str, parts: str) -> str:
    """What a program is asked for. A token is in the message that it is given, with the time of now."""
    plain = notes(*NOTES[name])
    file = name.replace(" ", "-")
    return f"sign:{message(f'{file}-token', with_token(plain))}" if parts == TOKEN else f"{parts}:{message(file, plain)}"


def placed() -> str:
    """On which processors and how this run and its programs are scheduled, for the page."""
    real = os.sched_getscheduler(0) in (os.SCHED_RR, os.SCHED_FIFO)
    return f"{len(os.sched_getaffinity(0))} of its processors{', at a real-time priority' if real else ''}"
