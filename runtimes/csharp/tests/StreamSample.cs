using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Creo.Tests;

/// <summary>Methods with streams, as the generator describes them.</summary>
public static class StreamMethods
{
    private static readonly ServiceInfo Service = new("test.Streams", 1);

    private static readonly Layout NoParameters = Layout.Struct("void", static () => []);

    /// <summary>That of the example of TCP, section 4.</summary>
    public static StreamMethod<int, Unit, long, Unit> Count { get; } = new()
    {
        Service = Service,
        Name = "count",
        Id = 0x0102030405060708,
        IsIdempotent = true,
        Parameters = Layout.Struct("test.Streams.count", static () => [new("to", Layout.Int, 0, true)]),
        Throws = [new(NotFoundException.Layout, NotFoundException.Decode)],
        EncodeArguments = static (writer, arguments) => writer.WriteInt32(arguments),
        DecodeResult = static (ref Reader reader) => default,
        DecodeItems = static (ref Reader reader) => reader.ReadInt64s(),
        Received = Layout.Array(Layout.Long),
    };

    public static StreamMethod<Unit, Unit, string, Unit> Texts { get; } = new()
    {
        Service = Service,
        Name = "texts",
        Id = 2,
        Parameters = NoParameters,
        EncodeArguments = static (writer, arguments) => { },
        DecodeResult = static (ref Reader reader) => default,
        DecodeItems = static (ref Reader reader) =>
        {
            var items = new string[reader.ReadCount(1, 40)];
            for (int i = 0; i < items.Length; i++)
            {
                items[i] = reader.ReadString();
            }
            return items;
        },
        Received = Layout.Array(Layout.String),
    };

    public static StreamMethod<Unit, long, Unit, long> Sum { get; } = new()
    {
        Service = Service,
        Name = "sum",
        Id = 3,
        IsIdempotent = true,
        Parameters = NoParameters,
        Result = Layout.Long,
        Throws = [new(NotFoundException.Layout, NotFoundException.Decode)],
        EncodeArguments = static (writer, arguments) => { },
        DecodeResult = static (ref Reader reader) => reader.ReadInt64(),
        EncodeItem = static (writer, item) => writer.WriteInt64(item),
        Sent = Layout.Long,
    };

    public static StreamMethod<Unit, string, Unit, Unit> Store { get; } = new()
    {
        Service = Service,
        Name = "store",
        Id = 4,
        Parameters = NoParameters,
        EncodeArguments = static (writer, arguments) => { },
        DecodeResult = static (ref Reader reader) => default,
        EncodeItem = static (writer, item) => writer.WriteString(item),
        Sent = Layout.String,
    };

    public static StreamMethod<Unit, long, long, Unit> Talk { get; } = new()
    {
        Service = Service,
        Name = "talk",
        Id = 5,
        Parameters = NoParameters,
        EncodeArguments = static (writer, arguments) => { },
        DecodeResult = static (ref Reader reader) => default,
        EncodeItem = static (writer, item) => writer.WriteInt64(item),
        Sent = Layout.Long,
        DecodeItems = static (ref Reader reader) => reader.ReadInt64s(),
        Received = Layout.Array(Layout.Long),
    };

    // The frames of a service.
    public static byte[] Longs(params long[] items)
    {
        using var writer = new Writer();
        writer.WriteInt64s(items);
        return writer.Written.ToArray();
    }

    /// <summary>The body of an error, which says whether the method was started.</summary>
    public static byte[] Refusal(byte number, string started)
    {
        using var writer = new Writer();
        writer.WriteByte(number);
        writer.WriteString("not now");
        writer.WriteCount(1);
        writer.WriteString("started");
        writer.WriteString(started);
        return writer.Written.ToArray();
    }

    public static byte[] Long(long value)
    {
        byte[] bytes = new byte[8];
        BinaryPrimitives.WriteInt64BigEndian(bytes, value);
        return bytes;
    }

    public static void SendItems(this Session session, uint call, params long[] items) => session.SendFrame(10, 0, call, Longs(items));

    public static void End(this Session session, uint call) => session.SendFrame(2, 0, call);

    /// <summary>The items of a frame of numbers.</summary>
    public static long[] Items(this Frame frame)
    {
        Assert.Equal(10, frame.Kind, "kind");
        var reader = new Reader(frame.Rest);
        long[] items = reader.ReadInt64s().ToArray();
        reader.ReadEnd();
        return items;
    }

