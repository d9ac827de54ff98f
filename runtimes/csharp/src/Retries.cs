using System;
using System.Diagnostics;
using System.Globalization;
using System.Runtime.ExceptionServices;
using System.Threading;
using System.Threading.Tasks;

namespace Creo;

/// <summary>When and how often a client repeats a call that failed (CALL-20 to CALL-27), or that takes long (CALL-29).</summary>
/// <remarks>
/// A call is repeated after <c>unavailable</c> and <c>overloaded</c>, if the method was not started or is <c>@Idempotent</c> in the description. The
/// deadline covers all attempts and the waits between them. The error is that of the last attempt, with the detail <c>attempts</c>. All calls of a
/// binding share a budget: while most calls fail, they are soon not repeated. A call with streams is never repeated.
/// </remarks>
public sealed record RetryPolicy : IRetries
{
    private const int MaxAttempts = 10;

    private readonly int _attempts = 3;
    private readonly TimeSpan _baseDelay = TimeSpan.FromMilliseconds(50);
    private readonly TimeSpan _maxDelay = TimeSpan.FromSeconds(5);
    private readonly TimeSpan? _hedgeAfter;

    /// <summary>The default policy.</summary>
    public static RetryPolicy Default { get; } = new();

    /// <summary>The max number of attempts, the first included: 1 to 10. 3.</summary>
    /// <exception cref="ArgumentOutOfRangeException">It is another number.</exception>
    public int Attempts
    {
        get => _attempts;
        init => _attempts = value is >= 1 and <= MaxAttempts ? value : throw new ArgumentOutOfRangeException(nameof(Attempts), value, $"attempts are 1 to {MaxAttempts}");
    }

    /// <summary>
    /// The max time before the first repetition, doubled for each further one: 0 to an hour. 50 ms. The time is random, and comes after that for which the
    /// service asked (<see cref="CreoException.RetryAfter"/>).
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">It is negative or longer.</exception>
    public TimeSpan BaseDelay { get => _baseDelay; init => _baseDelay = Checked(value, nameof(BaseDelay)); }

    /// <summary>The max time before any repetition: 0 to an hour. 5 s.</summary>
    /// <exception cref="ArgumentOutOfRangeException">It is negative or longer.</exception>
    public TimeSpan MaxDelay { get => _maxDelay; init => _maxDelay = Checked(value, nameof(MaxDelay)); }

    /// <summary>
    /// Hedges calls of <c>@Idempotent</c> methods: when an attempt has not ended after this time, another one is made beside it, at another address if the
    /// binding has several. The first one that ends decides the call, and the others are cancelled. In the long run there is at most one such attempt for
    /// five calls. The attempts of a blocking call run on threads of the pool. 1 ms to an hour; null for never, the default.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">It is shorter or longer.</exception>
    public TimeSpan? HedgeAfter
    {
        get => _hedgeAfter;
        init => _hedgeAfter = value is null || (value >= TimeSpan.FromMilliseconds(1) && value <= TimeSpan.FromHours(1))
            ? value
            : throw new ArgumentOutOfRangeException(nameof(HedgeAfter), value, "calls are hedged after 1 ms to an hour");
    }

    IRepeater IRetries.Begin() => new Retrier(this);

    private static TimeSpan Checked(TimeSpan value, string name) =>
        value >= TimeSpan.Zero && value <= TimeSpan.FromHours(1) ? value : throw new ArgumentOutOfRangeException(name, value, "a delay is 0 to an hour");
}

public sealed partial record ClientOptions
{
    /// <summary>When and how often calls are repeated; null for never. Interceptors see a call once.</summary>
    public RetryPolicy? Retry { get => (RetryPolicy?)Retries; init => Retries = value; }
}

public abstract partial class Binding
{
    /// <summary>A binding that makes its calls over this one, and repeats them. It has a budget of its own; disposing it disposes this one.</summary>
    public Binding WithRetry(RetryPolicy policy)
    {
        ArgumentNullException.ThrowIfNull(policy);
        return new RetryingBinding(this, policy);
    }
}

/// <summary>Repeats the calls of a binding.</summary>
internal sealed partial class RetryingBinding(Binding inner, RetryPolicy policy) : Binding
{
    private readonly Retrier _retrier = new(policy);

    internal override TimeSpan? DefaultDeadline => inner.DefaultDeadline;

    public override TResult Call<TArguments, TResult>(Method<TArguments, TResult> method, TArguments arguments, CallOptions? options = null) =>
        _retrier.Call(inner, method, arguments, options);

    public override ValueTask<TResult> CallAsync<TArguments, TResult>(
        Method<TArguments, TResult> method, TArguments arguments, CallOptions? options = null, CancellationToken cancellationToken = default) =>
        _retrier.CallAsync(inner, method, arguments, options, cancellationToken);

    public override void Dispose() => inner.Dispose();

    public override ValueTask DisposeAsync() => inner.DisposeAsync();
}

/// <summary>A policy with its budget (CALL-25). Safe for any number of threads.</summary>
internal sealed class Retrier(RetryPolicy policy) : IRepeater
{
    private const int MaxTokens = 500;
    private const int Cost = 5;

    private readonly object _lock = new();
    private int _tokens = MaxTokens;

    public RetryPolicy Policy => policy;

