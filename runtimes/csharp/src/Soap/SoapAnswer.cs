using System;
using System.Net.Http;
using Creo.Xml;

namespace Creo.Soap;

/// <summary>What an answer of HTTP means for the method that was called.</summary>
internal static class SoapAnswer
{
    /// <summary>The result, or the exception that the answer holds.</summary>
    public static TResult Read<TArguments, TResult>(
        HttpResponseMessage response, HttpBody received, TextMethod<TArguments, TResult> method, Limits limits, string address)
    {
        MediaType type = MediaType.Parse(Header(response));
        HttpBody body = received.Decoded(response.Content.Headers.ContentEncoding, limits);
        bool isRight = (int)response.StatusCode is >= 200 and < 300;
        if (method.Response is null && isRight && body.Length == 0)
        {
            return default!;
        }
        if (type.Name is not ("text/xml" or "application/soap+xml" or "multipart/related" or "application/xop+xml") || body.Length == 0)
        {
            throw HttpErrors.OfStatus(response, type.Name, address);
        }
        return ReadMessage(response, type, body, method, limits, isRight, address);
    }

    private static TResult ReadMessage<TArguments, TResult>(
        HttpResponseMessage response, MediaType type, HttpBody body, TextMethod<TArguments, TResult> method, Limits limits, bool isRight, string address)
    {
        Package? package = type.Name == "multipart/related" ? Package.Read(body.Bytes.AsMemory(0, body.Length), type, limits) : null;
        bool utf16 = IsUtf16((package?.RootType ?? type)["charset"]);
        XmlReader reader = XmlReader.Rent(limits);
        try
        {
            if (package is null)
            {
                reader.OpenOwn(body.Bytes, body.Length, utf16);
            }
            else
            {
                reader.Use(package);
                reader.Open(package.Root.Span, utf16);
            }
            if (reader.BeginEnvelope())
            {
                throw reader.ReadFault(method.Throws);
            }
            if (!isRight || method.Response is null)
            {
                throw HttpErrors.OfStatus(response, type.Name, address);
            }
            TResult result = reader.ReadBody(method.Response);
            package?.CheckUsed();
            return result;
        }
        catch (CreoException error) when (error is { Place: null, Code: ErrorCode.Malformed or ErrorCode.TooLarge, FromPeer: false })
        {
            throw reader.Locate(error);
        }
        finally
        {
            reader.GiveBack();
        }
    }

    private static string? Header(HttpResponseMessage response) =>
        response.Content.Headers.NonValidated.TryGetValues("Content-Type", out var values) ? values.ToString() : null;

    private static bool IsUtf16(string? charset) => charset?.ToLowerInvariant() switch
    {
        null or "utf-8" or "us-ascii" => false,
        "utf-16" or "utf-16le" or "utf-16be" => true,
        _ => throw new CreoException(ErrorCode.Malformed, $"the answer is in the character set \"{charset}\", which is not read here"),
    };
}
