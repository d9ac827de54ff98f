// Calls every method of the service: dotnet run -- HOST PORT
using System;
using System.Globalization;
using @CSHARP@;

string host = args.Length > 0 ? args[0] : "127.0.0.1";
int port = args.Length > 1 ? int.Parse(args[1], CultureInfo.InvariantCulture) : 7400;

using var store = new SeriesStoreClient(host, port);
store.Put(new Series { Name = "csharp", Values = [1.0, 2.5, 4.0] });
Console.WriteLine("csharp: " + string.Join(", ", store.Get("csharp").Values));
Console.WriteLine("series: " + string.Join(", ", store.Names()));
try
{
    store.Get("nothing");
}
catch (NotFoundException e)
{
    Console.WriteLine("there is no series " + e.Name);
}
