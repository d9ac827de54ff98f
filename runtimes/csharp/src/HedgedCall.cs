using System;
using System.Collections.Concurrent;
using System.Diagnostics;
using System.Threading;
using System.Threading.Tasks;

namespace Creo;

public sealed partial class OutgoingCall
{
    /// <summary>The same call for one of several attempts that go on at the same time: it learns what is found out about that one alone.</summary>
    internal OutgoingCall Apart()
    {
        var apart = (OutgoingCall)MemberwiseClone();
        (apart.Answer, apart.Peer) = (null, null);
        return apart;
    }
}

/// <summary>A call whose attempts may go on at the same time (CALL-29, CALL-80 to CALL-84).</summary>
/// <remarks>One thread at a time decides on the attempts, which queue up when they have ended. No attempt fails as a task.</remarks>
internal sealed class HedgedCall<TArguments, TResult>(
    Retrier retrier, Binding binding, Method<TArguments, TResult> method, TArguments arguments, CallOptions? options)
{
    private readonly long _start = Stopwatch.GetTimestamp();
    private readonly ConcurrentQueue<Attempt> _ended = new();
    private readonly SemaphoreSlim _changed = new(0);
    private readonly TakenPlaces _taken = new();
    private Attempt? _newest;

    // The last one that was to be repeated.
    private Attempt? _failed;
    private int _made;
    private int _underWay;

    // When the next attempt is made, from the start of the call; null if there is none.
    private TimeSpan? _due = TimeSpan.Zero;

    // Whether that is a repetition, which is paid.
    private bool _repeats;
    private bool _hasRepeated;
    private bool _isOverloaded;

    // Whether an attempt that has ended may have started the method.
    private bool _mayHaveStarted;

    private TimeSpan Elapsed => Stopwatch.GetElapsedTime(_start);

    private TimeSpan? Deadline => options?.Deadline ?? binding.DefaultDeadline;

    // The milliseconds until the next attempt.
    private int Pause => _due is { } due ? (int)Math.Max(0, Math.Ceiling((due - Elapsed).TotalMilliseconds)) : Timeout.Infinite;

    /// <summary>Makes the attempts.</summary>
    /// <param name="waits">Whether to block: the call has then ended when this returns, and its attempts ran on threads of the pool.</param>
    /// <param name="cancellation">Ends all attempts.</param>
    public async ValueTask<TResult> RunAsync(bool waits, CancellationToken cancellation)
    {
        Attempt last;
        using (var ending = CancellationTokenSource.CreateLinkedTokenSource(cancellation))
        {
            try
            {
                last = await DecideAsync(waits, ending.Token).ConfigureAwait(false);
            }
            finally
            {
                // CALL-82
                ending.Cancel();
            }
        }
        if (last.Failure is null or DeclaredException)
        {
            retrier.Give(_hasRepeated);
        }
        last.Deliver(options);
        if (last.Failure is null)
        {
            return last.Result!;
        }
        if (last.Failure is OperationCanceledException && cancellation.IsCancellationRequested)
        {
            throw new OperationCanceledException("the call was cancelled", last.Failure, cancellation);
        }
        // CALL-84: attempts that were given up may have started the method.
        throw Retrier.Last(last.Failure, _made, _mayHaveStarted || _underWay > 0);
    }

    // Returns the attempt that decides the call.
    private async ValueTask<Attempt> DecideAsync(bool waits, CancellationToken cancellation)
    {
        while (true)
        {
            if (_ended.TryDequeue(out Attempt? ended))
            {
                _underWay--;
                if (!GoesOn(ended.Failure))
                {
                    // If the binding was disposed during the call, the error of that is the attempt's before.
                    return ended.Failure is ObjectDisposedException ? _failed ?? ended : ended;
                }
                _failed = ended;
            }
            else if (cancellation.IsCancellationRequested)
            {
                return new Attempt { Failure = new OperationCanceledException(), Call = _newest?.Call };
            }
            else if (Pause == 0)
            {
                Begin(waits, cancellation);
            }
            else
            {
                Task change = _changed.WaitAsync(Pause, cancellation);
                if (waits)
                {
                    // Of a task, so that the pool knows that the thread is blocked, and has another one for the attempts.
                    change.Wait(CancellationToken.None);
                }
                else
                {
                    await change.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                }
            }
        }
    }

    // The next attempt is due. A hedge that must not be made is the last one, until a repetition.
    private void Begin(bool waits, CancellationToken cancellation)
    {
        _due = null;
        if (_made > 0 && !_repeats && (Deadline <= Elapsed || !retrier.Take()))
        {
            return;
        }
        _made++;
        _hasRepeated |= _repeats;
        _repeats = false;
        if (!_isOverloaded && _made < retrier.Policy.Attempts)
        {
            _due = Elapsed + retrier.Policy.HedgeAfter;
        }
        var attempt = new Attempt { Call = options?.Call?.Apart() };
        _newest = attempt;
        _underWay++;
        // What an attempt continues on the context of this thread would wait for ever if the thread is blocked.
        _ = waits ? Task.Run(() => MakeAsync(attempt, cancellation), CancellationToken.None) : MakeAsync(attempt, cancellation);
    }

    private async Task MakeAsync(Attempt attempt, CancellationToken cancellation)
    {
        try
        {
            cancellation.ThrowIfCancellationRequested();
            attempt.Result = await binding.CallAsync(method, arguments, OptionsOf(attempt), cancellation).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            attempt.Failure = e;
        }
        _ended.Enqueue(attempt);
        _changed.Release();
    }

    private CallOptions OptionsOf(Attempt attempt)
    {
        CallOptions all = options ?? new CallOptions();
        all = all with { Call = attempt.Call, OnAnswer = all.WantsAnswer ? answer => attempt.Answer = answer : null, Taken = _taken };
        TimeSpan? left = Deadline - Elapsed;
        return left is not { } deadline ? all
            : deadline > TimeSpan.Zero ? all.Lasting(deadline)
            : throw new CreoException(ErrorCode.DeadlineExceeded, "the time for the call was over before the attempt was sent").Unsent();
    }

    // An attempt has ended. Its outcome is that of the call if this is false.
    private bool GoesOn(Exception? failure)
    {
        if (failure is not CreoException error || !Retrier.MayRepeat(error, method.IsIdempotent))
        {
            return false;
        }
        _mayHaveStarted |= !error.NotStarted;
        Plan(error);
        return _due is not null || _underWay > 0;
    }

    // Plans the repetition after an error, or nothing if there must be none (CALL-83).
    private void Plan(CreoException error)
    {
        _isOverloaded |= error.Code == ErrorCode.Overloaded;
        TimeSpan due = Elapsed + retrier.Pause(error, _made);
        bool isPlanned = _repeats;
        if (isPlanned && due <= _due)
        {
            return;
        }
        _repeats = _made < retrier.Policy.Attempts && !(Deadline <= due) && (isPlanned || retrier.Take());
        _due = _repeats ? due : null;
    }

    /// <summary>One attempt, and what was found out about it.</summary>
    private sealed class Attempt
    {
        public OutgoingCall? Call { get; init; }

        public Answer? Answer { get; set; }

        public TResult? Result { get; set; }

        /// <summary>What it ended with; null after a result.</summary>
        public Exception? Failure { get; set; }

        /// <summary>Gives the program what came with the answer, and interceptors the peer.</summary>
        public void Deliver(CallOptions? options)
        {
            if (Call?.Peer is { } peer)
            {
                options!.Reached(peer);
            }
            if (Answer is not null)
            {
                options!.Deliver(Answer);
            }
        }
    }
}
