using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.Serialization;
using System.Text;
using System.Xml;
using System.Xml.Serialization;

namespace WireBenchmark;

/// <summary>The peers of the soap wire.</summary>
internal static class Cases
{
    public static IEnumerable<string> Peers => ["creo", "xml-serializer", "data-contract"];

    /// <summary>A case whose round trip has been checked.</summary>
    public static Case? Create(string workload, string size, string peer)
    {
        object value = Messages.Of(size, "REQUEST");
        Case made = peer switch
        {
            "creo" => CreoSoapCase.Of(value),
            "xml-serializer" => new XmlSoapCase(value),
            "data-contract" => new ContractSoapCase(value),
            _ => throw new ArgumentException($"no peer {peer}", nameof(peer)),
        };
        if (!made.Plain(made.Deserialize()).SequenceEqual(Messages.Flat(Messages.Of(size, "RESPONSE"))))
        {
            throw new InvalidDataException($"{peer} does not give back {workload} of {size}");
        }
        return made;
    }
}

/// <summary>A peer on the soap wire: a request is written, the response to it is read, without HTTP.</summary>
public abstract class SoapCase : Case
{
    private byte[]? response;

    protected SoapCase(object value) => Method = "echo" + value.GetType().Name;

    protected string Method { get; }

    /// <summary>The service's answer: other names, and another identification.</summary>
    protected byte[] Response => response ??= Encoding.UTF8.GetBytes(Request()
        .Replace(Method, Method + "Response", StringComparison.Ordinal)
        .Replace("message>", "result>", StringComparison.Ordinal)
        .Replace("message ", "result ", StringComparison.Ordinal)
        .Replace(">REQUEST<", ">RESPONSE<", StringComparison.Ordinal));

    public override IEnumerable<object> Plain(object decoded) => Messages.Flat(decoded);

    private string Request()
    {
        Serialize();
        return Encoding.UTF8.GetString(Written);
    }
}

/// <summary>Creo's generated records, written and read as its client does.</summary>
internal sealed class CreoSoapCase<T> : SoapCase
    where T : notnull
{
    private readonly Creo.TextMethod<T, T> method;
    private readonly T value;
    private readonly byte[] padded;
    private readonly int length;
    private Creo.Xml.XmlWriter? writer;

    public CreoSoapCase(object plain, Creo.TextMethod<T, T> method, T value)
        : base(plain)
    {
        this.method = method;
        this.value = value;
        length = Response.Length;
        padded = [.. Response, .. new byte[256]];
    }

    public override ReadOnlySpan<byte> Written => writer!.Written.Span;

    public override int Serialize()
    {
        // What was written stays until the next call.
        writer?.GiveBack();
        writer = Creo.Xml.XmlWriter.Rent(Creo.Limits.Default);
        writer.BeginEnvelope(Creo.Soap.SoapNames.Envelope(Creo.SoapVersion.Soap11), [], method.Request, value);
        method.Request.WriteBody(writer, value);
        writer.EndEnvelope();
        return writer.Written.Length;
    }

    public override object Deserialize()
    {
        Creo.Xml.XmlReader reader = Creo.Xml.XmlReader.Rent(Creo.Limits.Default);
        try
        {
            reader.OpenOwn(padded, length, "utf-8");
            if (reader.BeginEnvelope())
            {
                throw reader.ReadFault(method.Throws);
            }
            return reader.ReadBody(method.Response!);
        }
        finally
        {
            reader.GiveBack();
        }
    }
}

internal static class CreoSoapCase
{
    public static Case Of(object value) => value switch
    {
        Short m => Case(m, Bench.Messages.MessagesMethods.EchoShort, new Bench.Messages.Short { Identification = m.identification, Text = m.text }),
        Simple m => Case(
            m, Bench.Messages.MessagesMethods.EchoSimple, new Bench.Messages.Simple { Identification = m.identification, Customer = Made(m.customer) }),
        Medium m => Case(
            m,
            Bench.Messages.MessagesMethods.EchoMedium,
            new Bench.Messages.Medium { Identification = m.identification, Customers = m.customers.Select(Made).ToArray() }),
        Complex m => Case(
            m,
            Bench.Messages.MessagesMethods.EchoComplex,
            new Bench.Messages.Complex { Identification = m.identification, Customer = Made(m.customer), Products = m.products.Select(Made).ToArray() }),
        SimpleJpeg m => Case(
            m,
            Bench.Messages.MessagesMethods.EchoSimpleJpeg,
            new Bench.Messages.SimpleJpeg { Identification = m.identification, Customer = Made(m.customer), Picture = m.picture }),
        _ => throw new ArgumentException("no message", nameof(value)),
    };

