using System;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using Creo;
using Org.Example.Co2;

/// <summary>Stores the weekly CO2 series of Mauna Loa and retrieves it: <c>client BINDING HOST:PORT CSV [REPEATS]</c>.</summary>
public static class Client
{
    private const string Name = "CO2 at Mauna Loa, from C#";

    public static async Task Main(string[] args)
    {
        Data series = Read(args[2]);
        await using Binding binding = Open(args[0], args[1]);
        var service = new DataServiceClient(binding);
        await service.StoreDataAsync([series]);
        Data back = await service.RetrieveDataAsync(Name);
        Check(back == series, "the series came back different");
        Console.WriteLine($"stored and retrieved {back.Samples.Count} weeks");

        Instant from = Midnight("19900101"), until = Midnight("20000101");
        ValueArray<Sample> high = await service.FindAsync(new Query { Description = Name, From = from, Until = until, AtLeast = 365.0 });
        Check(high == series.Samples.Where(s => s.Week >= from && s.Week < until && s.Ppm >= 365.0).ToValueArray(), "find gave other weeks than expected");
        Console.WriteLine($"found {high.Count} weeks of the nineties with 365 ppm and more");

        try
        {
            // Each method has a form that waits on the caller's thread, too.
            service.RetrieveData("CO2 on Mars");
            Check(false, "nobody measured CO2 on Mars");
        }
        catch (NotFoundException missing)
        {
            Check(missing.Known.Contains(Name), "the service does not name what it has");
            Console.WriteLine($"not found, as declared: {missing.Description}");
        }
        Measure(service, series, args.Length > 3 ? int.Parse(args[3], CultureInfo.InvariantCulture) : 0);
    }

    /// <summary>The calls are the same over every binding.</summary>
    private static Binding Open(string binding, string place)
    {
        int colon = place.LastIndexOf(':');
        (string host, int port) = (place[..colon], int.Parse(place[(colon + 1)..], CultureInfo.InvariantCulture));
        string url = $"http://{place}/DataService";
        return binding switch
        {
            "binary+tcp" => new TcpBinding(host, port),
            "tdxml+tcp" => new TcpBinding(host, port, new ClientOptions { Wire = Wire.Tdxml }),
            "soap+http" => new SoapBinding(url),
            "tdxml+http" => new SoapBinding(url, soap: new SoapOptions { Tables = TableOptions.Default }),
            "json+http" => new JsonBinding(url),
#if JMS
            "binary+jms" => new JmsBinding(new JmsBroker(host, port), "jms:queue:co2", JmsWire.Binary),
            "tdxml+jms" => new JmsBinding(new JmsBroker(host, port), "jms:queue:co2", JmsWire.Tdxml),
            "soap+jms" => new JmsBinding(new JmsBroker(host, port), "jms:queue:co2"),
#endif
            _ => throw new ArgumentException($"no such binding: {binding}"),
        };
    }

    /// <summary>The series of the CSV: a date and a number a line; a week without a measurement has no number.</summary>
    private static Data Read(string path) => new()
    {
        Metadata = new MetaData { Description = Name, Source = "Keeling and Whorf 2004", Obtained = Midnight("20140315") },
        Samples = File.ReadLines(path)
            .Skip(1)
            .Select(line => line.Split(','))
            .Where(parts => parts[1].Length > 0)
            .Select(parts => new Sample { Week = Midnight(parts[0]), Ppm = double.Parse(parts[1], CultureInfo.InvariantCulture) })
            .ToValueArray(),
    };

    private static Instant Midnight(string date) =>
        DateTimeOffset.ParseExact(date, "yyyyMMdd", CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal);

    private static void Check(bool holds, string problem)
    {
        if (!holds)
        {
            throw new InvalidOperationException(problem);
        }
    }

    /// <summary>Repeats both calls and prints the median time of one, in the second half, when everything is warm.</summary>
    private static void Measure(DataServiceClient service, Data series, int repeats)
    {
        double[] store = new double[repeats], retrieve = new double[repeats];
        for (int i = 0; i < repeats; i++)
        {
            long start = Stopwatch.GetTimestamp();
            service.StoreData([series]);
            long stored = Stopwatch.GetTimestamp();
            service.RetrieveData(Name);
            retrieve[i] = Stopwatch.GetElapsedTime(stored).TotalMicroseconds;
            store[i] = Stopwatch.GetElapsedTime(start, stored).TotalMicroseconds;
        }
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"{{\"calls\": {2 * repeats + 4}, \"storeMicroseconds\": {Median(store):F1}, \"retrieveMicroseconds\": {Median(retrieve):F1}}}"));
    }

    private static double Median(double[] times)
    {
        double[] warm = times[(times.Length / 2)..];
        Array.Sort(warm);
        return warm.Length == 0 ? 0 : warm[warm.Length / 2];
    }
}
