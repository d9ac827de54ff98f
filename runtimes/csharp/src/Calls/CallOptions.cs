using System;
using System.Collections.Generic;

namespace Creo;

/// <summary>What one call has of its own.</summary>
public sealed record CallOptions
{
    private readonly TimeSpan? _deadline;

    /// <summary>The time for the call, connecting included; null is that of the client's limits.</summary>
    public TimeSpan? Deadline
    {
        get => _deadline;
        init => _deadline = value is null || (value.Value > TimeSpan.Zero && value.Value.TotalMilliseconds <= int.MaxValue)
            ? value
            : throw new ArgumentOutOfRangeException(nameof(Deadline), value, "a deadline is more than zero and less than 25 days");
    }

    /// <summary>Pairs that travel with the request, beside those of the client: credentials, a trace context (TCP-17).</summary>
    public IReadOnlyDictionary<string, string>? Metadata { get; init; }

    /// <summary>Options with nothing but a deadline.</summary>
    public static CallOptions Within(TimeSpan deadline) => new() { Deadline = deadline };
}
