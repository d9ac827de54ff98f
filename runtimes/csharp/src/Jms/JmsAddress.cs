using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace Creo.Jms;

/// <summary>A queue or topic, and the properties of messages to it (JMS-1).</summary>
internal sealed class JmsAddress
{
    private const int MaxLength = 4096;

    // The parameters for both sides; the others are private to one.
    private static readonly string[] Shared = ["deliveryMode", "timeToLive", "priority", "replyToName"];
    private static readonly UTF8Encoding Utf8 = new(false, throwOnInvalidBytes: true);

    private readonly string _text;

    private JmsAddress(string text, string name, bool isTopic)
    {
        _text = text;
        Name = name;
        IsTopic = isTopic;
    }

    public string Name { get; }

    public bool IsTopic { get; }

    /// <summary>Whether messages survive the broker's restart; true by default, as in JMS.</summary>
    public bool IsPersistent { get; private set; } = true;

    /// <summary>The max lifetime of a message; null for that of its call.</summary>
    public TimeSpan? TimeToLive { get; private set; }

    public byte? Priority { get; private set; }

    public string? ReplyToName { get; private set; }

    public string? TargetService { get; private set; }

    /// <summary>The address in requests (JMS-4).</summary>
    public string RequestUri { get; private set; } = "";

    /// <summary>The address as written.</summary>
    public override string ToString() => _text;

    /// <exception cref="CreoException"><c>invalid-value</c>.</exception>
    public static JmsAddress Parse(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        if (text.Length > MaxLength)
        {
            throw Invalid(text[..40] + "...", $"it has more than {MaxLength} characters");
        }
        int question = text.IndexOf('?');
        string destination = question < 0 ? text : text[..question];
        string[] parts = destination.Split(':', 3);
        if (parts is not ["jms", "queue" or "topic", { Length: > 0 }])
        {
            throw Invalid(text, "it is not jms:queue: or jms:topic: and a name");
        }
        var address = new JmsAddress(text, Decoded(text, parts[2]), parts[1] == "topic");
        var seen = new HashSet<string>(StringComparer.Ordinal);
        var shared = new StringBuilder(destination);
        foreach (string parameter in question < 0 ? [] : text[(question + 1)..].Split('&'))
        {
            int equals = parameter.IndexOf('=');
            string name = Decoded(text, equals < 0 ? parameter : parameter[..equals]);
            if (name.StartsWith("jndi", StringComparison.OrdinalIgnoreCase))
            {
                throw Invalid(text, "JNDI is not used here");
            }
            if (!seen.Add(name))
            {
                throw Invalid(text, $"\"{name}\" occurs twice");
            }
            address.Take(text, name, Decoded(text, equals < 0 ? "" : parameter[(equals + 1)..]));
            if (Array.IndexOf(Shared, name) >= 0)
            {
                shared.Append(shared.Length == destination.Length ? '?' : '&').Append(parameter);
            }
        }
        address.RequestUri = shared.ToString();
        return address;
    }

    private void Take(string text, string name, string value)
    {
        switch (name)
        {
            case "deliveryMode":
                IsPersistent = value switch
                {
                    "PERSISTENT" => true,
                    "NON_PERSISTENT" => false,
                    _ => throw Invalid(text, $"the delivery mode \"{value}\" is neither PERSISTENT nor NON_PERSISTENT"),
                };
                break;
            case "timeToLive":
                long time = Number(text, name, value, long.MaxValue);
                // 0 means no limit.
                TimeToLive = time == 0 ? null : TimeSpan.FromMilliseconds(Math.Min(time, int.MaxValue));
                break;
            case "priority":
                Priority = (byte)Number(text, name, value, 9);
                break;
            case "replyToName":
                ReplyToName = value.Length > 0 ? value : throw Invalid(text, "a queue for answers without a name");
                break;
            case "targetService":
                TargetService = value.Length > 0 ? value : throw Invalid(text, "a service without a name");
                break;
            default:
                break;
        }
    }

    private static long Number(string text, string name, string value, long max) =>
        long.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out long number) && number <= max
            ? number
            : throw Invalid(text, max == long.MaxValue ? $"{name} is \"{value}\", and no number" : $"{name} is \"{value}\", and not a number from 0 to {max}");

    private static string Decoded(string text, string part)
    {
        if (part.IndexOf('%') < 0)
        {
            return part;
        }
        byte[] bytes = Encoding.UTF8.GetBytes(part);
        int length = 0;
        for (int i = 0; i < bytes.Length; i++)
        {
            byte next = bytes[i];
            if (next == '%')
            {
                if (i + 2 >= bytes.Length || !char.IsAsciiHexDigit((char)bytes[i + 1]) || !char.IsAsciiHexDigit((char)bytes[i + 2]))
                {
                    throw Invalid(text, "a % without two hexadecimal digits");
                }
                next = Convert.FromHexString([(char)bytes[i + 1], (char)bytes[i + 2]])[0];
                i += 2;
            }
            bytes[length++] = next;
        }
        try
        {
            return Utf8.GetString(bytes, 0, length);
        }
        catch (DecoderFallbackException)
        {
            throw Invalid(text, "bytes that are not UTF-8");
        }
    }

    private static CreoException Invalid(string text, string why) => new(ErrorCode.InvalidValue, $"\"{text}\" is no address of JMS: {why}");
}
