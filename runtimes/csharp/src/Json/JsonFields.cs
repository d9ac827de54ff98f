using System.Text;

namespace Creo;

// The names of fields as JSON compares and copies them, made when they are first needed.
public sealed partial class TextField
{
    private byte[]? _member;

    /// <summary>A comma, the name in quotes, a colon. No name needs escapes.</summary>
    internal byte[] Member => _member ??= Encoding.UTF8.GetBytes($",\"{Name}\":");
}
