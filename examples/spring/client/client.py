"""Calls the stock of the shop by SOAP: client.py URL USER PASSWORD."""

import base64
import sys

from org.example.shop.api import NoSuchArticle, StockClient

url, user, password = sys.argv[1:]
credentials = base64.b64encode(f"{user}:{password}".encode()).decode()
client = StockClient.soap(url).with_options(metadata={"authorization": f"Basic {credentials}"})
print(f"tea: {client.find('tea').count}")
print(f"taken by {client.take('tea', 3)}")
try:
    client.find("gold")
except NoSuchArticle as error:
    print(f"no {error.name}")
