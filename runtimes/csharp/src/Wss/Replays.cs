using System;
using System.Collections.Generic;

namespace Creo.Wss;

/// <summary>The signatures of the last ten minutes (SOAP-88). Safe for use by many threads.</summary>
internal sealed class Replays(TimeProvider clock)
{
    private const int Max = 100_000;

    private static readonly TimeSpan Kept = TimeSpan.FromMinutes(10);

    private readonly object _lock = new();
    private readonly HashSet<string> _seen = [];
    private readonly Queue<(string Signature, DateTimeOffset At)> _order = new();

    /// <summary>Remembers a signature; one that is known is refused, and any while there is no room.</summary>
    public void Use(string signature)
    {
        lock (_lock)
        {
            DateTimeOffset now = clock.GetUtcNow();
            while (_order.TryPeek(out (string Signature, DateTimeOffset At) first) && first.At + Kept < now)
            {
                _seen.Remove(_order.Dequeue().Signature);
            }
            if (_seen.Contains(signature))
            {
                throw Reason.Replayed.Because("the message came before");
            }
            if (_seen.Count >= Max)
            {
                throw Reason.ReplayMemory.Because("too many signed messages came within ten minutes");
            }
            _seen.Add(signature);
            _order.Enqueue((signature, now));
        }
    }
}
