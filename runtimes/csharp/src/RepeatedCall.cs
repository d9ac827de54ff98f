using System;
using System.Collections.Generic;
using System.Diagnostics;

namespace Creo;

public sealed partial record CallOptions
{
    /// <summary>Where the attempts of the call are under way; null if there is only one at a time.</summary>
    internal TakenPlaces? Taken { get; init; }
}

/// <summary>Where attempts of one call go on at the same time, a place once for each of them (CALL-81). Safe for any number of threads.</summary>
internal sealed class TakenPlaces
{
    private readonly List<object> _places = [];

    public bool Has(object place)
    {
        lock (_places)
        {
            return _places.Contains(place);
        }
    }

    public void Add(object place)
    {
        lock (_places)
        {
            _places.Add(place);
        }
    }

    public void Remove(object place)
    {
        lock (_places)
        {
            _places.Remove(place);
        }
    }
}

/// <summary>A call that may be made several times: its options each time, and the answer of the last time alone (CALL-26, CALL-27).</summary>
internal class RepeatedCall
{
    private readonly CallOptions? _options;
    private readonly long _start = Stopwatch.GetTimestamp();
    private Answer? _answer;

    protected RepeatedCall(CallOptions? options)
    {
        _options = options;
        Options = options?.OnAnswer is null ? options : options with { OnAnswer = answer => _answer = answer };
    }

    /// <summary>The options for this time.</summary>
    public CallOptions? Options { get; private set; }

    /// <summary>Gives the program the last answer.</summary>
    public void Deliver()
    {
        if (_answer is not null)
        {
            _options!.OnAnswer!(_answer);
        }
    }

    /// <summary>The time left for the call if it is made over a binding; null for no limit.</summary>
    protected TimeSpan? Left(Binding? binding) => (_options?.Deadline ?? binding?.DefaultDeadline) - Stopwatch.GetElapsedTime(_start);

    /// <summary>The call is made again.</summary>
    protected void Again(TimeSpan? left)
    {
        _answer = null;
        if (_options?.Call is { } call)
        {
            call.Answer = null;
        }
        if (left is { } deadline)
        {
            Options = (Options ?? new CallOptions()).Lasting(deadline);
        }
    }
}
