using System;
using System.Text.RegularExpressions;

namespace Creo;

/// <summary>The SOAP options of a client.</summary>
public sealed partial record SoapOptions
{
    /// <summary>The default options.</summary>
    public static SoapOptions Default { get; } = new();

    /// <summary>The version of requests; null for that of the description. Answers of both versions are accepted.</summary>
    public SoapVersion? Version { get; init; }

    /// <summary>Sends long byte strings as MIME parts (MTOM) instead of base64 in the envelope.</summary>
    public bool Mtom { get; init; }

    /// <summary>Whether requests over HTTP have WS-Addressing blocks; null to follow the description (SOAP-40).</summary>
    public bool? Addressing { get; init; }

    /// <summary>The caller's token for each request; null for none (SOAP-50).</summary>
    public UsernameToken? Token { get; init; }

    /// <summary>Whether each request contains its time and expires after five minutes (SOAP-50).</summary>
    public bool Timestamp { get; init; }

    /// <summary>
    /// The security of messages, such as signatures; null for none (SOAP-80). With one, byte strings stay in the envelope, and packages are refused.
    /// </summary>
    public IClientSecurity? Security { get; init; }

    /// <summary>
    /// Answers that do not follow the description are read where that does no harm: what is not declared is skipped, and what cannot be a value is missing
    /// (XML-51). For a partner who does not mend his service.
    /// </summary>
    public bool Lenient { get; init; }

    /// <summary>
    /// The names of header elements that are skipped in answers although they must be understood (SOAP-25), each as <c>{namespace}name</c>, or <c>name</c>
    /// without a namespace.
    /// </summary>
    /// <exception cref="ArgumentException">One is not such a name.</exception>
    public ValueArray<string> Understood
    {
        get => _understood;
        init => _understood = Checked(value);
    }

    private readonly ValueArray<string> _understood;

    private static ValueArray<string> Checked(ValueArray<string> names)
    {
        foreach (string name in names)
        {
            if (!Regex.IsMatch(name, @"^(\{[^{}\s]+\})?[^{}\s:]+\z"))
            {
                throw new ArgumentException($"a header element is {{namespace}}name, not \"{CreoException.Printable(name)}\"");
            }
        }
        return names;
    }
}
