using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Threading.Tasks;
using Bench.Streams;
using Creo;

namespace StreamsBenchmark;

/// <summary>Creo's streams over TCP, at the client's defaults: the awaited forms.</summary>
internal sealed class CreoClient(int port) : IClient
{
    private readonly StreamingClient client = new("127.0.0.1", port);

    public long ReadBlocks(long count, int length) => ReadBlocksAsync(count, length).GetAwaiter().GetResult();

    public long WriteBlocks(long count, int length) => client.PutBlocksAsync(Blocks(count, length)).AsTask().GetAwaiter().GetResult();

    public long ReadReadings(long count) => ReadReadingsAsync(count).GetAwaiter().GetResult();

    public long WriteReadings(long count) => client.PutReadingsAsync(Readings(count)).AsTask().GetAwaiter().GetResult();

    private async Task<long> ReadBlocksAsync(long count, int length)
    {
        long sum = 0;
        await foreach (ValueArray<double> block in client.BlocksAsync(count, length).ConfigureAwait(false))
        {
            sum += Sum(block);
        }
        return sum;
    }

    private static long Sum(ValueArray<double> block)
    {
        long sum = 0;
        foreach (long bits in MemoryMarshal.Cast<double, long>(block.Span))
        {
            sum += bits;
        }
        return sum;
    }

    private async Task<long> ReadReadingsAsync(long count)
    {
        long whole = 0;
        double values = 0;
        await foreach (Reading each in client.ReadingsAsync(count).ConfigureAwait(false))
        {
            whole += each.Time + each.Flags;
            values += each.Value;
        }
        return whole + (long)(2 * values);
    }

#pragma warning disable CS1998 // The sources have nothing to wait for.
    private static async IAsyncEnumerable<ValueArray<double>> Blocks(long count, int length)
    {
        ValueArray<double> block = Data.Block(length);
        for (long i = 0; i < count; i++)
        {
            yield return block;
        }
    }

    private static async IAsyncEnumerable<Reading> Readings(long count)
    {
        for (long i = 0; i < count; i++)
        {
            yield return new Reading { Time = Data.Time(i), Value = Data.Value(i), Flags = Data.Flags(i) };
        }
    }
#pragma warning restore CS1998
}
