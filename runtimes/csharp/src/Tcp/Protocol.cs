using System;
using System.Buffers.Binary;
using System.Text;

namespace Creo.Tcp;

/// <summary>The kinds of frames (TCP, section 2).</summary>
internal enum FrameKind : byte
{
    Request = 1,
    Response = 2,
    Exception = 3,
    Error = 4,
    Data = 5,
    Cancel = 6,
    Ping = 7,
    Pong = 8,
    Goodbye = 9,
}

/// <summary>The flags of frames.</summary>
[Flags]
internal enum FrameFlags : byte
{
    None = 0,
    More = 1,
    Compressed = 2,
    Metadata = 4,
}

/// <summary>The fixed bytes of the protocol.</summary>
internal static class Protocol
{
    public const int PreambleSize = 8;

    /// <summary>Length, kind, flags and call id.</summary>
    public const int HeaderSize = 10;

    /// <summary>The bytes of a frame that its length counts before the body: kind, flags and call id.</summary>
    public const int MinLength = 6;

    private const byte Version = 1;
    private const byte ReadsCompressed = 1;

    // Where the preamble says which wire the bodies are of (TCP-1).
    private const int WireAt = 6;

    /// <summary>What this side sends first: it reads compressed bodies, and speaks a wire.</summary>
    public static void PutPreamble(Span<byte> target, Wire wire)
    {
        ReadOnlySpan<byte> preamble = [(byte)'C', (byte)'R', (byte)'E', (byte)'O', Version, ReadsCompressed, 0, 0];
        preamble.CopyTo(target);
        target[WireAt] = (byte)wire;
    }

    public static void PutHeader(Span<byte> target, int bodySize, FrameKind kind, FrameFlags flags, uint call)
    {
        BinaryPrimitives.WriteInt32BigEndian(target, MinLength + bodySize);
        target[4] = (byte)kind;
        target[5] = (byte)flags;
        BinaryPrimitives.WriteUInt32BigEndian(target[6..], call);
    }

    /// <summary>A frame without a body.</summary>
    public static byte[] ControlFrame(FrameKind kind, uint call)
    {
        byte[] frame = new byte[HeaderSize];
        PutHeader(frame, 0, kind, FrameFlags.None, call);
        return frame;
    }

    /// <summary>Whether more bytes are needed to tell what the peer speaks (TCP-2): other protocols may say less than a preamble has.</summary>
    public static bool MayBecomePreamble(ReadOnlySpan<byte> bytes) =>
        bytes.Length < PreambleSize && (bytes.Length < 4 || (bytes.StartsWith("CREO"u8) && (bytes.Length < 5 || bytes[4] == Version)));

    /// <summary>Checks the peer's first bytes, and answers whether it reads compressed bodies (TCP-2).</summary>
    public static bool CheckPreamble(ReadOnlySpan<byte> bytes, string peer)
    {
        if (!bytes.StartsWith("CREO"u8))
        {
            throw Mismatch($"{peer} does not speak creo: {LooksLike(bytes)}");
        }
        if (bytes[4] != Version)
        {
            throw Mismatch($"{peer} speaks version {bytes[4]} of creo's protocol, this side version {Version}");
        }
        return (bytes[5] & ReadsCompressed) != 0;
    }

    /// <summary>The server does not say that it speaks creo (TCP-19).</summary>
    public static CreoException NoPreamble(string peer, TimeSpan time) => Mismatch(
        $"{peer} accepted the connection, but did not answer with the preamble of creo within {(long)time.TotalMilliseconds} ms; perhaps the port speaks HTTP or TLS")
        .With("peer", peer);

    /// <summary>The peer closed the connection before its preamble.</summary>
    public static CreoException ClosedEarly(ReadOnlySpan<byte> bytes, string peer)
    {
        if (bytes.Length == 0)
        {
            return new CreoException(ErrorCode.Unavailable, $"{peer} closed the connection before it said which protocol it speaks");
        }
        return bytes.StartsWith("CREO"u8) || "CREO"u8.StartsWith(bytes)
            ? new CreoException(ErrorCode.Unavailable, $"{peer} closed the connection within its first bytes")
            : Mismatch($"{peer} does not speak creo: {LooksLike(bytes)}");
    }

    public static CreoException Malformed(string text) => new(ErrorCode.Malformed, "the peer broke the protocol: " + text);

    private static CreoException Mismatch(string text) => new(ErrorCode.ProtocolMismatch, text);

    // What the first bytes look like.
    internal static string LooksLike(ReadOnlySpan<byte> bytes)
    {
        if (bytes.StartsWith("HTTP"u8) || IsHttpMethod(bytes))
        {
            return "it looks like HTTP";
        }
        if (bytes.Length >= 2 && bytes[0] is 0x15 or 0x16 && bytes[1] == 0x03)
        {
            return "it looks like TLS";
        }
        var text = new StringBuilder("its first bytes are");
        foreach (byte b in bytes[..Math.Min(bytes.Length, PreambleSize)])
        {
            text.Append(' ').Append(b.ToString("x2", null));
        }
        return text.ToString();
    }

    private static bool IsHttpMethod(ReadOnlySpan<byte> bytes)
    {
        string start = Encoding.ASCII.GetString(bytes[..Math.Min(bytes.Length, 4)]);
        return start is "GET " or "POST" or "HEAD" or "PUT " or "DELE" or "OPTI" or "PATC" or "CONN" or "TRAC";
    }
}
