namespace Creo;

/// <summary>The options of tables over HTTP without SOAP.</summary>
public sealed record TdxmlOptions
{
    /// <summary>The default options.</summary>
    public static TdxmlOptions Default { get; } = new();

    /// <summary>The form of tables in requests; the service answers in the same form.</summary>
    public TableOptions Tables { get; init; } = TableOptions.Default;

    /// <summary>Sends long byte strings as MIME parts instead of base64 in the table (TDX-53).</summary>
    public bool Packages { get; init; }
}
