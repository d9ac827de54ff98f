using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Text;
using System.Text.Json;
using Creo;

namespace Conformance.Peer;

/// <summary>A generated codec, called without knowing its type.</summary>
public sealed class AnyCodec
{
    private delegate object ReadDelegate(ReadOnlySpan<byte> bytes, Limits limits);

    private static readonly TableOptions Aggregated = new() { Scheme = TableScheme.Aggregated };
    private static readonly TableOptions WithSchema = new() { HasSchema = true };
    private static readonly Dictionary<string, AnyCodec> All = Find();

    private readonly Dictionary<string, Form> _forms;

    private AnyCodec(Layout layout, Dictionary<string, Form> forms)
    {
        Layout = layout;
        _forms = forms;
    }

    public Layout Layout { get; }

    public static AnyCodec Of(string type) => All.TryGetValue(type, out AnyCodec? codec) ? codec : throw new ArgumentException($"no codec for {type}");

    /// <summary>The value of a text of a form: <c>codec</c> for the binary wire, <c>soap</c> for XML, or as the modes of the peer are called.</summary>
    public object Read(string form, byte[] bytes, Limits limits) => _forms[form].Read(bytes, limits);

    public byte[] Write(string form, object value) => _forms[form].Write(value);

    private static Dictionary<string, AnyCodec> Find()
    {
        var all = new Dictionary<string, AnyCodec>();
        // The class that knows a type as text, by that type.
        Dictionary<Type, Type> texts = typeof(AnyCodec).Assembly.GetTypes()
            .Where(type => type.GetMethod("FromXml") is not null && type.GetMethod("ToXml") is not null)
            .ToDictionary(type => type.GetMethod("FromXml")!.ReturnType);
        foreach (Type type in typeof(AnyCodec).Assembly.GetTypes())
        {
            if (type.GetProperty("Layout", BindingFlags.Public | BindingFlags.Static)?.GetValue(null) is Layout layout
                && type.GetMethod("Decode") is { } decode && type.GetMethod("ToBytes") is { } toBytes)
            {
                MethodInfo bind = typeof(AnyCodec).GetMethod(nameof(Bind), BindingFlags.NonPublic | BindingFlags.Static)!;
                object text = texts[decode.ReturnType].GetProperty("Codec")!.GetValue(null)!;
                // Descriptions of the same package may be there twice; the first is as good.
                all.TryAdd(layout.Name, (AnyCodec)bind.MakeGenericMethod(decode.ReturnType).Invoke(null, [layout, decode, toBytes, text])!);
            }
        }
        return all;
    }

    private static AnyCodec Bind<T>(Layout layout, MethodInfo decode, MethodInfo toBytes, TextCodec<T> text)
        where T : notnull
    {
        var read = decode.CreateDelegate<Decoder<T>>();
        var write = toBytes.CreateDelegate<Func<T, byte[]>>();
        return new AnyCodec(layout, new()
        {
            ["codec"] = new((bytes, limits) => Binary.FromBytes(bytes, read, layout, limits), value => write((T)value)),
            ["soap"] = new((bytes, limits) => text.FromXml(bytes, limits), value => text.ToXml((T)value)),
            ["json"] = new((bytes, limits) => text.FromJson(bytes, limits), value => text.ToJson((T)value)),
            ["tdxml"] = new((bytes, limits) => text.FromTdxml(bytes, limits), value => text.ToTdxml((T)value)),
            ["tdxml-aggregated"] = new((bytes, limits) => text.FromTdxml(bytes, limits), value => text.ToTdxml((T)value, Aggregated)),
            ["tdxml-schema"] = new((bytes, limits) => text.FromTdxml(bytes, limits), value => text.ToTdxml((T)value, WithSchema)),
        });
    }

    private sealed record Form(ReadDelegate Read, Func<object, byte[]> Write);
}

