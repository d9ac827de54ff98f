namespace Creo;

/// <summary>How the rows of a table are made.</summary>
public enum TableScheme
{
    /// <summary>One row a struct, whose columns are its scalar fields.</summary>
    Record,

    /// <summary>One row a scalar, as in the paper that the format is of.</summary>
    Aggregated,
}

/// <summary>How values are written as tables (<c>spec/wires/tdxml.md</c>). All kinds are read.</summary>
public sealed record TableOptions
{
    /// <summary>The options that hold unless others are given.</summary>
    public static TableOptions Default { get; } = new();

    /// <summary>How the rows are made.</summary>
    public TableScheme Scheme { get; init; }

    /// <summary>Whether the names and types are said once before the rows; who reads then checks them.</summary>
    public bool HasSchema { get; init; }
}
