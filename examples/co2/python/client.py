"""Stores the weekly CO2 series of Mauna Loa and retrieves it: client.py BINDING HOST:PORT CSV [REPEATS].

The binding is binary+tcp, tdxml+tcp, soap+http, tdxml+http or json+http; or binary+jms, tdxml+jms or soap+jms, where the place is
that of the broker, and the code was generated with `--with jms`. The calls are the same over each.
"""

from __future__ import annotations

import csv
import json
import statistics
import sys
import time
from contextlib import ExitStack
from datetime import datetime, timezone

from creo import DateTime
from org.example.co2 import Data, DataServiceClient, MetaData, NotFound, Query, Sample

NAME = "CO2 at Mauna Loa, from Python"


def midnight(date: str) -> DateTime:
    """Midnight UTC of a date such as 19580329. A `DateTime` holds nanoseconds, which a `datetime` cannot."""
    return DateTime.from_datetime(datetime.strptime(date, "%Y%m%d").replace(tzinfo=timezone.utc))


def read(path: str) -> Data:
    """The series of the CSV: a date and a number a line; a week without a measurement has no number."""
    with open(path, newline="") as file:
        samples = [
            Sample(midnight(row["date"]), float(row["co2"]))
            for row in csv.DictReader(file)
            if row["co2"]
        ]
    return Data(MetaData(NAME, "Keeling and Whorf 2004", midnight("20140315")), samples)


def connect(binding: str, place: str, stack: ExitStack) -> DataServiceClient:
    host, _, port = place.rpartition(":")
    url = f"http://{place}/DataService"
    if binding == "binary+tcp":
        return DataServiceClient(host, int(port))
    if binding == "tdxml+tcp":
        return DataServiceClient(host, int(port), wire="tdxml")
    if binding == "soap+http":
        return DataServiceClient.soap(url)
    if binding == "tdxml+http":
        return DataServiceClient.soap(url, tables="record")
    if binding == "json+http":
        return DataServiceClient.json(url)
    wire, _, transport = binding.partition("+")
    if transport == "jms":
        from creo.jms import JmsBroker, JmsChannel

        channel = stack.enter_context(JmsChannel(JmsBroker(host, int(port)), "jms:queue:co2", wire=wire))
        return DataServiceClient.over(channel)
    raise ValueError(f"no such binding: {binding}")


def main(binding: str, place: str, path: str, repeats: str = "0") -> None:
    series = read(path)
    with ExitStack() as stack, connect(binding, place, stack) as service:
        service.store_data([series])
        back = service.retrieve_data(NAME)
        assert back == series, "the series came back different"
        # Received samples are a view over the received bytes: a column needs no objects for the samples.
        mean = statistics.fmean(back.samples.column("ppm"))
        print(f"stored and retrieved {len(back.samples)} weeks, {mean:.1f} ppm in the mean")

        start, end = midnight("19900101"), midnight("20000101")
        high = service.find(Query(NAME, from_=start, until=end, at_least=365.0))
        expected = [s for s in series.samples if start <= s.week < end and s.ppm >= 365.0]
        assert high == expected, "find gave other weeks than expected"
        print(f"found {len(high)} weeks of the nineties with 365 ppm and more")

        try:
            service.retrieve_data("CO2 on Mars")
        except NotFound as missing:
            assert NAME in missing.known, "the service does not name what it has"
            print(f"not found, as declared: {missing.description}")
        else:
            raise AssertionError("nobody measured CO2 on Mars")

        measure(service, series, int(repeats))


def measure(service: DataServiceClient, series: Data, repeats: int) -> None:
    """Repeats both calls and prints the median time of one, in the second half, when everything is warm."""
    store, retrieve = [], []
    for _ in range(repeats):
        start = time.perf_counter()
        service.store_data([series])
        stored = time.perf_counter()
        service.retrieve_data(NAME)
        retrieve.append((time.perf_counter() - stored) * 1e6)
        store.append((stored - start) * 1e6)
    middle = [statistics.median(times[repeats // 2 :]) if times else 0.0 for times in (store, retrieve)]
    print(json.dumps({"calls": 2 * repeats + 4, "storeMicroseconds": middle[0], "retrieveMicroseconds": middle[1]}))


if __name__ == "__main__":
    main(*sys.argv[1:])
