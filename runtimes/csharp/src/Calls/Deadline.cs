using System;
using System.Diagnostics;

namespace Creo.Calls;

/// <summary>The end of the time for something, or no end.</summary>
internal readonly struct Deadline
{
    private readonly long _end;

    private Deadline(long end) => _end = end;

    public static Deadline In(TimeSpan? time) =>
        time is null ? None : new(Stopwatch.GetTimestamp() + (long)(time.Value.TotalSeconds * Stopwatch.Frequency));

    public static Deadline None => new(long.MaxValue);

    public bool IsNone => _end == long.MaxValue;

    public bool IsOver => !IsNone && Stopwatch.GetTimestamp() >= _end;

    /// <summary>Whether a timer that was set for this end may have gone off: those of the platform can be a little early.</summary>
    public bool IsAllButOver => !IsNone && MillisecondsLeft() <= 20;

    public bool IsBefore(Deadline other) => _end < other._end;

    /// <summary>The earlier of two.</summary>
    public static Deadline Earlier(Deadline a, Deadline b) => a._end <= b._end ? a : b;

    /// <summary>What is left in milliseconds, rounded up: 1 at least, or 0 for no end, as the protocol and the platform's sockets have it.</summary>
    public int MillisecondsLeft()
    {
        if (IsNone)
        {
            return 0;
        }
        double left = (double)(_end - Stopwatch.GetTimestamp()) * 1000 / Stopwatch.Frequency;
        return (int)Math.Clamp(Math.Ceiling(left), 1, int.MaxValue);
    }
}
