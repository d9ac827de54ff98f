"""zeep calls a service whose answers have several elements in the body: it makes one object of them. zeep_receipts.py ADDRESS 1.1|1.2

Prints `ok NAME` or `FAIL NAME: reason` for each case.
"""

import sys
import warnings

import zeep
import zeep.exceptions
import zeep.helpers

warnings.simplefilter("error", zeep.exceptions.ZeepWarning)


def equal(wanted, got):
    assert got == wanted, f"expected {wanted!r}, got {got!r}"


def main():
    address, version = sys.argv[1:]
    client = zeep.Client(f"{address}?wsdl", settings=zeep.Settings(strict=True))
    client.transport.operation_timeout = 30
    service = client.create_service(f"{{urn:example:receipts}}ReceiptsSoap{version.replace('.', '')}", address)

    def put(count, warning):
        found = zeep.helpers.serialize_object(service.put(sku="a<b", count=count), dict)
        equal({"Number": (1 << 40) + count, "Left": {"sku": "a<b", "count": count + 100}, "Warning": warning}, found)

    def settle():
        found = zeep.helpers.serialize_object(service.settle("2026-11-29"), dict)
        equal({"header": {"Session": "of 2026-11-29"}, "body": {"Left": {"sku": "all", "count": 0}, "Number": 10}}, found)

    failed = False
    for name, case in {"put": lambda: put(20, "many & <more>"), "put-nil": lambda: put(1, None), "settle": settle}.items():
        try:
            case()
            print(f"ok {name}", flush=True)
        except Exception as error:
            failed = True
            print(f"FAIL {name}: {type(error).__name__}: {error}".replace("\n", " ")[:1000], flush=True)
    return 1 if failed else 0


sys.exit(main())
