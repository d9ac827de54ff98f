using System;
using System.Collections.Concurrent;

namespace Creo;

/// <summary>The interned namespaces of descriptors, which are compared by reference.</summary>
internal static class TextNamespaces
{
    private static readonly ConcurrentDictionary<string, string> All = new(StringComparer.Ordinal);

    /// <summary>The interned namespace of a descriptor.</summary>
    public static string Shared(string uri) => All.GetOrAdd(uri, uri);

    /// <summary>The interned namespace if a descriptor uses it, else the given one.</summary>
    public static string Known(string uri) => All.TryGetValue(uri, out string? known) ? known : uri;
}
