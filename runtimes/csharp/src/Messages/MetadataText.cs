using System;
using System.Collections.Generic;
using System.Text;
using Creo.Net;

namespace Creo.Messages;

/// <summary>Metadata as text properties of a message (HTTP-8).</summary>
internal static class MetadataText
{
    /// <summary>Fails unless the pairs are valid metadata: their names and sizes are those of the binary wire (TCP-17).</summary>
    public static void Check(IReadOnlyDictionary<string, string> pairs, Limits limits)
    {
        using var sizes = new Writer(limits);
        CallOptions.WriteMetadata(sizes, pairs, limits);
    }

    /// <summary>A value with non-printable characters as <c>%XX</c>.</summary>
    public static string Escaped(string value)
    {
        var text = new StringBuilder();
        foreach (byte b in Encoding.UTF8.GetBytes(value))
        {
            if (b is < 0x21 or > 0x7e or (byte)'%')
            {
                text.Append('%').Append(b.ToString("X2", null));
            }
            else
            {
                text.Append((char)b);
            }
        }
        return text.ToString();
    }
}