/// <summary>One line in, one line out: decodes, writes the value as JSON, encodes again.</summary>
public static class CodecMode
{
    /// <summary>Answers each line; the bytes are of a form.</summary>
    public static void Run(TextReader input, TextWriter output, string form)
    {
        while (input.ReadLine() is { } line)
        {
            output.WriteLine(Answer(line, form));
            output.Flush();
        }
    }

    private static string Answer(string line, string form)
    {
        using JsonDocument request = JsonDocument.Parse(line);
        string id = request.RootElement.GetProperty("id").GetString()!;
        string type = request.RootElement.GetProperty("type").GetString()!;
        byte[] bytes = Convert.FromHexString(request.RootElement.GetProperty("bytes").GetString()!);
        Limits limits = request.RootElement.TryGetProperty("maxMemory", out JsonElement memory) ? new Limits { MaxMemory = memory.GetInt64() } : Limits.Default;
        var answer = new StringBuilder("{\"id\":").Append(Quote(id));
        try
        {
            AnyCodec codec = AnyCodec.Of(type);
            object value = codec.Read(form, bytes, limits);
            string again = Convert.ToHexString(codec.Write(form, value)).ToLowerInvariant();
            answer.Append(",\"value\":");
            ValueJson.Write(answer, codec.Layout, value);
            answer.Append(",\"bytes\":").Append(Quote(again));
        }
        catch (CreoException e)
        {
            answer.Append(",\"error\":").Append(Quote(Word(e)));
            if (e.Place is not null)
            {
                answer.Append(",\"place\":").Append(Quote(e.Place));
            }
            if (e.Offset is not null)
            {
                answer.Append(",\"offset\":").Append(e.Offset);
            }
            foreach (string fact in (string[])["limit", "allowed"])
            {
                if (e.Details.TryGetValue(fact, out string? text))
                {
                    answer.Append(",\"").Append(fact).Append("\":").Append(Quote(text));
                }
            }
            answer.Append(",\"message\":").Append(Quote(e.Message));
        }
        return answer.Append('}').ToString();
    }

    /// <summary>The code of an error as all languages write it.</summary>
    public static string Word(CreoException e) => e.Message[..e.Message.IndexOf(':')];

    internal static string Quote(string text) => JsonSerializer.Serialize(text);
}

/// <summary>Values in the notation of spec/values.md, by reflection.</summary>
public static class ValueJson
{
    public static void Write(StringBuilder json, Layout layout, object value)
    {
        switch (layout.Kind)
        {
            case LayoutKind.Boolean: json.Append((bool)value ? "true" : "false"); break;
            case LayoutKind.Byte or LayoutKind.Short or LayoutKind.Int: json.Append(value); break;
            case LayoutKind.Long: WriteLong(json, (long)value); break;
            case LayoutKind.Char: WriteChar(json, (char)value); break;
            case LayoutKind.Float: WriteNumber(json, (float)value, ((float)value).ToString("R", null)); break;
            case LayoutKind.Double: WriteNumber(json, (double)value, ((double)value).ToString("R", null)); break;
            case LayoutKind.String or LayoutKind.DateTime or LayoutKind.Decimal: json.Append(CodecMode.Quote(value.ToString()!)); break;
            case LayoutKind.Bytes: json.Append('"').Append(Convert.ToBase64String(((ValueArray<byte>)value).Span)).Append('"'); break;
            case LayoutKind.Array: WriteItems(json, layout.Item!, (System.Collections.IEnumerable)value); break;
            case LayoutKind.Map: WriteMap(json, layout, (System.Collections.IEnumerable)value); break;
            case LayoutKind.Struct: WriteStruct(json, layout, value); break;
            case LayoutKind.Enum: WriteConstant(json, layout, Convert.ToInt32(value, null)); break;
            case LayoutKind.Union: WriteUnion(json, layout, value); break;
            // A present optional; an absent one is null, which its holder writes.
            case LayoutKind.Optional: Write(json, layout.Item!, value); break;
            default: throw new ArgumentOutOfRangeException(nameof(layout));
        }
    }

