using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Net.Sockets;
using System.Text;
using System.Threading.Tasks;

namespace Creo.Tests;

/// <summary>Methods with one stream, as the generator describes them for the json wire.</summary>
public static class LineMethods
{
    private static readonly ServiceInfo Service = new("test.Lines", 1);
    private static readonly Layout NoParameters = Layout.Struct("void", static () => []);

    private static readonly TextField To = new("to", "", "to") { Form = TextForm.Integer };
    private static readonly TextRecord CountRecord = new("count", "", "count", To);
    private static readonly TextField Number = new(null, "", "item") { Form = TextForm.Integer };
    private static readonly TextRecord NumberRecord = new("item", "", "item", Number);
    private static readonly TextField Maybe = new(null, "", "item") { IsOptional = true };
    private static readonly TextRecord MaybeRecord = new("item", "", "item", Maybe);
    private static readonly TextRecord NoRecord = new("none", "", "none");
    private static readonly TextField Description = new("description", "", "description");
    private static readonly TextRecord NotFoundRecord = new("test.NotFound", "", "NotFound", Description);

    private static readonly TextCodec<NotFoundException> NotFound = new("test.NotFound", new TextField(null, "", "NotFound") { Type = static () => NotFoundRecord },
        static (writer, field, value) =>
        {
            writer.BeginRecord(field, NotFoundRecord);
            writer.WriteString(Description, value.Description);
            writer.EndRecord(field, NotFoundRecord);
        },
        static reader => new NotFoundException { Description = One(reader, NotFoundRecord, static reader => reader.ReadString()) },
        false);

    public static StreamMethod<int, Unit, long, Unit> Count { get; } = new()
    {
        Service = Service,
        Name = "count",
        Id = 1,
        Parameters = Layout.Struct("test.Lines.count", static () => [new("to", Layout.Int, 0, true)]),
        EncodeArguments = static (writer, arguments) => writer.WriteInt32(arguments),
        DecodeResult = static (ref Reader reader) => default,
        DecodeItems = static (ref Reader reader) => reader.ReadInt64s(),
        Received = Layout.Array(Layout.Long),
        Secrets = ["to"],
        Text = static () => new()
        {
            Action = "",
            Request = new(null, CountRecord, static (writer, arguments) => writer.WriteInt32(To, arguments), false),
            Throws = [TextCase.Of(NotFound)],
        },
        ReadItem = static reader => One(reader, NumberRecord, static reader => reader.ReadInt64()),
    };

    public static StreamMethod<Unit, Unit, string?, Unit> Texts { get; } = new()
    {
        Service = Service,
        Name = "texts",
        Id = 2,
        Parameters = NoParameters,
        EncodeArguments = static (writer, arguments) => { },
        DecodeResult = static (ref Reader reader) => default,
        DecodeItems = static (ref Reader reader) => default,
        Text = static () => new() { Action = "", Request = new(null, NoRecord, static (writer, arguments) => { }, false) },
        ReadItem = static reader => One(reader, MaybeRecord, static reader => reader.ReadNil() ? null : reader.ReadString()),
    };

    public static StreamMethod<Unit, long, Unit, long> Sum { get; } = new()
    {
        Service = Service,
        Name = "sum",
        Id = 3,
        Parameters = NoParameters,
        Result = Layout.Long,
        EncodeArguments = static (writer, arguments) => { },
        DecodeResult = static (ref Reader reader) => reader.ReadInt64(),
        EncodeItem = static (writer, item) => writer.WriteInt64(item),
        Sent = Layout.Long,
        Text = static () => new()
        {
            Action = "",
            Request = new(null, NoRecord, static (writer, arguments) => { }, false),
            Response = new(null, NumberRecord, static reader => One(reader, NumberRecord, static reader => reader.ReadInt64())),
            Throws = [TextCase.Of(NotFound)],
        },
        WriteItem = static (writer, item) => writer.WriteInt64(Number, item),
    };

    public static StreamMethod<Unit, string?, Unit, Unit> Store { get; } = new()
    {
        Service = Service,
        Name = "store",
        Id = 4,
        Parameters = NoParameters,
        EncodeArguments = static (writer, arguments) => { },
        DecodeResult = static (ref Reader reader) => default,
        EncodeItem = static (writer, item) => { },
        Sent = Layout.Optional(Layout.String),
        Text = static () => new()
        {
            Action = "",
            Request = new(null, NoRecord, static (writer, arguments) => { }, false),
            Response = new(null, NoRecord, static reader => default),
        },
        WriteItem = static (writer, item) =>
        {
            if (item is { } present)
            {
                writer.WriteString(Maybe, present);
            }
            else
            {
                writer.WriteAbsent(Maybe);
            }
        },
    };

