using System;
using System.IO;

namespace Creo.Measured;

/// <summary>One message on one wire.</summary>
internal abstract class Subject
{
    private const int Most = 1 << 24;

    // The parts of a sample, and the min number of slices, however long a message takes: after other messages the first call finds nothing of it in
    // the caches.
    private const int Slices = 10;
    private const int Least = 3;

    // The clock was steady in a slice if the references around it differ by no more than this part.
    private const double Steady = 0.02;

    // Of the slices: what another program takes of a core that is shared, or the collector, is seldom taken of all.
    private const double Quarter = 0.25;

    // In references.
    private readonly Numbers _writing = new();
    private readonly Numbers _reading = new();

    private int _writes = 1;
    private int _reads = 1;

    protected Subject(string wire, string number)
    {
        Wire = wire;
        Number = number;
    }

    public string Wire { get; }

    public string Number { get; }

    /// <summary>In references.</summary>
    public double Writing => _writing.Quantile(Quarter);

    /// <summary>In references.</summary>
    public double Reading => _reading.Quantile(Quarter);

    /// <summary>Bytes of the message.</summary>
    public abstract int Length { get; }

    /// <summary>Writes the message so many times, each time to where it would be sent from.</summary>
    protected abstract void Write(int times);

    /// <summary>Reads the message so many times.</summary>
    protected abstract void Read(int times);

    /// <summary>Fails unless what is read is written again as the same bytes.</summary>
    public abstract void Check();

    /// <summary>Writes and reads the message some times before anything counts: at least so often, and then no longer than some time.</summary>
    public void Warm(int least, int calls, long nanoseconds)
    {
        foreach (bool serialize in (bool[])[true, false])
        {
            long spent = 0;
            for (int done = 0; done < least || (done < calls && spent < nanoseconds); done++)
            {
                spent += Run(serialize, 1);
            }
        }
    }

    /// <summary>
    /// A sample of about so many nanoseconds, in slices. The clock's rate changes by a fifth and more from one moment to the next, so a slice is measured by
    /// the references around it, and counts if these are alike; the last one of a sample counts where none is.
    /// </summary>
    public void Sample(bool serialize, long wanted, bool keep)
    {
        ref int count = ref serialize ? ref _writes : ref _reads;
        long before = Reference.Nanoseconds();
        if (keep)
        {
            Reference.Kept.Add(before);
        }
        Numbers slices = serialize ? _writing : _reading;
        int kept = slices.Count;
        long all = 0;
        for (int slice = 0; slice < Slices && (all < wanted || slice < Least); slice++)
        {
            long spent = Slice(serialize, ref count, wanted / Slices);
            all += spent;
            long after = Reference.Nanoseconds();
            bool steady = Math.Abs(before - after) <= Steady * after;
            bool last = slice == Slices - 1 || (all >= wanted && slice >= Least - 1);
            if (keep && (steady || (last && slices.Count == kept)))
            {
                slices.Add((double)spent / count / ((before + after) / 2.0));
            }
            if (spent > 2 * (wanted / Slices))
            {
                count = (int)Math.Max(1, count * (wanted / Slices) / spent);
            }
            before = after;
        }
    }

    protected InvalidDataException Differs() => new($"case {Number} on {Wire} does not come back as it went");

    // Grows the count until a slice is as long as was wanted.
    private long Slice(bool serialize, ref int count, long wanted)
    {
        long spent = Run(serialize, count);
        while (spent < wanted / 2 && count < Most)
        {
            count = (int)Math.Min(Most, Math.Max(count * 2L, count * wanted / Math.Max(spent, 1)));
            spent = Run(serialize, count);
        }
        return spent;
    }

    private long Run(bool serialize, int times)
    {
        long start = ThreadClock.Nanoseconds();
        if (serialize)
        {
            Write(times);
        }
        else
        {
            Read(times);
        }
        return ThreadClock.Nanoseconds() - start;
    }
}

/// <summary>One of the two messages of a method.</summary>
internal abstract class Message
{
    protected Message(string name) => Name = name;

    /// <summary>The method, with interface and package.</summary>
    public string Name { get; }

    /// <summary>A request; otherwise a response.</summary>
    public bool IsRequest { get; init; }

    /// <summary>Some of its fields are in the header of SOAP.</summary>
    public bool HasHeaders { get; init; }

    /// <summary>How many fields it has: a response of none has no text of JSON.</summary>
    public int Fields { get; init; }

    /// <summary>The method's own name.</summary>
    public string Method => Name[(Name.LastIndexOf('.') + 1)..];

    public static string Key(Message message) => $"{(message.IsRequest ? "request" : "response")} {message.Name}";

    /// <summary>The message of a binary body on a wire of the runtime; null if that is none of them.</summary>
    public abstract Subject? On(string wire, string number, byte[] body);

    /// <summary>The message of a binary body as one of SOAP.</summary>
    public abstract byte[] ToSoap(byte[] body);

    /// <summary>The binary body of a message of SOAP.</summary>
    public abstract byte[] FromSoap(byte[] soap);
}

/// <inheritdoc/>
/// <typeparam name="T">The arguments: one value, or a tuple of several; or the result.</typeparam>
internal sealed class Message<T>(string name) : Message(name)
{
    public required Encoder<T> Encode { get; init; }

    public required Decoder<T> Decode { get; init; }

    /// <summary>What writes it on text wires.</summary>
    public required TextRequest<T> Written { get; init; }

    /// <summary>What reads it from text wires.</summary>
    public required TextResponse<T> Whole { get; init; }

    /// <summary>What reads it from the body of an envelope, where the header is passed over.</summary>
    public required TextResponse<T> Body { get; init; }

    public T Value(byte[] body)
    {
        var reader = new Reader(body, Limits.Default);
        T value = Decode(ref reader);
        reader.ReadEnd();
        return value;
    }

    public override Subject? On(string wire, string number, byte[] body)
    {
        T value = Value(body);
        return wire switch
        {
            "binary" => new BinarySubject<T>(number, this, value),
            "soap" => new SoapSubject<T>(number, this, value),
            "tdxml-record" => new TableSubject<T>(wire, number, this, value, TableScheme.Record),
            "tdxml-aggregated" => new TableSubject<T>(wire, number, this, value, TableScheme.Aggregated),
            "tdxml-record-in-soap" => new TableInSoapSubject<T>(wire, number, this, value, TableScheme.Record),
            "tdxml-aggregated-in-soap" => new TableInSoapSubject<T>(wire, number, this, value, TableScheme.Aggregated),
            "json" => new JsonSubject<T>(number, this, value),
            _ => null,
        };
    }
    public override byte[] ToSoap(byte[] body) => new SoapSubject<T>("", this, default!).Written(Value(body));

    public override byte[] FromSoap(byte[] soap)
    {
        var writer = new Writer();
        Encode(writer, SoapSubject<T>.Result(this, [.. soap, .. new byte[TextInput.Padding]], soap.Length));
        return writer.Written.ToArray();
    }
}
