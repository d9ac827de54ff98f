using System;
using System.Buffers.Binary;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Text;
using Bench.Response;
using Creo;

namespace ResponseBenchmark;

/// <summary>The values that are sent, by the formulas of every language.</summary>
internal static class Data
{
    public static double D(int i) => (i / 8.0) - 3;

    public static short S(int i) => unchecked((short)(i * 7919));

    public static string[] Strings(int count) => [.. Enumerable.Range(0, count).Select(i => (i * 1234567891L % 10_000_000_000L).ToString("D10"))];

    public static byte[] Bytes(int count) => [.. Enumerable.Range(0, count).Select(i => unchecked((byte)((i * 31) + 7)))];
}

/// <summary>Creo's binary wire over TCP, at its defaults: one client for all callers.</summary>
internal sealed class CreoClient(int port) : IClient
{
    private static ResponseClient? shared;

    private readonly ResponseClient client = shared ??= new ResponseClient("127.0.0.1", port);

    public object Prepare(string kind, int count) => kind switch
    {
        "numbers" => Enumerable.Range(0, count).Select(i => new Block { D = Data.D(i), S = Data.S(i) }).ToArray(),
        "strings" => Data.Strings(count),
        _ => Data.Bytes(count),
    };

    public int Call(string kind, object request) => kind switch
    {
        "numbers" => client.PutNumbers((Block[])request),
        "strings" => client.PutStrings((string[])request),
        _ => client.PutBytes((byte[])request),
    };
}

/// <summary>A plain socket with a codec written by hand for these three requests: a floor, not a product. Its frames are those of the Java service.</summary>
internal sealed class RawClient : IClient
{
    private const int Head = 5;

    private readonly Socket socket = new(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
    private readonly byte[] answer = new byte[4];
    private byte[] frame = new byte[1 << 16];

    public RawClient(int port) => socket.Connect(IPAddress.Loopback, port);

    private readonly record struct Pair(double D, short S);

    public object Prepare(string kind, int count) => kind switch
    {
        "numbers" => Enumerable.Range(0, count).Select(i => new Pair(Data.D(i), Data.S(i))).ToArray(),
        "strings" => Data.Strings(count),
        _ => Data.Bytes(count),
    };

    public int Call(string kind, object request)
    {
        int end = kind switch
        {
            "numbers" => Numbers((Pair[])request),
            "strings" => Strings((string[])request),
            _ => Bytes((byte[])request),
        };
        BinaryPrimitives.WriteInt32BigEndian(frame, end - Head);
        frame[4] = (byte)(kind == "numbers" ? 0 : kind == "strings" ? 1 : 2);
        for (int at = 0; at < end;)
        {
            at += socket.Send(frame.AsSpan(at, end - at));
        }
        for (int at = 0; at < 4;)
        {
            int read = socket.Receive(answer.AsSpan(at));
            at += read > 0 ? read : throw new EndOfStreamException("the service closed the connection");
        }
        return BinaryPrimitives.ReadInt32BigEndian(answer);
    }

    private void Room(int size)
    {
        if (frame.Length < size)
        {
            Array.Resize(ref frame, Math.Max(size, (int)Math.Min(Array.MaxLength, 2L * frame.Length)));
        }
    }

    private int Numbers(Pair[] pairs)
    {
        Room(Head + 4 + (10 * pairs.Length));
        BinaryPrimitives.WriteInt32BigEndian(frame.AsSpan(Head), pairs.Length);
        int at = Head + 4;
        foreach (Pair pair in pairs)
        {
            Span<byte> block = frame.AsSpan(at, 10);
            BinaryPrimitives.WriteDoubleBigEndian(block, pair.D);
            BinaryPrimitives.WriteInt16BigEndian(block[8..], pair.S);
            at += 10;
        }
        return at;
    }

    private int Strings(string[] items)
    {
        BinaryPrimitives.WriteInt32BigEndian(frame.AsSpan(Head), items.Length);
        int at = Head + 4;
        foreach (string item in items)
        {
            Room(at + 4 + (3 * item.Length));
            int size = Encoding.UTF8.GetBytes(item, frame.AsSpan(at + 4));
            BinaryPrimitives.WriteInt32BigEndian(frame.AsSpan(at), size);
            at += 4 + size;
        }
        return at;
    }

    private int Bytes(byte[] data)
    {
        Room(Head + data.Length);
        data.CopyTo(frame, Head);
        return Head + data.Length;
    }
}
