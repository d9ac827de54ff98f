using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace Creo.Tcp;

/// <summary>What an answer means for the method that was called.</summary>
internal static class Answers
{
    // What an entry of two texts is charged (LIM-18).
    private const int DetailCharge = 64 + 32 + 32;

    private static readonly Layout NoResult = Layout.Struct("void", static () => []);

    private static readonly Layout ErrorLayout = Layout.Struct(
        "error",
        static () =>
        [
            new("number", Layout.Byte, 0, true),
            new("message", Layout.String, 1, true),
            new("details", Layout.Map(Layout.String, Layout.String), 2, true),
        ]);

    /// <summary>The result, or the exception that the answer holds.</summary>
    public static TResult Read<TArguments, TResult>(Answer answer, Method<TArguments, TResult> method, BodyWire? wire, Limits limits, string peer)
    {
        answer.Decompress();
        if (answer.Length > limits.MaxBody)
        {
            throw CreoException.AnswerTooLarge(limits);
        }
        if (wire is not null && answer.Kind is FrameKind.Response or FrameKind.Exception)
        {
            return wire.Read(answer, method, limits);
        }
        return Read(answer.Kind, answer.Body, method, limits, peer);
    }

    /// <summary>The result, or the exception that a body on the binary wire holds.</summary>
    public static TResult Read<TArguments, TResult>(FrameKind kind, ReadOnlySpan<byte> body, Method<TArguments, TResult> method, Limits limits, string peer) =>
        kind switch
        {
            FrameKind.Response => Binary.Decode(body, method.DecodeResult, method.Result ?? NoResult, limits, "$result"),
            FrameKind.Exception => throw ReadException(body, method, limits),
            _ => throw ReadError(body, limits, peer, method.Service, method.Name),
        };

    /// <summary>The error that an answer holds.</summary>
    public static CreoException ReadError(Answer answer, Limits limits, string peer)
    {
        answer.Decompress();
        return ReadError(answer.Body, limits, peer, null, "");
    }

    private static CreoException ReadError(ReadOnlySpan<byte> body, Limits limits, string peer, ServiceInfo? service, string method)
    {
        (byte number, string message, ValueMap<string, string> details) = Binary.Decode(body, DecodeError, ErrorLayout, limits, "$error");
        ErrorCode code = number is >= 1 and <= 12 ? (ErrorCode)number : ErrorCode.Internal;
        if (code == ErrorCode.Internal && number != (int)ErrorCode.Internal)
        {
            message = $"an error of the unknown number {number}: {message}";
        }
        else if (code == ErrorCode.UnknownMethod && service is not null)
        {
            message = ExplainUnknown(message, service, method, details);
        }
        var all = new Dictionary<string, string>(details) { ["peer"] = peer };
        return new CreoException(code, message, Place(details), Offset(details), all, fromPeer: true);
    }

    private static DeclaredException ReadException<TArguments, TResult>(ReadOnlySpan<byte> body, Method<TArguments, TResult> method, Limits limits)
    {
        const string root = "$exception";
        Layout layout = NoResult;
        int start = 0;
        try
        {
            var reader = new Reader(body, limits);
            int index = reader.ReadNumber();
            if (index >= method.Throws.Count)
            {
                throw new CreoException(ErrorCode.Malformed, $"{method} declares no exception of index {index}", root, 0);
            }
            start = reader.Position;
            layout = method.Throws[index].Layout;
            DeclaredException exception = method.Throws[index].Decode(ref reader);
            reader.ReadEnd();
            return exception;
        }
        catch (CreoException error) when (error.Place is null)
        {
            throw Locator.InBytes(error, layout, body, limits, root, start);
        }
    }

    private static (byte Number, string Message, ValueMap<string, string> Details) DecodeError(ref Reader reader)
    {
        byte number = reader.ReadByte();
        string message = reader.ReadString();
        var details = new KeyValuePair<string, string>[reader.ReadCount(2, DetailCharge)];
        for (int i = 0; i < details.Length; i++)
        {
            string key = reader.ReadString();
            details[i] = new(key, reader.ReadString());
        }
        return (number, message, Reader.ToMap(details));
    }

    // ERR-5: both sides' fingerprints, so that a reader sees which description is older.
    private static string ExplainUnknown(string message, ServiceInfo service, string method, ValueMap<string, string> details)
    {
        var text = new StringBuilder(message);
        text.Append(CultureInfo.InvariantCulture, $"; called was {service.Name}.{method}, fingerprint {service.Fingerprint:x16}; the server offers ");
        bool any = false;
        bool same = false;
        foreach (KeyValuePair<string, string> entry in details)
        {
            if (entry.Key is "place" or "offset" or "limit" or "allowed" or "peer")
            {
                continue;
            }
            text.Append(any ? ", " : "").Append(entry.Key).Append(' ').Append(entry.Value);
            any = true;
            same |= entry.Key == service.Name;
        }
        text.Append(any ? "" : "nothing");
        if (same)
        {
            text.Append("; the two sides were generated from different descriptions of ").Append(service.Name);
        }
        return text.ToString();
    }

    private static string? Place(ValueMap<string, string> details) => details.TryGetValue("place", out string? place) ? place : null;

    private static long? Offset(ValueMap<string, string> details) =>
        details.TryGetValue("offset", out string? text) && long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out long offset)
            ? offset
            : null;
}
