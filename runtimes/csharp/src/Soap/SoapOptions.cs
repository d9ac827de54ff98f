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

    /// <summary>Whether requests over HTTP have the blocks of WS-Addressing; null is what the description says (SOAP-40).</summary>
    public bool? Addressing { get; init; }

    /// <summary>Who calls, in each request; null for nobody (SOAP-50).</summary>
    public UsernameToken? Token { get; init; }

    /// <summary>Each request says when it was made, and that it expires after five minutes (SOAP-50).</summary>
    public bool Timestamp { get; init; }

    /// <summary>
    /// Answers that do not follow the description are read where that does no harm: what is not declared is skipped, and what cannot be a value is missing
    /// (XML-51). For a partner who does not mend his service.
    /// </summary>
    public bool Lenient { get; init; }
}
