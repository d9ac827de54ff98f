using System;
using System.Collections.Generic;

namespace Creo.Tables;

/// <summary>Exceptions and errors as documents (TDX-51, TDX-52).</summary>
internal static class TableErrors
{
    private static readonly TextField Code = new("code", "", "code");
    private static readonly TextField Message = new("message", "", "message");
    private static readonly TextField Details = new("details", "", "details") { Key = new(null, "", "key"), Value = new(null, "", "value"), EachCharge = 64 + 32 + 32 };
    private static readonly TextRecord Error = new("error", "", "error", Code, Message, Details);
    private static readonly TextField Root = new(null, "", "error") { Type = static () => Error };

    /// <summary>The exception or error in a document.</summary>
    /// <param name="table">The document.</param>
    /// <param name="throws">The declared exceptions.</param>
    /// <param name="limits">The limits for received data.</param>
    /// <param name="memory">The remaining memory of the message.</param>
    /// <param name="other">The error for a document with neither.</param>
    public static Exception Of(TableText table, IReadOnlyList<TextCase> throws, Limits limits, long memory, Func<CreoException> other)
    {
        if (table.Of == "error")
        {
            return TableReader.Read(table, Root, ReadError, limits, memory);
        }
        for (int i = 0; i < throws.Count; i++)
        {
            if (throws[i].Name == table.Of)
            {
                table.Check(table.Of, throws[i].Schema);
                return TableReader.ReadException(table, throws[i].Root, throws[i].Read, limits, memory);
            }
        }
        return table.Of is null
            ? other()
            : CreoException.OfPeer(ErrorCode.Internal, $"the service failed with {table.Of}, which the method does not declare", new Dictionary<string, string>());
    }

    private static CreoException ReadError(TextWireReader reader)
    {
        string code = "";
        string message = "";
        ValueMap<string, string> details = [];
        reader.Begin(Error);
        for (int i = reader.Next(0); i >= 0; i = reader.Next(i + 1))
        {
            switch (i)
            {
                case 0:
                    code = reader.ReadString();
                    break;
                case 1:
                    message = reader.ReadString();
                    break;
                default:
                    details = reader.ReadEntries<string, string>(static reader => reader.ReadString(), static reader => reader.ReadString());
                    break;
            }
        }
        reader.End(Error);
        ErrorCode? known = ErrorCodes.OfWord(code);
        return CreoException.OfPeer(known ?? ErrorCode.Internal, known is null ? $"an error of the unknown code \"{code}\": {message}" : message, new Dictionary<string, string>(details));
    }
}
