using System;
using System.Buffers;
using System.Text;

namespace Creo.Xml;

/// <summary>Which characters XML allows, and where.</summary>
internal static class XmlChars
{
    private const byte NameStart = 1;
    private const byte Name = 2;

    private static readonly byte[] Classes = MakeClasses();

    public static bool IsNameStart(byte c) => c < 128 && (Classes[c] & NameStart) != 0;

    public static bool IsName(byte c) => c < 128 && Classes[c] != 0;

    /// <summary>Whether a byte can be part of a name, at the position before a final colon.</summary>
    public static bool IsNameByte(byte c) => c >= 128 || Classes[c] != 0;

    /// <summary>The index after the name without colon at an index; the index itself if there is none. A zero follows the text.</summary>
    public static int NameEnd(byte[] bytes, int from)
    {
        int p = from;
        while (true)
        {
            byte c = bytes[p];
            if (c < 128)
            {
                if (p == from ? (Classes[c] & NameStart) == 0 : Classes[c] == 0)
                {
                    return p;
                }
                p++;
                continue;
            }
            int size = NameCharacter(bytes.AsSpan(p), p == from);
            if (size == 0)
            {
                return p;
            }
            p += size;
        }
    }

    /// <summary>The size of the non-ASCII character at the start, if it is well formed and XML allows it; else 0.</summary>
    public static int Character(ReadOnlySpan<byte> text) =>
        Rune.DecodeFromUtf8(text, out Rune rune, out int size) == OperationStatus.Done && rune.Value is not (0xfffe or 0xffff) ? size : 0;

    public static bool IsAllowed(int code) =>
        code is (>= 0x20 and < 0xd800) or '\t' or '\n' or '\r' or (>= 0xe000 and < 0xfffe) or (>= 0x10000 and < 0x110000);

    // The size of the non-ASCII character at the start, if it may be in a name; else 0.
    private static int NameCharacter(ReadOnlySpan<byte> text, bool first)
    {
        if (Rune.DecodeFromUtf8(text, out Rune rune, out int size) != OperationStatus.Done)
        {
            return 0;
        }
        bool start = rune.Value is (>= 0xc0 and <= 0x2ff and not 0xd7 and not 0xf7) or (>= 0x370 and <= 0x1fff and not 0x37e) or 0x200c or 0x200d
            or (>= 0x2070 and <= 0x218f) or (>= 0x2c00 and <= 0x2fef) or (>= 0x3001 and <= 0xd7ff) or (>= 0xf900 and <= 0xfdcf)
            or (>= 0xfdf0 and <= 0xfffd) or (>= 0x10000 and <= 0xeffff);
        bool more = rune.Value is 0xb7 or (>= 0x300 and <= 0x36f) or 0x203f or 0x2040;
        return start || (more && !first) ? size : 0;
    }

    private static byte[] MakeClasses()
    {
        byte[] classes = new byte[128];
        for (int c = 0; c < 128; c++)
        {
            if (char.IsAsciiLetter((char)c) || c == '_')
            {
                classes[c] = NameStart | Name;
            }
            else if (char.IsAsciiDigit((char)c) || c is '-' or '.')
            {
                classes[c] = Name;
            }
        }
        return classes;
    }
}
