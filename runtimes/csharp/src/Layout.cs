using System;
using System.Collections.Generic;
using System.Threading;

namespace Creo;

/// <summary>What a <see cref="Layout"/> describes.</summary>
public enum LayoutKind
{
    Boolean,
    Byte,
    Short,
    Char,
    Int,
    Long,
    Float,
    Double,
    String,
    DateTime,
    Decimal,
    Bytes,
    Array,
    Optional,
    Map,
    Struct,
    Enum,
    Union,
}

/// <summary>A field of a struct or exception, a member of a union, a constant of an enum, or a parameter.</summary>
/// <param name="Name">Its name in the description.</param>
/// <param name="Layout">Its type; null for a constant.</param>
/// <param name="Number">The number of a constant; the index of any other.</param>
/// <param name="Required">Whether a field of an extensible type is <c>malformed</c> when it is missing (MODEL-11).</param>
public sealed record LayoutMember(string Name, Layout? Layout, int Number, bool Required);

/// <summary>A type as the description has it, with the description's names: for messages and for tools, never for reading or writing.</summary>
public sealed class Layout
{
    private readonly Lazy<LayoutMember[]> _members;

    private Layout(
        LayoutKind kind, string name, bool extensible, bool recursive, Layout? key, Layout? item, Func<LayoutMember[]>? members)
    {
        Kind = kind;
        Name = name;
        IsExtensible = extensible;
        IsRecursive = recursive;
        Key = key;
        Item = item;
        _members = new(members ?? (static () => []), LazyThreadSafetyMode.PublicationOnly);
    }

    public static Layout Boolean { get; } = new(LayoutKind.Boolean, "boolean", false, false, null, null, null);

    public static Layout Byte { get; } = new(LayoutKind.Byte, "byte", false, false, null, null, null);

    public static Layout Short { get; } = new(LayoutKind.Short, "short", false, false, null, null, null);

    public static Layout Char { get; } = new(LayoutKind.Char, "char", false, false, null, null, null);

    public static Layout Int { get; } = new(LayoutKind.Int, "int", false, false, null, null, null);

    public static Layout Long { get; } = new(LayoutKind.Long, "long", false, false, null, null, null);

    public static Layout Float { get; } = new(LayoutKind.Float, "float", false, false, null, null, null);

    public static Layout Double { get; } = new(LayoutKind.Double, "double", false, false, null, null, null);

    public static Layout String { get; } = new(LayoutKind.String, "String", false, false, null, null, null);

    public static Layout DateTime { get; } = new(LayoutKind.DateTime, "DateTime", false, false, null, null, null);

    public static Layout Decimal { get; } = new(LayoutKind.Decimal, "Decimal", false, false, null, null, null);

    public static Layout Bytes { get; } = new(LayoutKind.Bytes, "byte[]", false, false, null, null, null);

    public LayoutKind Kind { get; }

    /// <summary>The full name of a declared type, or the description's word for another.</summary>
    public string Name { get; }

    public bool IsExtensible { get; }

    public bool IsRecursive { get; }

    /// <summary>The keys of a map.</summary>
    public Layout? Key { get; }

    /// <summary>The items of an array, the value of an optional, the values of a map.</summary>
    public Layout? Item { get; }

    /// <summary>Fields, members or constants, in declared order.</summary>
    public IReadOnlyList<LayoutMember> Members => _members.Value;

    public static Layout Array(Layout item) => new(LayoutKind.Array, item.Name + "[]", false, false, null, item, null);

    public static Layout Optional(Layout item) => new(LayoutKind.Optional, item.Name + "?", false, false, null, item, null);

    public static Layout Map(Layout key, Layout value) => new(LayoutKind.Map, $"Map<{key.Name},{value.Name}>", false, false, key, value, null);

    /// <summary>A struct, an exception, or the parameters of a method.</summary>
    public static Layout Struct(string name, Func<LayoutMember[]> fields, bool extensible = false, bool recursive = false) =>
        new(LayoutKind.Struct, name, extensible, recursive, null, null, fields);

    public static Layout Union(string name, Func<LayoutMember[]> members, bool extensible = false, bool recursive = false) =>
        new(LayoutKind.Union, name, extensible, recursive, null, null, members);

    public static Layout Enum(string name, Func<LayoutMember[]> constants, bool extensible = false) =>
        new(LayoutKind.Enum, name, extensible, false, null, null, constants);
}
