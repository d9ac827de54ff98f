using System;
using System.Collections.Generic;
using System.Linq;

namespace Creo;

/// <summary>How the address of a call is chosen among those that are not ejected (CALL-31).</summary>
public enum BalancingRule
{
    /// <summary>Each in its turn, beginning with a random one.</summary>
    RoundRobin,

    /// <summary>The one with the fewest calls under way, a random one of several.</summary>
    LeastOutstanding,

    /// <summary>Of two random ones, the one with fewer calls under way.</summary>
    PickTwo,
}

/// <summary>How calls are distributed over several addresses.</summary>
public sealed record BalancingOptions
{
    private readonly TimeSpan _ejection = TimeSpan.FromSeconds(1);
    private readonly TimeSpan _maxEjection = TimeSpan.FromSeconds(60);
    private readonly TimeSpan _refresh = TimeSpan.FromSeconds(30);

    /// <summary>The default options.</summary>
    public static BalancingOptions Default { get; } = new();

    /// <summary>How the address of a call is chosen.</summary>
    public BalancingRule Rule { get; init; }

    /// <summary>How long an address gets no calls after it failed, doubled each further time until a call succeeds. 1 s.</summary>
    public TimeSpan Ejection { get => _ejection; init => _ejection = Positive(value, nameof(Ejection)); }

    /// <summary>The max time without calls. 60 s.</summary>
    public TimeSpan MaxEjection { get => _maxEjection; init => _maxEjection = Positive(value, nameof(MaxEjection)); }

    /// <summary>The time after which a call asks the resolver again; it does so after 1 s if an address failed. 30 s.</summary>
    public TimeSpan Refresh { get => _refresh; init => _refresh = Positive(value, nameof(Refresh)); }

    /// <summary>The clock for these times; another one is for tests.</summary>
    public TimeProvider Clock { get; init; } = TimeProvider.System;

    private static TimeSpan Positive(TimeSpan value, string name) =>
        value > TimeSpan.Zero ? value : throw new ArgumentOutOfRangeException(name, value, "the time must be more than zero");
}

/// <summary>An address, its binding, and what is known of its host.</summary>
internal sealed class BalancedPlace(string address)
{
    public string Address => address;

    public Binding? Binding { get; set; }

    /// <summary>Those under way.</summary>
    public int Calls { get; set; }

    /// <summary>Calls in succession that were lost.</summary>
    public int Lost { get; set; }

    /// <summary>When its ejection ends; null if it is not ejected.</summary>
    public TimeSpan? Until { get; set; }

    public bool IsProbed { get; set; }

    /// <summary>How often it was ejected. The outcome of a call that began before does not count.</summary>
    public int Epoch { get; set; }

    /// <summary>How often it was ejected since a call has succeeded.</summary>
    public int Ejections { get; set; }
}

/// <summary>A call, or an attempt of one, that goes to an address.</summary>
internal readonly record struct Visit(BalancedPlace Place, Binding Binding, bool IsProbe, int Epoch, TakenPlaces? Taken);

/// <summary>Decides where calls go. It never waits. Safe for any number of threads.</summary>
internal sealed class Balancer(BalancingOptions options, Func<string, Binding> open) : IDisposable
{
    // So many lost calls in succession eject an address.
    private const int MaxLost = 3;

    // After it, a resolver is asked again if an address was ejected.
    private static readonly TimeSpan Soon = TimeSpan.FromSeconds(1);

    private readonly long _start = options.Clock.GetTimestamp();
    private readonly object _lock = new();
    private readonly List<BalancedPlace> _leaving = [];
    private List<BalancedPlace> _places = [];
    private int _turn = -1;
    private TimeSpan? _asked;
    private bool _hasEjected;
    private bool _isDisposed;

    private TimeSpan Now => options.Clock.GetElapsedTime(_start);

    /// <summary>Whether there are addresses.</summary>
    public bool HasPlaces
    {
        get
        {
            lock (_lock)
            {
                return _places.Count > 0;
            }
        }
    }

    /// <summary>A binding that is open; null if none is.</summary>
    public Binding? AnyBinding
    {
        get
        {
            lock (_lock)
            {
                return _places.Find(static place => place.Binding is not null)?.Binding;
            }
        }
    }

    /// <summary>Whether the call may be made at another address (CALL-32).</summary>
    public static bool IsUnplaced(Exception failure) => failure is CreoException { Code: ErrorCode.Unavailable, NotStarted: true };

    /// <summary>Whether the resolver is to be asked now, which then counts as done (CALL-36).</summary>
    public bool IsDue()
    {
        lock (_lock)
        {
            TimeSpan wait = _hasEjected && Soon < options.Refresh ? Soon : options.Refresh;
            if (_places.Count > 0 && Now - _asked < wait)
            {
                return false;
            }
            (_asked, _hasEjected) = (Now, false);
            return true;
        }
    }

