using System;
using System.Buffers.Binary;
using System.IO;
using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace StreamsBenchmark;

/// <summary>A bare socket, as BarePeer.java has it: bytes that are ready are written, and what is read is added up where it is.</summary>
internal sealed class BareClient : IClient
{
    private const int Request = 13;

    private readonly Socket socket = new(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };

    public BareClient(int port) => socket.Connect(IPAddress.Loopback, port);

    public long ReadBlocks(long count, int length)
    {
        Ask('r', count, length);
        byte[] block = new byte[checked(length * sizeof(double))];
        long sum = 0;
        for (long i = 0; i < count; i++)
        {
            Fill(block);
            sum += Sum(block);
        }
        return sum;
    }

    public long WriteBlocks(long count, int length)
    {
        Ask('w', count, length);
        byte[] block = new byte[checked(length * sizeof(double))];
        double[] values = Data.Block(length);
        for (int i = 0; i < length; i++)
        {
            BinaryPrimitives.WriteDoubleBigEndian(block.AsSpan(i * sizeof(double)), values[i]);
        }
        for (long i = 0; i < count; i++)
        {
            Send(block);
        }
        byte[] answer = new byte[sizeof(long)];
        Fill(answer);
        return BinaryPrimitives.ReadInt64BigEndian(answer);
    }

    public long ReadReadings(long count) => throw new NotSupportedException("the bare socket has blocks alone");

    public long WriteReadings(long count) => throw new NotSupportedException("the bare socket has blocks alone");

    private static long Sum(byte[] block)
    {
        long sum = 0;
        foreach (long bits in MemoryMarshal.Cast<byte, long>(block))
        {
            sum += BitConverter.IsLittleEndian ? BinaryPrimitives.ReverseEndianness(bits) : bits;
        }
        return sum;
    }

    private void Ask(char what, long count, int length)
    {
        byte[] request = new byte[Request];
        request[0] = (byte)what;
        BinaryPrimitives.WriteInt64BigEndian(request.AsSpan(1), count);
        BinaryPrimitives.WriteInt32BigEndian(request.AsSpan(9), length);
        Send(request);
    }

    private void Send(ReadOnlySpan<byte> from)
    {
        while (!from.IsEmpty)
        {
            from = from[socket.Send(from)..];
        }
    }

    private void Fill(Span<byte> into)
    {
        while (!into.IsEmpty)
        {
            int got = socket.Receive(into);
            into = into[(got > 0 ? got : throw new EndOfStreamException("the service closed the connection"))..];
        }
    }
}
