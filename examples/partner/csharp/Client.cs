using System;
using System.Globalization;
using System.Threading.Tasks;
using Creo;
using Org.Example.Carrier;

/// <summary>Books a parcel and asks where it is: <c>client soap URL</c>, or <c>client binary HOST:PORT</c>.</summary>
public static class Client
{
    public static async Task Main(string[] args)
    {
        await using Binding binding = Open(args[0], args[1]);
        var carrier = new CarrierClient(binding);
        BookResponse order = await carrier.BookAsync(
            new Address { Name = "Ada", City = "London", Country = "GB" },
            new Address { Name = "Grace", City = "New York", Country = "US" },
            [new Parcel { Kilograms = 1.5m }, new Parcel { Kilograms = 0.75m, Contents = "a vase", Fragile = true }]);
        Console.WriteLine($"booked {order.Number} for {order.Price}, arrives {order.Arrives}");
        foreach (Event each in await carrier.TrackAsync(order.Number))
        {
            Console.WriteLine($"{each.At}: {each.State} in {each.Place}");
        }
        try
        {
            await carrier.TrackAsync("P-9999");
        }
        catch (UnknownParcelException unknown)
        {
            Console.WriteLine($"unknown parcel {unknown.Number}");
        }
    }

    private static Binding Open(string wire, string place)
    {
        int colon = place.LastIndexOf(':');
        return wire == "soap" ? new SoapBinding(place) : new TcpBinding(place[..colon], int.Parse(place[(colon + 1)..], CultureInfo.InvariantCulture));
    }
}