    /// <summary>Takes other addresses. The bindings of those that are left out are closed when they have no calls.</summary>
    /// <exception cref="ArgumentException">There are none.</exception>
    public void Replace(IReadOnlyList<string> addresses)
    {
        if (addresses is not { Count: > 0 } || addresses.Contains(null))
        {
            throw new ArgumentException("there must be at least one address", nameof(addresses));
        }
        List<BalancedPlace> former;
        lock (_lock)
        {
            former = _places;
            _places = [.. addresses.Distinct().Select(address => former.Find(place => place.Address == address) ?? new BalancedPlace(address))];
            _turn = _turn < 0 ? Random.Shared.Next(_places.Count) : _turn;
            former = former.Except(_places).ToList();
            _leaving.AddRange(former.FindAll(static place => place.Calls > 0));
            former.RemoveAll(static place => place.Calls > 0);
        }
        former.ForEach(static place => place.Binding?.Dispose());
    }

    /// <summary>Sends a call that was not placed at some addresses to another one; null if there is none.</summary>
    /// <param name="tried">Those addresses.</param>
    /// <param name="taken">Those where it goes only if no other one is left (CALL-81): the chosen one is added until the end there.</param>
    public Visit? Choose(IReadOnlyList<BalancedPlace> tried, TakenPlaces? taken)
    {
        lock (_lock)
        {
            ObjectDisposedException.ThrowIf(_isDisposed, typeof(BalancedBinding));
            TimeSpan now = Now;
            List<BalancedPlace> left = tried.Count == 0 ? _places : _places.FindAll(place => !tried.Contains(place));
            if (left.Count == 0)
            {
                return null;
            }
            List<BalancedPlace> fit = left.FindAll(place => place.Until is null || (place.Until <= now && !place.IsProbed));
            List<BalancedPlace> free = taken is null ? fit : fit.FindAll(place => !taken.Has(place));
            // CALL-35
            BalancedPlace chosen = fit.Count > 0 ? ByRule(free.Count > 0 ? free : fit) : left.MinBy(static place => place.Until)!;
            Binding binding = chosen.Binding ??= open(chosen.Address);
            // CALL-34
            bool isProbe = chosen.Until is not null && fit.Count > 0;
            chosen.IsProbed |= isProbe;
            chosen.Calls++;
            taken?.Add(chosen);
            return new Visit(chosen, binding, isProbe, chosen.Epoch, taken);
        }
    }

    /// <summary>A call has ended, with a failure or without.</summary>
    public void End(Visit visit, Exception? failure)
    {
        BalancedPlace place = visit.Place;
        visit.Taken?.Remove(place);
        lock (_lock)
        {
            place.Calls--;
            if (visit.Epoch == place.Epoch)
            {
                place.IsProbed &= !visit.IsProbe;
                Learn(place, visit.IsProbe, failure);
            }
            if (place.Calls > 0 || !_leaving.Remove(place))
            {
                return;
            }
        }
        visit.Binding.Dispose();
    }

    /// <summary>Closes all bindings.</summary>
    public void Dispose()
    {
        List<BalancedPlace> all;
        lock (_lock)
        {
            _isDisposed = true;
            all = [.. _places, .. _leaving];
            _leaving.Clear();
        }
        all.ForEach(static place => place.Binding?.Dispose());
    }

    // CALL-33, CALL-34.
    private void Learn(BalancedPlace place, bool isProbe, Exception? failure)
    {
        if (failure is null or DeclaredException)
        {
            (place.Until, place.Lost, place.Ejections) = (null, 0, 0);
            return;
        }
        if (failure is not CreoException error)
        {
            return;
        }
        bool isAnswer = error.FromPeer || error.Code == ErrorCode.Malformed;
        bool isLost = error.Code == ErrorCode.Unavailable && !isAnswer;
        bool isLate = error.Code == ErrorCode.DeadlineExceeded && !isAnswer;
        place.Lost = isLost ? place.Lost + 1 : isAnswer || isLate ? 0 : place.Lost;
        bool isOut = IsUnplaced(error) || error.Code is ErrorCode.UntrustedPeer or ErrorCode.ProtocolMismatch || place.Lost >= MaxLost;
        if (isOut || (isProbe && (isLost || isLate)))
        {
            if (place.Until is null || isProbe)
            {
                Eject(place);
            }
        }
        else if (isAnswer)
        {
            place.Until = null;
        }
    }

    private void Eject(BalancedPlace place)
    {
        // Below the range of times, whatever the options.
        double seconds = Math.Min(options.MaxEjection.TotalSeconds, options.Ejection.TotalSeconds * Math.Pow(2, Math.Min(place.Ejections, 60)));
        place.Until = Now + TimeSpan.FromSeconds(Math.Min(seconds, int.MaxValue));
        place.Lost = 0;
        // A probe that is under way is one of the ejection before.
        place.IsProbed = false;
        place.Epoch++;
        place.Ejections++;
        _hasEjected = true;
    }

    private BalancedPlace ByRule(List<BalancedPlace> fit)
    {
        if (options.Rule == BalancingRule.RoundRobin)
        {
            int turn = Enumerable.Range(_turn, _places.Count).First(turn => fit.Contains(_places[turn % _places.Count])) % _places.Count;
            _turn = (turn + 1) % _places.Count;
            return _places[turn];
        }
        BalancedPlace[] shuffled = [.. fit];
        Random.Shared.Shuffle(shuffled);
        // The first of those with the fewest.
        return shuffled.Take(options.Rule == BalancingRule.PickTwo ? 2 : fit.Count).MinBy(static place => place.Calls)!;
    }
}
