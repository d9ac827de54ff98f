#!/usr/bin/env python3
"""Fuzzes the accelerator for some seconds: bytes and values with errors, in C and in generated code, whose results must be equal.

    fuzz.py SECONDS [--seed N] DESCRIPTION...

`make fuzz-accelerator` builds it with AddressSanitizer and UndefinedBehaviorSanitizer, and runs this over the
conformance schemas and random descriptions. A failure prints the seed, the type and the bytes, and exits with an error;
findings of the sanitizers abort the process.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / path) for path in ("runtimes/python/src", "runtimes/python/tests", "runtimes/python-accelerator/tests")]

import creo  # noqa: E402
import generated  # noqa: E402
from creo import Limits  # noqa: E402
from creo._soap import Writer  # noqa: E402
from drawn import Draw  # noqa: E402
from equality import (  # noqa: E402
    around,
    check_arguments,
    check_body,
    check_document,
    check_json,
    check_json_arguments,
    check_made,
    check_soap,
    check_soap_arguments,
    check_table,
    check_table_arguments,
    check_table_result,
    check_table_value,
    check_value,
    check_xml,
    check_xml_value,
    made_classes,
    soap_operation,
    soap_response,
    table_messages,
    table_of,
    table_response,
    table_results,
    xml_of,
)


SCHEMES = ("record", "aggregated")


def _limits(draw: Draw, body: bytes) -> Limits:
    """Limits, some of which the input may exceed."""
    memory = None if draw.random.random() < 0.8 else len(body) + draw.random.randrange(1, 400)
    choice = draw.random.choice
    return Limits(
        max_memory=memory,
        max_depth=choice((1, 3, 100)),
        max_xml_depth=choice((3, 10, 500, 500)),
        max_xml_name=choice((1, 8, 12, 1_000)),
        max_xml_text=choice((None, None, 200)),
        max_xml_attributes=choice((1, 2, 256)),
        max_xml_namespaces=choice((1, 2, 1_024)),
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seconds", type=float)
    parser.add_argument("descriptions", nargs="+", type=Path)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 1_000_000_000)
    arguments = parser.parse_args()
    if not creo.accelerated:
        parser.error("the accelerator is not there: PYTHONPATH names no folder with it")
    print(f"fuzz-accelerator: seed {arguments.seed}", flush=True)
    counted: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        generated.generate(Path(folder), arguments.descriptions)
        types = generated.types(Path(folder) / "python")
        methods = generated.methods(Path(folder) / "python")
        classes = made_classes(types)
        by_name = {type_.name: type_ for type_ in types}
        rows = [*generated.cases("malformed", "cases"), *generated.cases("vectors", "vectors")]
        corpus = [(by_name[name], body) for name, body in rows if name in by_name]
        rows = [*generated.documents("malformed", "cases"), *generated.documents("vectors", "vectors")]
        documents = [(by_name[name], document) for name, document in rows if name in by_name]
        rows = [*generated.xml_documents("malformed", "cases"), *generated.xml_documents("vectors", "vectors")]
        xml = [(by_name[name], document) for name, document in rows if name in by_name]
        operations = [(operation, method) for method in methods if (operation := soap_operation(method))._fast is not None]
        texts = [(method.interface.texts()[method.name], method) for method in methods]
        writers = [(Writer(text.request, "1.1", text.encoded), method) for text, method in texts]
        rows = [*generated.tables("malformed", "cases"), *generated.tables("vectors", "vectors")]
        tables = [(by_name[name], document) for name, document in rows if name in by_name]
        responses = [(results, method) for method in methods if (results := table_results(method))._reader is not None]
        messages = [message for method in methods for message in table_messages(method)]
        for type_, document in tables:
            counted[f"{check_table(type_, document)} of the corpus in tables"] += 1
        for type_, document in xml:
            counted[f"{check_xml(type_, document)} of the corpus in XML"] += 1
        for type_, body in corpus:
            counted[f"{check_body(type_, body)} of the corpus"] += 1
        for type_, document in documents:
            counted[f"{check_document(type_, document)} of the corpus in JSON"] += 1
        end = time.monotonic() + arguments.seconds
        seed = arguments.seed
        while time.monotonic() < end:
            seed += 1
            draw = Draw(seed)
            try:
                for type_ in types:
                    value = draw.value(type_)
                    body = check_value(type_, value)
                    for _ in range(20 if body is not None else 0):
                        counted[check_body(type_, draw.broken(body or b""), _limits(draw, body or b""))] += 1
                    document = check_json(type_, value)
                    for _ in range(20 if document is not None else 0):
                        counted[f"{check_document(type_, draw.broken_document(document or b''), _limits(draw, document or b''))} in JSON"] += 1
                    counted[f"{check_xml_value(type_, value)} as XML"] += 1
                    document = xml_of(type_, value)
                    for _ in range(20 if document is not None else 0):
                        counted[f"{check_xml(type_, draw.broken_xml(document or b''), _limits(draw, document or b''))} in XML"] += 1
                    for scheme in SCHEMES:
                        table = table_of(type_, value, scheme)
                        for _ in range(10 if table is not None else 0):
                            broken = around(draw.broken_table(table or b""), scheme)
                            counted[f"{check_table(type_, broken, _limits(draw, broken))} in tables"] += 1
                        counted[f"{check_table_value(type_, value, scheme, schema=draw.random.random() < 0.3)} as tables"] += 1
                    draw.spoil(value)
                    check_value(type_, value)
                    check_json(type_, value)
                    counted["values"] += 2
                    counted[f"{check_xml_value(type_, value)} as XML, spoilt"] += 1
                    for scheme in SCHEMES:
                        counted[f"{check_table_value(type_, value, scheme)} as tables, spoilt"] += 1
                    size = draw.random.randrange(1, len(document or b"") + 300)
                    counted[f"{check_xml_value(type_, draw.value(type_), Limits(max_message_size=size, max_depth=size))} as XML, limited"] += 1
                    limited = Limits(max_message_size=size, max_depth=size)
                    counted[f"{check_table_value(type_, draw.value(type_), draw.random.choice(SCHEMES), limited)} as tables, limited"] += 1
                for number, (cls, fields) in enumerate(classes):
                    counted[f"{check_made(cls, lambda: Draw(f'{seed} {number}').arguments(cls, fields))} by constructors"] += 1  # noqa: B023 - called at once
                for type_, body in corpus:
                    if len(body) < 1_000:
                        counted[check_body(type_, draw.broken(body))] += 1
                for type_, document in documents:
                    if len(document) < 1_000:
                        counted[f"{check_document(type_, draw.broken_document(document))} in JSON"] += 1
                for type_, document in xml:
                    if len(document) < 1_000:
                        counted[f"{check_xml(type_, draw.broken_xml(document))} in XML"] += 1
                for type_, document in tables:
                    if len(document) < 1_000:
                        counted[f"{check_table(type_, draw.broken_table(document))} in tables"] += 1
                for results, method in responses:
                    for scheme in SCHEMES:
                        table = table_response(method, () if method._result is None else (draw.value(method._result()[1]),), scheme)
                        if table is not None:
                            counted[f"{check_table_result(results, around(table, scheme))} in tables of results"] += 1
                            broken = around(draw.broken_table(table), scheme)
                            counted[f"{check_table_result(results, broken, _limits(draw, broken))} in tables of results"] += 1
                for operation, method in operations:
                    body = soap_response(operation, () if method._result is None else (draw.value(method._result()[1]),))
                    if body is not None:
                        counted[f"{check_soap(operation, body)} in SOAP"] += 1
                        counted[f"{check_soap(operation, draw.broken_xml(body), _limits(draw, body))} in SOAP"] += 1
                for tabled, parameters in messages:
                    for scheme in SCHEMES:
                        parts = draw.random.choice((None, []))
                        counted[f"{check_table_arguments(tabled, draw.value(parameters), scheme, schema=draw.random.random() < 0.3, parts=parts)} as tables of messages"] += 1
                for writer, method in writers:
                    parts = draw.random.choice((None, []))
                    counted[f"{check_soap_arguments(writer, draw.value(method._parameters()), blocks=draw.random.choice(('', '<a></a>')), parts=parts)} as requests"] += 1
                for method in methods:
                    arguments_ = draw.value(method._parameters())
                    check_arguments(method, arguments_)
                    check_json_arguments(method, arguments_)
                    counted["arguments"] += 1
            except BaseException:
                print(f"fuzz-accelerator: failed with --seed {seed - 1}", file=sys.stderr, flush=True)
                raise
    print(f"fuzz-accelerator: {len(types)} types, {dict(counted)}, no difference")
    return 0


if __name__ == "__main__":
    sys.exit(main())