    private static CreoSoapCase<T> Case<T>(object plain, Creo.Method<T, T> method, T value)
        where T : notnull =>
        new(plain, method.Text!(), value);

    private static Bench.Messages.Customer Made(Customer c) => new()
    {
        Number = c.number,
        Title = c.title,
        FirstName = c.firstName,
        LastName = c.lastName,
        Street = c.street,
        City = c.city,
        Postcode = c.postcode,
        Country = c.country,
        Telephone = c.telephone,
        Email = c.email,
        Active = c.active,
        Newsletter = c.newsletter,
        Opened = Creo.Instant.FromDateTimeOffset(new DateTimeOffset(c.opened)),
        LastOrder = Creo.Instant.FromDateTimeOffset(new DateTimeOffset(c.lastOrder)),
    };

    private static Bench.Messages.Product Made(Product p) => new()
    {
        Code = p.code,
        Name = p.name,
        Description = p.description,
        Quantity = p.quantity,
        Price = p.price,
        Total = p.total,
        InStock = p.inStock,
        Delivery = Creo.Instant.FromDateTimeOffset(new DateTimeOffset(p.delivery)),
    };
}

/// <summary>A serializer of the framework within an envelope that is written and read by hand; streams are kept.</summary>
public abstract class FrameworkSoapCase : SoapCase
{
    private const string Soap = "http://schemas.xmlsoap.org/soap/envelope/";

    private static readonly XmlWriterSettings WriterSettings = new() { Encoding = new UTF8Encoding(false), CheckCharacters = false, OmitXmlDeclaration = true };
    private static readonly XmlReaderSettings ReaderSettings = new() { CheckCharacters = false, DtdProcessing = DtdProcessing.Prohibit };

    private readonly MemoryStream stream = new();

    protected FrameworkSoapCase(object value)
        : base(value) => Value = value;

    public override ReadOnlySpan<byte> Written => stream.GetBuffer().AsSpan(0, (int)stream.Length);

    protected object Value { get; }

    public override int Serialize()
    {
        stream.SetLength(0);
        using (XmlWriter writer = XmlWriter.Create(stream, WriterSettings))
        {
            writer.WriteStartElement("soap", "Envelope", Soap);
            writer.WriteAttributeString("xmlns", "n1", null, Messages.Namespace);
            writer.WriteStartElement("soap", "Body", Soap);
            writer.WriteStartElement("n1", Method, Messages.Namespace);
            Write(writer);
            writer.WriteEndElement();
            writer.WriteEndElement();
            writer.WriteEndElement();
        }
        return (int)stream.Length;
    }

    public override object Deserialize()
    {
        using XmlReader reader = XmlReader.Create(new MemoryStream(Response), ReaderSettings);
        reader.ReadStartElement("Envelope", Soap);
        reader.ReadStartElement("Body", Soap);
        reader.ReadStartElement(Method + "Response", Messages.Namespace);
        object value = Read(reader);
        reader.ReadEndElement();
        reader.ReadEndElement();
        reader.ReadEndElement();
        return value;
    }

    protected abstract void Write(XmlWriter writer);

    protected abstract object Read(XmlReader reader);
}

internal sealed class XmlSoapCase(object value) : FrameworkSoapCase(value)
{
    private static readonly XmlSerializerNamespaces Prefixes = new([new XmlQualifiedName("n1", Messages.Namespace)]);

    private readonly XmlSerializer writes = new(value.GetType(), new XmlRootAttribute("message") { Namespace = Messages.Namespace });
    private readonly XmlSerializer reads = new(value.GetType(), new XmlRootAttribute("result") { Namespace = Messages.Namespace });

    protected override void Write(XmlWriter writer) => writes.Serialize(writer, Value, Prefixes);

    protected override object Read(XmlReader reader) => reads.Deserialize(reader)!;
}

internal sealed class ContractSoapCase(object value) : FrameworkSoapCase(value)
{
    private readonly DataContractSerializer writes = new(value.GetType(), "message", Messages.Namespace);
    private readonly DataContractSerializer reads = new(value.GetType(), "result", Messages.Namespace);

    protected override void Write(XmlWriter writer) => writes.WriteObject(writer, Value);

    protected override object Read(XmlReader reader) => reads.ReadObject(reader)!;
}
