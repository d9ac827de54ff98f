namespace Creo;

/// <summary>A version of SOAP.</summary>
public enum SoapVersion
{
    /// <summary>SOAP 1.1.</summary>
    Soap11,

    /// <summary>SOAP 1.2.</summary>
    Soap12,
}

/// <summary>How a client speaks SOAP.</summary>
public sealed record SoapOptions
{
    /// <summary>The options that hold unless others are given.</summary>
    public static SoapOptions Default { get; } = new();

    /// <summary>The version of the requests; null is the one that the description says. Answers of both are read.</summary>
    public SoapVersion? Version { get; init; }

    /// <summary>Long byte strings travel beside the envelope, as they are (MTOM), and not as base64 in it.</summary>
    public bool Mtom { get; init; }

    /// <summary>Bodies hold tables, made in this way (TDX-50); null is XML.</summary>
    public TableOptions? Tables { get; init; }
}
