using System.Text;

namespace Creo;

// The names of fields in the form that JSON compares and copies, made on first use.
public sealed partial class TextField
{
    private byte[]? _member;

    /// <summary>A comma, the quoted name, a colon. No name needs escapes.</summary>
    internal byte[] Member => _member ??= Encoding.UTF8.GetBytes($",\"{Name}\":");
}
