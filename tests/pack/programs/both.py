"""Uses packages of three services: both.py PORT TWIN-PORT."""

import sys

from org.example.lab import LabClient, NotFound, Sample
from org.example.lab.common import Point
from org.example.stock import StockClient
from org.example.stock.common import Point as StockPoint
from org.example.twin import Lab2Client
from org.example.twin import Sample as TwinSample


def main() -> None:
    port = int(sys.argv[1])
    with LabClient("127.0.0.1", port) as lab, StockClient("127.0.0.1", port) as stock:
        lab.put("python", Sample(Point(1.0, 2.0), 3.5, "creo_python"))
        sample = lab.get("python")
        print(sample.at.x, sample.at.y, sample.value, sample.note)
        item = stock.find("bolt", StockPoint(4.0, 5.0))
        print(item.name, item.at.x, item.at.y, item.count)
        with Lab2Client("127.0.0.1", int(sys.argv[2])) as twin:
            print(twin.twice(TwinSample([21])).values[0])
        try:
            lab.get("nothing")
        except NotFound as error:
            print("no", error.name)


if __name__ == "__main__":
    main()
