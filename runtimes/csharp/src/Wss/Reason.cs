namespace Creo.Wss;

/// <summary>Why a message is refused (SOAP-90).</summary>
/// <param name="word">The word that the text of the error begins with.</param>
/// <param name="code">The code of the error.</param>
internal sealed class Reason(string word, ErrorCode code = ErrorCode.ProtocolMismatch)
{
    private const int MaxShown = 200;

    public static readonly Reason NoSecurity = new("no-security");
    public static readonly Reason SecurityBlocks = new("security-blocks");
    public static readonly Reason Token = new("token");
    public static readonly Reason Unreadable = new("unreadable");
    public static readonly Reason TooMany = new("too-many");
    public static readonly Reason Algorithm = new("algorithm");
    public static readonly Reason Transform = new("transform");
    public static readonly Reason Reference = new("reference");
    public static readonly Reason UnknownId = new("unknown-id");
    public static readonly Reason DuplicateId = new("duplicate-id");
    public static readonly Reason Misplaced = new("misplaced");
    public static readonly Reason KeyReference = new("key-reference");
    public static readonly Reason WeakKey = new("weak-key", ErrorCode.UntrustedPeer);
    public static readonly Reason Untrusted = new("untrusted", ErrorCode.UntrustedPeer);
    public static readonly Reason BadSignature = new("bad-signature");
    public static readonly Reason BadDigest = new("bad-digest");
    public static readonly Reason NotDecrypted = new("not-decrypted");
    public static readonly Reason NotSigned = new("not-signed");
    public static readonly Reason NotEncrypted = new("not-encrypted");
    public static readonly Reason Prefix = new("prefix");
    public static readonly Reason Stale = new("stale");
    public static readonly Reason Replayed = new("replayed");
    public static readonly Reason ReplayMemory = new("replay-memory", ErrorCode.Overloaded);

    /// <summary>The error for this reason; its text must not contain secrets.</summary>
    public CreoException Because(string text) => new(code, $"{word}: {text}");

    /// <summary>A text of a message for errors, which escape its control characters when they are shown.</summary>
    public static string Shown(string text) => text.Length > MaxShown ? text[..MaxShown] + "..." : text;
}