    private static void WriteLong(StringBuilder json, long value)
    {
        const long exact = (1L << 53) - 1;
        json.Append(value is >= -exact and <= exact ? value.ToString(null, null) : $"\"{value}\"");
    }

    private static void WriteChar(StringBuilder json, char value) =>
        json.Append(char.IsSurrogate(value) ? ((int)value).ToString(null, null) : CodecMode.Quote(value.ToString()));

    private static void WriteNumber(StringBuilder json, double value, string shortest)
    {
        json.Append(value switch
        {
            double.NaN => "\"NaN\"",
            double.PositiveInfinity => "\"Infinity\"",
            double.NegativeInfinity => "\"-Infinity\"",
            0 when double.IsNegative(value) => "-0.0",
            _ => shortest,
        });
    }

    private static void WriteItems(StringBuilder json, Layout item, System.Collections.IEnumerable items)
    {
        json.Append('[');
        bool first = true;
        foreach (object? value in items)
        {
            json.Append(first ? "" : ",");
            WriteOrNull(json, item, value);
            first = false;
        }
        json.Append(']');
    }

    private static void WriteMap(StringBuilder json, Layout layout, System.Collections.IEnumerable entries)
    {
        json.Append('{');
        bool first = true;
        foreach (object entry in entries)
        {
            object key = entry.GetType().GetProperty("Key")!.GetValue(entry)!;
            object? value = entry.GetType().GetProperty("Value")!.GetValue(entry);
            json.Append(first ? "" : ",");
            var text = new StringBuilder();
            Write(text, layout.Key!, key);
            json.Append(text[0] == '"' ? text.ToString() : $"\"{text}\"").Append(':');
            WriteOrNull(json, layout.Item!, value);
            first = false;
        }
        json.Append('}');
    }

    private static void WriteOrNull(StringBuilder json, Layout layout, object? value)
    {
        if (value is null)
        {
            json.Append("null");
        }
        else
        {
            Write(json, layout, value);
        }
    }

    private static void WriteStruct(StringBuilder json, Layout layout, object value)
    {
        PropertyInfo[] properties = Properties(value.GetType());
        json.Append('{');
        bool first = true;
        for (int i = 0; i < layout.Members.Count; i++)
        {
            if (properties[i].GetValue(value) is { } field)
            {
                json.Append(first ? "" : ",").Append(CodecMode.Quote(layout.Members[i].Name)).Append(':');
                Write(json, layout.Members[i].Layout!, field);
                first = false;
            }
        }
        json.Append('}');
    }

    private static void WriteConstant(StringBuilder json, Layout layout, int number)
    {
        LayoutMember? constant = layout.Members.FirstOrDefault(m => m.Number == number);
        json.Append(constant is null ? number.ToString(null, null) : CodecMode.Quote(constant.Name));
    }

    private static void WriteUnion(StringBuilder json, Layout layout, object value)
    {
        int index = Array.IndexOf(value.GetType().DeclaringType!.GetNestedTypes().OrderBy(t => t.MetadataToken).ToArray(), value.GetType());
        PropertyInfo[] properties = Properties(value.GetType());
        if (index < layout.Members.Count)
        {
            json.Append('{').Append(CodecMode.Quote(layout.Members[index].Name)).Append(':');
            WriteOrNull(json, layout.Members[index].Layout!, properties[0].GetValue(value));
        }
        else
        {
            json.Append("{\"#").Append(properties[0].GetValue(value)).Append("\":");
            Write(json, Layout.Bytes, properties[1].GetValue(value)!);
        }
        json.Append('}');
    }

    // In declared order.
    private static PropertyInfo[] Properties(Type type) =>
        [.. type.GetProperties(BindingFlags.Public | BindingFlags.Instance | BindingFlags.DeclaredOnly)
            .Where(p => p.CanWrite)
            .OrderBy(p => p.MetadataToken)];
}
