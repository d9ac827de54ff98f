// Uses packages of three services: Both PORT TWIN-PORT.
using System;
using System.Globalization;
using Org.Example.Lab;
using Org.Example.Stock;
using Org.Example.Twin;

int port = int.Parse(args[0], CultureInfo.InvariantCulture);
using var lab = new LabClient("127.0.0.1", port);
using var stock = new StockClient("127.0.0.1", port);
using var twin = new Lab2Client("127.0.0.1", int.Parse(args[1], CultureInfo.InvariantCulture));
lab.Put("csharp", new Org.Example.Lab.Sample { At = new Org.Example.Lab.Common.Point { X = 1, Y = 2 }, Value = 3.5 });
Org.Example.Lab.Sample sample = lab.Get("csharp");
Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{sample.At.X:F1} {sample.At.Y:F1} {sample.Value:F1} {sample.Note}"));
Item item = stock.Find("bolt", new Org.Example.Stock.Common.Point { X = 4, Y = 5 });
Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{item.Name} {item.At.X:F1} {item.At.Y:F1} {item.Count}"));
Console.WriteLine(twin.Twice(new Org.Example.Twin.Sample { Values = [21] }).Values[0]);
try
{
    lab.Get("nothing");
}
catch (NotFoundException e)
{
    Console.WriteLine("no " + e.Name);
}