    /// <summary>Items of bytes, which have a sign on the wire.</summary>
    public static StreamMethod<Unit, byte, Unit, Unit> Bytes { get; } = new()
    {
        Service = Service,
        Name = "bytes",
        Id = 5,
        Parameters = NoParameters,
        EncodeArguments = static (writer, arguments) => { },
        DecodeResult = static (ref Reader reader) => default,
        EncodeItem = static (writer, item) => writer.WriteByte(item),
        Sent = Layout.Byte,
        Text = Store.Text,
        WriteItem = static (writer, item) => writer.WriteByte(Number, item),
    };

    // Reads a record with one field.
    private static T One<T>(TextWireReader reader, TextRecord record, TextRead<T> read)
    {
        T value = default!;
        reader.Begin(record);
        for (int i = reader.Next(0); i >= 0; i = reader.Next(i + 1))
        {
            value = read(reader);
        }
        reader.End(record);
        return value;
    }
}

/// <summary>A peer of streams over HTTP that follows a script.</summary>
public static class LineSession
{
    private const string Lines = "application/x-ndjson";

    /// <summary>The head of a request.</summary>
    public static string ReadHead(this Session session) => ReadUpTo(session, "\r\n\r\n");

    /// <summary>The next chunk of a request; empty at the end of its body.</summary>
    public static string ReadChunk(this Session session)
    {
        int size = int.Parse(ReadUpTo(session, "\r\n").TrimEnd(), NumberStyles.HexNumber, CultureInfo.InvariantCulture);
        string text = Encoding.UTF8.GetString(session.Read(size));
        Assert.Equal("\r\n", Encoding.ASCII.GetString(session.Read(2)), "the end of a chunk");
        return text;
    }

    /// <summary>All chunks of a request.</summary>
    public static string ReadBody(this Session session)
    {
        var body = new StringBuilder();
        string chunk;
        do
        {
            chunk = session.ReadChunk();
            body.Append(chunk);
        }
        while (chunk.Length > 0);
        return body.ToString();
    }

    /// <summary>Reads the call of <see cref="LineMethods.Count"/> with the argument 9.</summary>
    public static string ReadCount(this Session session)
    {
        string head = session.ReadHead();
        Assert.True(head.StartsWith("POST /x/count HTTP/1.1\r\n", StringComparison.Ordinal), head);
        Assert.Equal("{\"to\":9}", Encoding.ASCII.GetString(session.Read(8)), "the parameters");
        return head;
    }

    public static void SendText(this Session session, string text) => session.Send(Encoding.UTF8.GetBytes(text));

    public static void SendChunk(this Session session, string text) => session.SendText($"{Encoding.UTF8.GetByteCount(text):x}\r\n{text}\r\n");

    /// <summary>Begins an answer in chunks.</summary>
    public static void Begin(this Session session, string headers = "", string type = Lines) =>
        session.SendText($"HTTP/1.1 200 OK\r\nContent-Type: {type}\r\nTransfer-Encoding: chunked\r\n{headers}\r\n");

    /// <summary>A whole answer in one chunk.</summary>
    public static void SendLines(this Session session, string lines)
    {
        session.Begin();
        session.SendChunk(lines);
        try
        {
            session.SendText("0\r\n\r\n");
        }
        catch (IOException)
        {
            // A client that has read the last line may have closed the connection.
        }
    }

    public static void Answer(this Session session, int status, string type, string body, string headers = "") =>
        session.Send(FakeHttp.Answer(status, type, body, headers));

    /// <summary>Waits until the client has closed the connection; what it sends is dropped.</summary>
    public static void AwaitClosed(this Session session)
    {
        try
        {
            while (true)
            {
                session.Read(1);
            }
        }
        catch (IOException e) when (e.InnerException is not SocketException { SocketErrorCode: SocketError.TimedOut })
        {
            // It has.
        }
    }

    /// <summary>Runs the same test in both forms, each with a server and a client of its own.</summary>
    public static async Task Both(Func<Action<Session>[]> scripts, Func<JsonBinding, Streamer, Task> test, ClientOptions? options = null)
    {
        foreach (bool waiting in new[] { true, false })
        {
            using var server = new FakeServer(scripts());
            using var client = new JsonBinding($"http://127.0.0.1:{server.Port}/x", options);
            await test(client, new Streamer(client, waiting));
            server.Join();
        }
    }

    private static string ReadUpTo(Session session, string end)
    {
        var text = new StringBuilder();
        while (!text.ToString().EndsWith(end, StringComparison.Ordinal))
        {
            text.Append((char)session.Read(1)[0]);
        }
        return text.ToString();
    }
}
