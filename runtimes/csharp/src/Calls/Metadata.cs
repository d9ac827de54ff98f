using System;
using System.Collections.Generic;

namespace Creo.Calls;

/// <summary>The metadata of requests (TCP-17).</summary>
internal static class Metadata
{
    private const int MaxPairs = 64;
    private const int MaxKeyLength = 64;

    /// <summary>The pairs of a call, which go before those of its client; null for none.</summary>
    public static IReadOnlyDictionary<string, string>? Merge(IReadOnlyDictionary<string, string>? client, IReadOnlyDictionary<string, string>? call)
    {
        if (call is null || call.Count == 0)
        {
            return client is null || client.Count == 0 ? null : client;
        }
        if (client is null || client.Count == 0)
        {
            return call;
        }
        var all = new Dictionary<string, string>(client);
        foreach ((string key, string value) in call)
        {
            all[key] = value;
        }
        return all;
    }

    /// <summary>Writes the pairs.</summary>
    public static void Write(Writer writer, IReadOnlyDictionary<string, string> pairs, Limits limits)
    {
        int start = writer.WrittenCount;
        if (pairs.Count > MaxPairs)
        {
            throw CreoException.TooLarge("maxMetadataSize", limits.MaxMetadataSize, $"a request has at most {MaxPairs} pairs of metadata");
        }
        writer.WriteCount(pairs.Count);
        foreach ((string key, string value) in pairs)
        {
            if (!IsKey(key))
            {
                throw new CreoException(ErrorCode.InvalidValue, $"\"{key}\" is not a key of metadata: 1 to {MaxKeyLength} of a-z, 0-9, '.' and '-', and not creo-");
            }
            try
            {
                writer.WriteString(key);
                writer.WriteString(value);
            }
            catch (CreoException error) when (error.Place is null)
            {
                throw error.At("metadata " + key, null);
            }
        }
        if (writer.WrittenCount - start > limits.MaxMetadataSize)
        {
            throw CreoException.TooLarge("maxMetadataSize", limits.MaxMetadataSize, "the metadata of the request is too large");
        }
    }

    private static bool IsKey(string key)
    {
        if (key.Length is 0 or > MaxKeyLength || key.StartsWith("creo-", StringComparison.Ordinal))
        {
            return false;
        }
        foreach (char c in key)
        {
            if (c is not ((>= 'a' and <= 'z') or (>= '0' and <= '9') or '.' or '-'))
            {
                return false;
            }
        }
        return true;
    }
}
