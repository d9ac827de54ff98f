using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Reflection;
using System.Runtime.Serialization;
using System.Xml.Serialization;

namespace WireBenchmark;

// The five messages as plain classes, which the serializers of the framework work on. Their fields are named as the elements.

[DataContract(Namespace = Messages.Namespace)]
[XmlType(Namespace = Messages.Namespace)]
public sealed class Short
{
    [DataMember(Order = 0)] public string identification = "";
    [DataMember(Order = 1)] public string text = "";
}

[DataContract(Namespace = Messages.Namespace)]
[XmlType(Namespace = Messages.Namespace)]
public sealed class Customer
{
    [DataMember(Order = 0)] public string number = "";
    [DataMember(Order = 1)] public string title = "";
    [DataMember(Order = 2)] public string firstName = "";
    [DataMember(Order = 3)] public string lastName = "";
    [DataMember(Order = 4)] public string street = "";
    [DataMember(Order = 5)] public string city = "";
    [DataMember(Order = 6)] public string postcode = "";
    [DataMember(Order = 7)] public string country = "";
    [DataMember(Order = 8)] public string telephone = "";
    [DataMember(Order = 9)] public string email = "";
    [DataMember(Order = 10)] public bool active;
    [DataMember(Order = 11)] public bool newsletter;
    [DataMember(Order = 12)] public DateTime opened;
    [DataMember(Order = 13)] public DateTime lastOrder;
}

[DataContract(Namespace = Messages.Namespace)]
[XmlType(Namespace = Messages.Namespace)]
public sealed class Simple
{
    [DataMember(Order = 0)] public string identification = "";
    [DataMember(Order = 1)] public Customer customer = new();
}

[DataContract(Namespace = Messages.Namespace)]
[XmlType(Namespace = Messages.Namespace)]
public sealed class Medium
{
    [DataMember(Order = 0)] public string identification = "";
    [XmlElement("customers")] [DataMember(Order = 1)] public Customer[] customers = [];
}

[DataContract(Namespace = Messages.Namespace)]
[XmlType(Namespace = Messages.Namespace)]
public sealed class Product
{
    [DataMember(Order = 0)] public string code = "";
    [DataMember(Order = 1)] public string name = "";
    [DataMember(Order = 2)] public string description = "";
    [DataMember(Order = 3)] public int quantity;
    [DataMember(Order = 4)] public double price;
    [DataMember(Order = 5)] public decimal total;
    [DataMember(Order = 6)] public bool inStock;
    [DataMember(Order = 7)] public DateTime delivery;
}

[DataContract(Namespace = Messages.Namespace)]
[XmlType(Namespace = Messages.Namespace)]
public sealed class Complex
{
    [DataMember(Order = 0)] public string identification = "";
    [DataMember(Order = 1)] public Customer customer = new();
    [XmlElement("products")] [DataMember(Order = 2)] public Product[] products = [];
}

[DataContract(Namespace = Messages.Namespace)]
[XmlType(Namespace = Messages.Namespace)]
public sealed class SimpleJpeg
{
    [DataMember(Order = 0)] public string identification = "";
    [DataMember(Order = 1)] public Customer customer = new();
    [DataMember(Order = 2)] public byte[] picture = [];
}

/// <summary>The values of the messages, the same in every language.</summary>
internal static class Messages
{
    public const string Namespace = "urn:creo:bench:messages";

    private static readonly string[] Titles = ["Mr", "Mrs", "Ms", "Dr"];
    private static readonly string[] First = ["James", "Mary", "Zoë", "Robert", "Patricia", "John", "Jennifer", "Michael"];
    private static readonly string[] Last = ["Smith", "Nguyen", "Müller", "O'Brien", "Williams", "Papadopoulos", "Brown", "Taylor"];
    private static readonly string[] Streets = ["Collins Street", "Flinders Lane", "Swanston Street", "Glenferrie Road", "St Kilda Road"];
    private static readonly string[] Cities = ["Melbourne", "Sydney", "Brisbane", "Adelaide", "Perth", "Hobart"];
    private static readonly string[] Countries = ["Australia", "New Zealand", "Singapore"];
    private static readonly string[] Kinds = ["Small", "Large", "Folding", "Portable", "Heavy"];
    private static readonly string[] Things = ["table", "lamp", "monitor", "printer", "keyboard", "chair", "cabinet"];
    private static readonly string[] Texts =
    [
        "Delivered in parts, with tools & screws", "Two years of warranty", "Made of recycled aluminium and oak", "Ships within two working days",
    ];

