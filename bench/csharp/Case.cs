using System;
using System.Collections.Generic;

namespace WireBenchmark;

/// <summary>
/// One peer with one workload of one size. It holds its objects ready. What else a peer needs (buffers, serializers) it keeps between calls where its
/// documentation says so; otherwise it is part of what is timed.
/// </summary>
public abstract class Case
{
    /// <summary>Writes the objects into memory of the case, and says how many bytes there are.</summary>
    public abstract int Serialize();

    /// <summary>What <see cref="Serialize"/> wrote.</summary>
    public abstract ReadOnlySpan<byte> Written { get; }

    /// <summary>Makes objects of the bytes that were written when the case was made.</summary>
    public abstract object Deserialize();

    /// <summary>What <see cref="Deserialize"/> made as numbers, texts or bytes, one after another. Only for the check.</summary>
    public abstract IEnumerable<object> Plain(object decoded);
}
