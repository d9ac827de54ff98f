using System;
using System.Buffers;
using System.Collections.Generic;
using System.Net.Http.Headers;

namespace Creo.Http;

/// <summary>Where a redirect leads (HTTP-41).</summary>
internal static class HttpLocation
{
    // Those of RFC 3986; a percent sign begins an escape.
    private static readonly SearchValues<char> Characters =
        SearchValues.Create("-._~:/?#[]@!$&'()*+,;=%0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");

    private static readonly SearchValues<char> SchemeCharacters =
        SearchValues.Create("+-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");

    /// <summary>Reads <c>Location</c> relative to the URL of the request.</summary>
    /// <param name="fields">The header of the answer.</param>
    /// <param name="origin">The origin of the request.</param>
    /// <param name="target">Its path and query.</param>
    /// <param name="found">The origin that it names; only if null is returned.</param>
    /// <param name="place">Its path and query.</param>
    /// <returns>Why the redirect is not followed; null if it may be.</returns>
    public static string? Read(HttpHeadersNonValidated fields, Uri origin, string target, out Uri found, out string place)
    {
        (found, place) = (origin, "");
        if (!fields.TryGetValues("Location", out HeaderStringValues values) || values.Count != 1)
        {
            return "Location is not there once";
        }
        string location = values.ToString();
        if (!IsReference(location))
        {
            return "Location is no URL";
        }
        int fragment = location.IndexOf('#', StringComparison.Ordinal);
        location = fragment < 0 ? location : location[..fragment];
        string scheme = origin.Scheme;
        if (SchemeLength(location) is > 0 and var length)
        {
            scheme = location[..length].ToLowerInvariant();
            location = location[(length + 1)..];
            if (scheme is not ("http" or "https") || !location.StartsWith("//", StringComparison.Ordinal))
            {
                return "Location is no URL of HTTP";
            }
        }
        if (location.StartsWith("//", StringComparison.Ordinal))
        {
            int end = location.AsSpan(2).IndexOfAny('/', '?');
            string authority = end < 0 ? location[2..] : location[2..(end + 2)];
            location = end < 0 ? "/" : location[end + 2] == '?' ? "/" + location[(end + 2)..] : location[(end + 2)..];
            if (!IsAuthority(scheme, authority, out found))
            {
                return "Location is no URL of HTTP, or has a user";
            }
        }
        if (origin.Scheme == Uri.UriSchemeHttps && found.Scheme != Uri.UriSchemeHttps)
        {
            return "it leads from https to http";
        }
        place = Resolved(target, location);
        return null;
    }

    private static bool IsReference(string text)
    {
        ReadOnlySpan<char> rest = text;
        if (rest.ContainsAnyExcept(Characters))
        {
            return false;
        }
        for (int percent = rest.IndexOf('%'); percent >= 0; percent = rest.IndexOf('%'))
        {
            rest = rest[(percent + 1)..];
            if (rest.Length < 2 || !char.IsAsciiHexDigit(rest[0]) || !char.IsAsciiHexDigit(rest[1]))
            {
                return false;
            }
        }
        return true;
    }

    // 0 if it has none.
    private static int SchemeLength(string text)
    {
        int length = text.AsSpan().IndexOfAnyExcept(SchemeCharacters);
        return length > 0 && text[length] == ':' && char.IsAsciiLetter(text[0]) ? length : 0;
    }

    // The platform's name of a host is the one that is compared and connected to, however it is written here. It takes what follows an address of IPv6
    // for a path.
    private static bool IsAuthority(string scheme, string text, out Uri found) =>
        Uri.TryCreate($"{scheme}://{text}/", UriKind.Absolute, out found!)
        && text.AsSpan().IndexOfAny('@', '%') < 0
        && found.HostNameType is UriHostNameType.Dns or UriHostNameType.IPv4 or UriHostNameType.IPv6
        && found is { Port: >= 1, PathAndQuery: "/" };

    // RFC 3986, section 5.2.
    private static string Resolved(string target, string reference)
    {
        if (reference.Length == 0)
        {
            return target;
        }
        string path = PathOf(target);
        if (reference[0] == '?')
        {
            return path + reference;
        }
        string own = PathOf(reference);
        string query = reference[own.Length..];
        return WithoutDots(own[0] == '/' ? own : path[..(path.LastIndexOf('/') + 1)] + own) + query;
    }

    /// <summary>The path of a path and a query.</summary>
    public static string PathOf(string target)
    {
        int query = target.IndexOf('?', StringComparison.Ordinal);
        return query < 0 ? target : target[..query];
    }

    private static string WithoutDots(string path)
    {
        string[] parts = path[1..].Split('/');
        var kept = new List<string>(parts.Length);
        for (int i = 0; i < parts.Length; i++)
        {
            bool isDots = parts[i] is "." or "..";
            if (parts[i] == ".." && kept.Count > 0)
            {
                kept.RemoveAt(kept.Count - 1);
            }
            if (!isDots || i == parts.Length - 1)
            {
                kept.Add(isDots ? "" : parts[i]);
            }
        }
        return "/" + string.Join('/', kept);
    }
}
