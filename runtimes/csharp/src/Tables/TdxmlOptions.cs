namespace Creo;

/// <summary>How a client speaks tables over HTTP without SOAP.</summary>
public sealed record TdxmlOptions
{
    /// <summary>The options that hold unless others are given.</summary>
    public static TdxmlOptions Default { get; } = new();

    /// <summary>How the tables of requests are made; the service answers likewise.</summary>
    public TableOptions Tables { get; init; } = TableOptions.Default;

    /// <summary>Long byte strings travel beside the table, as they are, and not as base64 in it (TDX-53).</summary>
    public bool Packages { get; init; }
}