    public static uint Credit(this Frame frame)
    {
        Assert.Equal(11, frame.Kind, "kind");
        Assert.Equal(4, frame.Rest.Length, "bytes of credit");
        return BinaryPrimitives.ReadUInt32BigEndian(frame.Rest);
    }

    /// <summary>Reads frames of numbers up to the end of the stream.</summary>
    public static List<long> ReadItems(this Session session)
    {
        var all = new List<long>();
        while (true)
        {
            Frame frame = session.ReadFrame();
            all.AddRange(frame.Items());
            if (frame.Flags == 8)
            {
                return all;
            }
            Assert.Equal(0, frame.Flags, "flags");
        }
    }

    /// <summary>Reads until the client cancels the call.</summary>
    public static void AwaitCancel(this Session session, uint call)
    {
        Frame frame;
        do
        {
            frame = session.ReadFrame();
            Assert.True(frame.Kind is 6 or 10 or 11, $"a frame of kind {frame.Kind}");
        }
        while (frame.Kind != 6);
        Assert.Equal(call, frame.Call, "call");
    }
}

/// <summary>The same calls in both forms. The lists take what was read before a failure, too.</summary>
public sealed class Streamer(Binding binding, bool waiting)
{
    public bool IsWaiting => waiting;

    /// <summary>Runs the same test in both forms.</summary>
    /// <param name="scripts">Those of the server.</param>
    /// <param name="test">The test.</param>
    /// <param name="options">Those of the client.</param>
    /// <param name="isCancelled">Whether the server sees a cancel, and ends by it: the client is closed afterwards.</param>
    public static async Task Both(Func<Action<Session>[]> scripts, Func<TcpBinding, Streamer, Task> test, ClientOptions? options = null, bool isCancelled = false)
    {
        foreach (bool waiting in new[] { true, false })
        {
            using var server = new FakeServer(scripts());
            using TcpBinding client = server.Client(options);
            await test(client, new Streamer(client, waiting));
            if (isCancelled)
            {
                server.Join();
            }
            client.Dispose();
        }
    }

    public static async IAsyncEnumerable<T> Async<T>(IEnumerable<T> items)
    {
        foreach (T item in items)
        {
            yield return item;
        }
        await Task.CompletedTask;
    }

    /// <summary>Reads until the end, or until so many items were read.</summary>
    public async Task Read<TArguments, TSent, T>(
        StreamMethod<TArguments, TSent, T, Unit> method, TArguments arguments, List<T> read, CallOptions? options = null, int? take = null, IEnumerable<TSent>? items = null,
        Action? onItem = null)
    {
        bool Add(T item)
        {
            lock (read)
            {
                read.Add(item);
            }
            onItem?.Invoke();
            return read.Count == take;
        }
        if (!waiting)
        {
            await foreach (T item in binding.ReceiveAsync(method, arguments, items is null ? null : Async(items), options))
            {
                if (Add(item))
                {
                    return;
                }
            }
            return;
        }
        await Task.Run(() =>
        {
            foreach (T item in binding.Receive(method, arguments, items, options))
            {
                if (Add(item))
                {
                    return;
                }
            }
        });
    }

    public async Task<List<T>> Read<TArguments, TSent, T>(StreamMethod<TArguments, TSent, T, Unit> method, TArguments arguments, CallOptions? options = null)
    {
        var read = new List<T>();
        await Read(method, arguments, read, options);
        return read;
    }

    public async Task<TResult> Send<TSent, TResult>(StreamMethod<Unit, TSent, Unit, TResult> method, IEnumerable<TSent> items, CallOptions? options = null) =>
        waiting ? await Task.Run(() => binding.Send(method, default, items, options)) : await binding.SendAsync(method, default, Async(items), options);

    public async Task<CreoException> Fails(ErrorCode code, Func<Task> call)
    {
        CreoException error = await Assert.ThrowsAsync<CreoException>(call);
        Assert.Equal(code, error.Code, error.ToString());
        return error;
    }
}

/// <summary>Numbers without end, that know whether they were closed and how many were taken.</summary>
public sealed class Numbers
{
    private long _taken;

    public long Taken => Interlocked.Read(ref _taken);

    public TaskCompletionSource Closed { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public IEnumerable<long> Items(int? fail = null, Action<long>? before = null)
    {
        try
        {
            while (true)
            {
                before?.Invoke(Taken);
                if (Taken == fail)
                {
                    throw new FormatException("the source fails");
                }
                yield return Interlocked.Increment(ref _taken) - 1;
            }
        }
        finally
        {
            Closed.TrySetResult();
        }
    }
}