    public static object Of(string name, string identification) => name switch
    {
        "short" => new Short { identification = identification, text = "The quick brown fox jumps over the lazy dog, 50 ch" },
        "simple" => new Simple { identification = identification, customer = CustomerOf(7) },
        "medium" => new Medium { identification = identification, customers = Values.Of(20, CustomerOf) },
        "complex" => new Complex { identification = identification, customer = CustomerOf(7), products = Values.Of(50, ProductOf) },
        "jpeg" => new SimpleJpeg { identification = identification, customer = CustomerOf(7), picture = Picture() },
        _ => throw new ArgumentOutOfRangeException(nameof(name)),
    };

    /// <summary>All values of a message of any peer's classes, one after another.</summary>
    public static IEnumerable<object> Flat(object value) => value switch
    {
        string or bool or int or double or decimal => [value],
        DateTime time => [Creo.Instant.FromDateTimeOffset(new DateTimeOffset(time)).ToString()],
        Creo.Instant or Creo.BigDecimal => [value is Creo.BigDecimal number ? (decimal)number : value.ToString()!],
        byte[] bytes => [Convert.ToBase64String(bytes)],
        Creo.ValueArray<byte> bytes => [Convert.ToBase64String(bytes.ToArray())],
        IEnumerable all => all.Cast<object>().SelectMany(Flat),
        _ => value.GetType().GetMembers(BindingFlags.Public | BindingFlags.Instance)
            .OrderBy(member => member.MetadataToken)
            .Select(member => member is FieldInfo field ? field.GetValue(value) : member is PropertyInfo property ? property.GetValue(value) : null)
            .OfType<object>()
            .SelectMany(Flat),
    };

    private static Customer CustomerOf(int i) => new()
    {
        number = "C" + Text(10_000_000 + i * 7919),
        title = Titles[i % 4],
        firstName = First[i % 8],
        lastName = Last[i * 3 % 8],
        street = Text(i * 37 % 200 + 1) + " " + Streets[i % 5],
        city = Cities[i % 6],
        postcode = Text(10_000 + i * 613),
        country = Countries[i % 3],
        telephone = $"+61 3 {Text(9000 + i)} {Text(1000 + i * 97)}",
        email = $"customer{Text(i)}@example.org",
        active = i % 3 != 0,
        newsletter = i % 2 == 0,
        opened = Time(1_000_000_000 + i * 86_413L),
        lastOrder = Time(1_600_000_000 + i * 3_607L).AddMilliseconds(i * 37 % 1000),
    };

    private static Product ProductOf(int i)
    {
        int cents = i * 1237 + 995;
        int quantity = i * 7 % 20 + 1;
        return new Product
        {
            code = "P-" + Text(100_000 + i * 31),
            name = Kinds[i % 5] + " " + Things[i % 7],
            description = Texts[i % 4],
            quantity = quantity,
            price = cents / 100.0,
            total = new decimal(cents * quantity, 0, 0, false, 2),
            inStock = i % 4 != 1,
            delivery = Time(1_650_000_000 + i * 43_200L),
        };
    }

    /// <summary>14 kB that no compressor makes smaller, as a picture is.</summary>
    private static byte[] Picture()
    {
        var bytes = new byte[14 * 1024];
        uint x = 1;
        for (int i = 0; i < bytes.Length; i++)
        {
            x = unchecked(x * 1_103_515_245 + 12_345);
            bytes[i] = unchecked((byte)(x >> 16));
        }
        return bytes;
    }

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);

    private static DateTime Time(long seconds) => DateTime.UnixEpoch.AddSeconds(seconds);
}
