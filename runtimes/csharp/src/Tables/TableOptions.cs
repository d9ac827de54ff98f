namespace Creo;

/// <summary>The form of a table's rows.</summary>
public enum TableScheme
{
    /// <summary>A row for each struct, whose columns are its scalar fields.</summary>
    Record,

    /// <summary>A row for each scalar, as in the paper that defined the format.</summary>
    Aggregated,
}

/// <summary>How values are written as tables (<c>spec/wires/tdxml.md</c>). Every form can be read.</summary>
public sealed record TableOptions
{
    /// <summary>The default options.</summary>
    public static TableOptions Default { get; } = new();

    /// <summary>The form of rows.</summary>
    public TableScheme Scheme { get; init; }

    /// <summary>Whether names and types are written before the rows; readers then check them.</summary>
    public bool HasSchema { get; init; }
}
