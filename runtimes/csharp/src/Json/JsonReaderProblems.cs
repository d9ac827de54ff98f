using System;
using System.Collections.Generic;
using System.Text;

namespace Creo.Json;

// Problem documents (RFC 9457, JSON-22 to JSON-24).
internal sealed partial class JsonReader
{
    private const string ExceptionType = "urn:creo:exception:";
    private const string ErrorType = "urn:creo:error:";

    /// <summary>Reads a problem document: a declared exception, or an error.</summary>
    /// <param name="throws">The declared exceptions.</param>
    /// <param name="isFailure">Whether the status means failure.</param>
    /// <param name="ofStatus">The error for a document without Creo's members.</param>
    public Exception ReadProblem(IReadOnlyList<TextCase> throws, bool isFailure, Func<string?, CreoException> ofStatus)
    {
        Dictionary<string, string> texts = [];
        int value;
        int details;
        try
        {
            (value, details) = ReadMembers(texts);
        }
        catch (CreoException error) when (error.Code == ErrorCode.Malformed && isFailure)
        {
            // It is not a problem document: only the status is known (HTTP-3).
            return ofStatus(null);
        }
        string type = texts.GetValueOrDefault("type", "");
        string text = texts.GetValueOrDefault("detail") ?? texts.GetValueOrDefault("title", "");
        if (type.StartsWith(ExceptionType, StringComparison.Ordinal))
        {
            return Declared(type[ExceptionType.Length..], value, throws);
        }
        if (!type.StartsWith(ErrorType, StringComparison.Ordinal))
        {
            string said = string.Join(": ", Array.FindAll([texts.GetValueOrDefault("title", ""), texts.GetValueOrDefault("detail", "")], static part => part.Length > 0));
            return ofStatus(said.Length == 0 ? null : said);
        }
        string word = type[ErrorType.Length..];
        ErrorCode? known = ErrorCodes.OfWord(word);
        string message = known is null ? $"an error of the unknown code \"{word}\": {text}" : text;
        return CreoException.OfPeer(known ?? ErrorCode.Internal, message, details < 0 ? new Dictionary<string, string>() : new Dictionary<string, string>(ReadMap(details)));
    }

    // Reads the used texts; returns the positions of the value and the details, or -1.
    private (int Value, int Details) ReadMembers(Dictionary<string, string> texts)
    {
        int value = -1;
        int details = -1;
        OpenBracket((byte)'{', "a problem document");
        TextFrame frame = Push(TextFrameKind.Entries, null);
        frame.IsFirst = true;
        while (NextMember(frame))
        {
            TakeName();
            string name = Encoding.UTF8.GetString(Taken);
            int at = Start();
            if (_b[at] == '"')
            {
                TakeString(at);
                if (name is "type" or "title" or "detail")
                {
                    texts[name] = Encoding.UTF8.GetString(Taken);
                }
                continue;
            }
            value = name == "value" ? at : value;
            details = name == "details" ? at : details;
            SkipValue();
        }
        Pop();
        EndDocument();
        return (value, details);
    }

    private Exception Declared(string name, int value, IReadOnlyList<TextCase> throws)
    {
        for (int i = 0; i < throws.Count; i++)
        {
            if (throws[i].Name == name)
            {
                if (value < 0)
                {
                    throw Malformed(0, $"a problem without the value of {name}");
                }
                _pos = value;
                IsException();
                BeginRoot(throws[i].Root);
                return throws[i].Read(this);
            }
        }
        return CreoException.OfPeer(ErrorCode.Internal, $"the service failed with {name}, which the method does not declare", new Dictionary<string, string>());
    }

    private ValueMap<string, string> ReadMap(int at)
    {
        _pos = at;
        BeginRoot(TextField.Map);
        return ReadAttributes();
    }
}
