namespace Creo;

/// <summary>The closed list of what can go wrong with a call, the same in every language (ERR-1).</summary>
public enum ErrorCode
{
    /// <summary>The bytes do not follow the wire's rules; the place and the offset say where.</summary>
    Malformed = 1,

    /// <summary>The caller's value cannot be written; the place says where.</summary>
    InvalidValue = 2,

    /// <summary>A limit is exceeded; the details name it.</summary>
    TooLarge = 3,

    /// <summary>No service at this address has the method.</summary>
    UnknownMethod = 4,

    /// <summary>The time for the call is over.</summary>
    DeadlineExceeded = 5,

    /// <summary>The caller gave up.</summary>
    Cancelled = 6,

    /// <summary>No connection, a lost one, or a server that is about to stop.</summary>
    Unavailable = 7,

    /// <summary>The service's queue is full; nothing was started.</summary>
    Overloaded = 8,

    /// <summary>Who calls is not known.</summary>
    Unauthenticated = 9,

    /// <summary>Who calls is known, and may not.</summary>
    PermissionDenied = 10,

    /// <summary>The peer speaks another protocol, or another version of this one.</summary>
    ProtocolMismatch = 11,

    /// <summary>The method failed in a way that it did not declare.</summary>
    Internal = 12,

    /// <summary>The certificate of the other side is not accepted, or is for another name. Found by clients alone, and never sent (ERR-2).</summary>
    UntrustedPeer = 13,
}

/// <summary>The words of the error codes, as they stand in every language's messages.</summary>
internal static class ErrorCodes
{
    public static string Word(ErrorCode code) => code switch
    {
        ErrorCode.Malformed => "malformed",
        ErrorCode.InvalidValue => "invalid-value",
        ErrorCode.TooLarge => "too-large",
        ErrorCode.UnknownMethod => "unknown-method",
        ErrorCode.DeadlineExceeded => "deadline-exceeded",
        ErrorCode.Cancelled => "cancelled",
        ErrorCode.Unavailable => "unavailable",
        ErrorCode.Overloaded => "overloaded",
        ErrorCode.Unauthenticated => "unauthenticated",
        ErrorCode.PermissionDenied => "permission-denied",
        ErrorCode.ProtocolMismatch => "protocol-mismatch",
        ErrorCode.UntrustedPeer => "untrusted-peer",
        _ => "internal",
    };

    /// <summary>The code of a word that a peer sent, or null if it is none that may be sent.</summary>
    public static ErrorCode? OfWord(string word)
    {
        for (ErrorCode code = ErrorCode.Malformed; code <= ErrorCode.Internal; code++)
        {
            if (Word(code) == word)
            {
                return code;
            }
        }
        return null;
    }
}