    public TResult Call<TArguments, TResult>(Binding binding, Method<TArguments, TResult> method, TArguments arguments, CallOptions? options)
    {
        ArgumentNullException.ThrowIfNull(method);
        if (Hedges(method))
        {
            ValueTask<TResult> call = new HedgedCall<TArguments, TResult>(this, binding, method, arguments, options).RunAsync(waits: true, CancellationToken.None);
            // It has already waited.
            return call.IsCompleted ? call.GetAwaiter().GetResult() : call.AsTask().GetAwaiter().GetResult();
        }
        var attempts = new Attempts(this, binding, method.IsIdempotent, options);
        while (true)
        {
            TResult result;
            try
            {
                result = binding.Call(method, arguments, attempts.Options);
            }
            catch (Exception e)
            {
                attempts.Fail(e);
                while (attempts.Pause is > 0 and int milliseconds)
                {
                    Thread.Sleep(milliseconds);
                }
                attempts.Next();
                continue;
            }
            attempts.Succeed();
            return result;
        }
    }

    public async ValueTask<TResult> CallAsync<TArguments, TResult>(
        Binding binding, Method<TArguments, TResult> method, TArguments arguments, CallOptions? options, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(method);
        if (Hedges(method))
        {
            return await new HedgedCall<TArguments, TResult>(this, binding, method, arguments, options).RunAsync(waits: false, cancellation).ConfigureAwait(false);
        }
        var attempts = new Attempts(this, binding, method.IsIdempotent, options);
        while (true)
        {
            TResult result;
            try
            {
                result = await binding.CallAsync(method, arguments, attempts.Options, cancellation).ConfigureAwait(false);
            }
            catch (Exception e)
            {
                attempts.Fail(e);
                await PauseAsync(attempts, cancellation).ConfigureAwait(false);
                attempts.Next();
                continue;
            }
            attempts.Succeed();
            return result;
        }
    }

    /// <summary>Whether a call is repeated after an error (CALL-22).</summary>
    public static bool MayRepeat(CreoException error, bool isIdempotent) =>
        error.Code is ErrorCode.Unavailable or ErrorCode.Overloaded && (error.NotStarted || isIdempotent);

    /// <summary>The time before the next attempt, when so many were made (CALL-23, CALL-24).</summary>
    public TimeSpan Pause(CreoException error, int made)
    {
        TimeSpan delay = policy.BaseDelay * (1 << (made - 1));
        delay = delay < policy.MaxDelay ? delay : policy.MaxDelay;
        return (error.RetryAfter ?? TimeSpan.Zero) + (delay * Random.Shared.NextDouble());
    }

    /// <summary>What a call ends with after so many attempts (CALL-26). A failure that stays the same is thrown here.</summary>
    public static Exception Last(Exception failure, int made, bool mayHaveStarted)
    {
        if (made == 1 || failure is not CreoException error)
        {
            ExceptionDispatchInfo.Throw(failure);
            return failure;
        }
        error = error.With("attempts", made.ToString(CultureInfo.InvariantCulture));
        return mayHaveStarted ? error.Without("started") : error;
    }

    /// <summary>Pays for a repetition or a hedge; false if there are too few tokens.</summary>
    public bool Take()
    {
        lock (_lock)
        {
            bool suffices = _tokens >= Cost;
            _tokens -= suffices ? Cost : 0;
            return suffices;
        }
    }

    /// <summary>Returns tokens after a success.</summary>
    public void Give(bool wasRepeated)
    {
        lock (_lock)
        {
            _tokens = Math.Min(MaxTokens, _tokens + (wasRepeated ? Cost : 1));
        }
    }

    private bool Hedges<TArguments, TResult>(Method<TArguments, TResult> method) =>
        policy is { HedgeAfter: not null, Attempts: > 1 } && method is { IsIdempotent: true, IsOneway: false };

    private static async ValueTask PauseAsync(Attempts attempts, CancellationToken cancellation)
    {
        try
        {
            while (attempts.Pause is > 0 and int milliseconds)
            {
                await Task.Delay(milliseconds, cancellation).ConfigureAwait(false);
            }
            cancellation.ThrowIfCancellationRequested();
        }
        catch (OperationCanceledException e)
        {
            attempts.Deliver();
            throw new OperationCanceledException("the call was cancelled", e, cancellation);
        }
    }
}

/// <summary>The attempts of one call.</summary>
internal sealed class Attempts(Retrier retrier, Binding binding, bool isIdempotent, CallOptions? options) : RepeatedCall(options)
{
    private int _made = 1;
    private bool _mayHaveStarted;
    private CreoException? _last;
    private long _failed;
    private TimeSpan _pause;

    /// <summary>The milliseconds until the next attempt; 0 if it is time.</summary>
    public int Pause => (int)Math.Max(0, Math.Ceiling((_pause - Stopwatch.GetElapsedTime(_failed)).TotalMilliseconds));

    public void Succeed()
    {
        retrier.Give(_made > 1);
        Deliver();
    }

    /// <summary>An attempt has failed; ends the call unless it is to be repeated.</summary>
    public void Fail(Exception failure)
    {
        if (failure is DeclaredException)
        {
            retrier.Give(_made > 1);
        }
        if (failure is ObjectDisposedException && _last is not null)
        {
            // The binding was disposed during the call: the error of that is the attempt's before.
            End(_last);
        }
        if (failure is not CreoException error || !IsRepeated(error))
        {
            End(failure);
            return;
        }
        _last = error;
        _mayHaveStarted |= !error.NotStarted;
    }

    /// <summary>The pause is over.</summary>
    public void Next()
    {
        TimeSpan? left = Left(binding);
        if (left <= TimeSpan.Zero)
        {
            End(_last!);
        }
        Again(left);
        _made++;
    }

    private bool IsRepeated(CreoException error)
    {
        if (!Retrier.MayRepeat(error, isIdempotent) || _made >= retrier.Policy.Attempts)
        {
            return false;
        }
        _failed = Stopwatch.GetTimestamp();
        _pause = retrier.Pause(error, _made);
        return !(Left(binding) <= _pause) && retrier.Take();
    }

    private void End(Exception failure)
    {
        Deliver();
        throw Retrier.Last(failure, _made, _mayHaveStarted);
    }
}
