using System;
using System.Text;

namespace Creo.Jms;

/// <summary>The described types of AMQP 1.0 that a client needs, by descriptor.</summary>
internal static class Amqp
{
    public const ulong Open = 0x10;
    public const ulong Begin = 0x11;
    public const ulong Attach = 0x12;
    public const ulong Flow = 0x13;
    public const ulong Transfer = 0x14;
    public const ulong Disposition = 0x15;
    public const ulong Detach = 0x16;
    public const ulong End = 0x17;
    public const ulong Close = 0x18;
    public const ulong Error = 0x1d;
    public const ulong Accepted = 0x24;
    public const ulong Rejected = 0x25;
    public const ulong Released = 0x26;
    public const ulong Modified = 0x27;
    public const ulong Source = 0x28;
    public const ulong Target = 0x29;
    public const ulong DeleteOnClose = 0x2b;
    public const ulong Mechanisms = 0x40;
    public const ulong Init = 0x41;
    public const ulong Outcome = 0x44;
    public const ulong Header = 0x70;
    public const ulong DeliveryAnnotations = 0x71;
    public const ulong MessageAnnotations = 0x72;
    public const ulong Properties = 0x73;
    public const ulong ApplicationProperties = 0x74;
    public const ulong Data = 0x75;
    public const ulong Sequence = 0x76;
    public const ulong Value = 0x77;
    public const ulong Footer = 0x78;

    /// <summary>A selector of messages in JMS syntax.</summary>
    public const ulong Selector = 0x0000468C00000004;

    /// <summary>Its name among the filters of a source.</summary>
    public const string SelectorName = "apache.org:selector-filter:string";

    /// <summary>An unknown descriptor.</summary>
    public const ulong Unknown = ulong.MaxValue;

    /// <summary>The first bytes of a connection, or of its authentication.</summary>
    public static ReadOnlySpan<byte> ProtocolHeader => "AMQP\0\u0001\0\0"u8;

    /// <inheritdoc cref="ProtocolHeader"/>
    public static ReadOnlySpan<byte> SaslHeader => "AMQP\u0003\u0001\0\0"u8;

    /// <summary>The number of a symbolic descriptor.</summary>
    public static ulong NumberOf(ReadOnlySpan<byte> name)
    {
        ReadOnlySpan<(string Name, ulong Number)> all =
        [
            ("amqp:open:list", Open), ("amqp:begin:list", Begin), ("amqp:attach:list", Attach), ("amqp:flow:list", Flow), ("amqp:transfer:list", Transfer),
            ("amqp:disposition:list", Disposition), ("amqp:detach:list", Detach), ("amqp:end:list", End), ("amqp:close:list", Close), ("amqp:error:list", Error),
            ("amqp:accepted:list", Accepted), ("amqp:rejected:list", Rejected), ("amqp:released:list", Released), ("amqp:modified:list", Modified),
            ("amqp:source:list", Source), ("amqp:target:list", Target), ("amqp:sasl-mechanisms:list", Mechanisms), ("amqp:sasl-outcome:list", Outcome),
            ("amqp:header:list", Header), ("amqp:delivery-annotations:map", DeliveryAnnotations), ("amqp:message-annotations:map", MessageAnnotations),
            ("amqp:properties:list", Properties), ("amqp:application-properties:map", ApplicationProperties), ("amqp:data:binary", Data),
            ("amqp:amqp-sequence:list", Sequence), ("amqp:amqp-value:*", Value), ("amqp:footer:map", Footer),
        ];
        foreach ((string known, ulong number) in all)
        {
            if (Ascii.Equals(name, known))
            {
                return number;
            }
        }
        return Unknown;
    }

    /// <summary>The error for a broker's bytes that violate the protocol.</summary>
    public static CreoException Malformed(string text) => new(ErrorCode.Malformed, "the broker broke the protocol: " + text);
}
