using System;
using System.Globalization;
using System.Security.Cryptography;
using System.Text;

namespace Creo.Soap;

/// <summary>The WS-Security 1.1 block with the caller and the time (SOAP-50).</summary>
internal static class Security
{
    public const string Namespace = Oasis + "200401-wss-wssecurity-secext-1.0.xsd";
    public const string Utility = Oasis + "200401-wss-wssecurity-utility-1.0.xsd";
    public const string Namespace11 = "http://docs.oasis-open.org/wss/oasis-wss-wssecurity-secext-1.1.xsd";
    public const int NonceSize = 16;

    private const string Oasis = "http://docs.oasis-open.org/wss/2004/01/oasis-";
    private const string PasswordType = Oasis + "200401-wss-username-token-profile-1.0#Password";
    private const string Base64 = Oasis + "200401-wss-soap-message-security-1.0#Base64Binary";

    private static readonly TimeSpan Life = TimeSpan.FromMinutes(5);

    /// <summary>The block for an envelope with the prefix <c>soap</c>.</summary>
    /// <param name="user">The caller; null for none.</param>
    /// <param name="password">The user's password.</param>
    /// <param name="digest">Whether the password is sent as a digest.</param>
    /// <param name="timestamp">Whether to write the time of the request.</param>
    /// <param name="now">The current time in UTC.</param>
    /// <param name="nonce">Random bytes for this request.</param>
    public static string Block(string? user, string? password, bool digest, bool timestamp, DateTime now, ReadOnlySpan<byte> nonce)
    {
        string created = Time(now);
        var block = new StringBuilder($"<wsse:Security xmlns:wsse=\"{Namespace}\" xmlns:wsu=\"{Utility}\" soap:mustUnderstand=\"1\">");
        if (timestamp)
        {
            block.Append($"<wsu:Timestamp><wsu:Created>{created}</wsu:Created><wsu:Expires>{Time(now + Life)}</wsu:Expires></wsu:Timestamp>");
        }
        if (user is not null && password is not null)
        {
            block.Append($"<wsse:UsernameToken><wsse:Username>{Escape(user)}</wsse:Username>");
            block.Append(digest
                ? $"<wsse:Password Type=\"{PasswordType}Digest\">{Digest(nonce, created, password)}</wsse:Password>"
                    + $"<wsse:Nonce EncodingType=\"{Base64}\">{Convert.ToBase64String(nonce)}</wsse:Nonce><wsu:Created>{created}</wsu:Created>"
                : $"<wsse:Password Type=\"{PasswordType}Text\">{Escape(password)}</wsse:Password>");
            block.Append("</wsse:UsernameToken>");
        }
        return block.Append("</wsse:Security>").ToString();
    }

    /// <summary>The digest of a password.</summary>
    public static string Digest(ReadOnlySpan<byte> nonce, string created, string password) =>
        Convert.ToBase64String(SHA1.HashData([.. nonce, .. Encoding.UTF8.GetBytes(created + password)]));

    /// <summary>Text escaped as element content (XML-12).</summary>
    public static string Escape(string text) => text.Replace("&", "&amp;").Replace("<", "&lt;").Replace(">", "&gt;").Replace("\r", "&#13;");

    private static string Time(DateTime time) => time.ToString("yyyy-MM-dd'T'HH:mm:ss.fff'Z'", CultureInfo.InvariantCulture);
}
