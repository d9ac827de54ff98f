using System;
using System.Collections.Concurrent;

namespace Creo;

/// <summary>The namespaces that descriptors use: one string for each, so that they are compared as references.</summary>
internal static class TextNamespaces
{
    private static readonly ConcurrentDictionary<string, string> All = new(StringComparer.Ordinal);

    /// <summary>The one string of a namespace that a descriptor uses.</summary>
    public static string Shared(string uri) => All.GetOrAdd(uri, uri);

    /// <summary>The one string of a namespace if a descriptor uses it, else the given one.</summary>
    public static string Known(string uri) => All.TryGetValue(uri, out string? known) ? known : uri;
}
