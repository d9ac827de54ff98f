namespace Creo;

/// <summary>How a client speaks SOAP.</summary>
public sealed partial record SoapOptions
{
    /// <summary>The options that hold unless others are given.</summary>
    public static SoapOptions Default { get; } = new();

    /// <summary>The version of the requests; null is the one that the description says. Answers of both are read.</summary>
    public SoapVersion? Version { get; init; }

    /// <summary>Long byte strings travel beside the envelope, as they are (MTOM), and not as base64 in it.</summary>
    public bool Mtom { get; init; }
}
