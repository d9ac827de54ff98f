// What fails where nobody waits is traced in every build.
#define TRACE

using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Threading;
using System.Threading.Tasks;

namespace Creo;

/// <summary>Sees each call of a client, on any thread: to add metadata, to refuse calls, to log, to measure, to trace.</summary>
public interface IInterceptor
{
    /// <summary>A call begins: nothing of it is written yet, and no connection is opened for it. What this throws ends the call, and nothing is sent.</summary>
    /// <returns>What runs once at the end, however the call ends; null if it does not matter. A failure there is traced and changes nothing.</returns>
    Action<Outcome>? Begin(OutgoingCall call);
}

/// <summary>A call as interceptors see it when it begins.</summary>
public sealed partial class OutgoingCall
{
    private readonly ClientOptions _client;
    private readonly long _start = Stopwatch.GetTimestamp();
    private readonly List<Action<Outcome>> _ends = [];
    private readonly TimeSpan? _defaultDeadline;
    private CallOptions _options;

    internal OutgoingCall(ClientOptions client, string service, string method, CallOptions? options, TimeSpan? defaultDeadline)
    {
        _client = client;
        _defaultDeadline = defaultDeadline;
        Interface = service;
        Method = method;
        options ??= new CallOptions();
        _options = options with
        {
            Deadline = options.Deadline ?? defaultDeadline,
            Metadata = CallOptions.Merge(client.Metadata, options.Metadata),
            Headers = CallOptions.MergeHeaders(client.Headers, options.Headers),
        };
    }

    /// <summary>The full name of the interface.</summary>
    public string Interface { get; }

    /// <summary>The name of the method in the description.</summary>
    public string Method { get; }

    /// <summary>
    /// The options of this call, those of its client included; an interceptor may replace them for this call. The deadline counts from the beginning of
    /// the call.
    /// </summary>
    public CallOptions Options
    {
        get => _options;
        set => _options = value ?? throw new ArgumentNullException(nameof(value));
    }

    /// <summary>What came with the answer.</summary>
    internal Answer? Answer { get; set; }

    /// <summary>Whether an interceptor sees the end.</summary>
    internal bool WantsAnswer => _ends.Count > 0;

    /// <summary>The address that was reached.</summary>
    internal string? Peer { get; set; }

    /// <summary>Tells the beginning, and answers the options to make the call with.</summary>
    internal CallOptions Begin()
    {
        foreach (IInterceptor interceptor in _client.Interceptors ?? [])
        {
            if (interceptor.Begin(this) is { } end)
            {
                _ends.Add(end);
            }
        }
        TimeSpan? left = (_options.Deadline ?? _defaultDeadline) - Stopwatch.GetElapsedTime(_start);
        return left <= TimeSpan.Zero
            ? throw new CreoException(ErrorCode.DeadlineExceeded, "the time for the call was over before anything was sent")
            : _options with { Deadline = left, Call = this };
    }

    /// <summary>Tells the end.</summary>
    internal void End(Exception? failure)
    {
        if (_ends.Count == 0)
        {
            return;
        }
        var outcome = new Outcome { Failure = failure, Elapsed = Stopwatch.GetElapsedTime(_start), Peer = Peer, Answer = Answer };
        for (int i = _ends.Count - 1; i >= 0; i--)
        {
            try
            {
                _ends[i](outcome);
            }
            catch (Exception e)
            {
                Trace.TraceError(CreoException.Printable($"creo: an interceptor failed at the end of {Interface}.{Method}: {e.GetType()}: {e.Message}"));
            }
        }
    }
}

/// <summary>What came of a call: a result, a declared exception, or an error with its code (CALL-15).</summary>
public sealed record Outcome
{
    /// <summary>What the caller catches; null for a result.</summary>
    public Exception? Failure { get; init; }

    /// <summary>The code of an error; null for a result and for a declared exception.</summary>
    public ErrorCode? Code => Failure switch
    {
        null or DeclaredException => null,
        CreoException error => error.Code,
        OperationCanceledException => ErrorCode.Cancelled,
        _ => ErrorCode.Internal,
    };

    /// <summary>The time from the beginning to the end.</summary>
    public TimeSpan Elapsed { get; init; }

    /// <summary>The address of the peer; null if none was reached.</summary>
    public string? Peer { get; init; }

    /// <summary>What came with the answer; null if none came.</summary>
    public Answer? Answer { get; init; }

    /// <summary>The outcome in a word: <c>result</c>, the name of the exception, or the code.</summary>
    public override string ToString() => Code is { } code ? ErrorCodes.Word(code) : Failure?.GetType().Name ?? "result";
}

public sealed partial record ClientOptions
{
    /// <summary>How calls are repeated: a <c>RetryPolicy</c>, which some copies of the runtime do not have; null for never.</summary>
    internal IRetries? Retries { get; init; }
}

/// <summary>A policy of repetitions.</summary>
internal interface IRetries
{
    /// <summary>What follows it for a binding.</summary>
    IRepeater Begin();
}

/// <summary>Makes the calls of a binding as often as is needed. Safe for any number of threads.</summary>
internal interface IRepeater
{
    TResult Call<TArguments, TResult>(Binding binding, Method<TArguments, TResult> method, TArguments arguments, CallOptions? options);

    ValueTask<TResult> CallAsync<TArguments, TResult>(
        Binding binding, Method<TArguments, TResult> method, TArguments arguments, CallOptions? options, CancellationToken cancellation);
}

public abstract partial class Binding
{
    private IRepeater? _repeater;

    /// <summary>The time for a call whose options set none; null for no limit.</summary>
    internal virtual TimeSpan? DefaultDeadline => null;

    /// <summary>The options whose interceptors see the calls; null for a binding over others, which see them.</summary>
    internal virtual ClientOptions? Client => null;

    /// <summary>Whether a call is to be made by <see cref="Intercept"/>: it has interceptors or a policy, and has not begun.</summary>
    private protected static bool Intercepts(ClientOptions client, CallOptions? options) =>
        options?.Call is null && (client.Retries is not null || client.Interceptors is { Count: > 0 });

    // Interceptors see a call first, then it is made again with the options that they leave, once for each attempt: those name the call, so they see it once.
    private protected TResult Intercept<TArguments, TResult>(ClientOptions client, Method<TArguments, TResult> method, TArguments arguments, CallOptions? options)
    {
        ArgumentNullException.ThrowIfNull(method);
        var call = new OutgoingCall(client, method.Service.Name, method.Name, options, client.Limits.Deadline);
        Exception? failure = null;
        try
        {
            CallOptions begun = call.Begin();
            return RepeaterOf(client) is { } repeater ? repeater.Call(this, method, arguments, begun) : Call(method, arguments, begun);
        }
        catch (Exception e)
        {
            failure = e;
            throw;
        }
        finally
        {
            call.End(failure);
        }
    }

    private protected async ValueTask<TResult> InterceptAsync<TArguments, TResult>(
        ClientOptions client, Method<TArguments, TResult> method, TArguments arguments, CallOptions? options, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(method);
        var call = new OutgoingCall(client, method.Service.Name, method.Name, options, client.Limits.Deadline);
        Exception? failure = null;
        try
        {
            CallOptions begun = call.Begin();
            return await (RepeaterOf(client) is { } repeater
                ? repeater.CallAsync(this, method, arguments, begun, cancellation)
                : CallAsync(method, arguments, begun, cancellation)).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            failure = e;
            throw;
        }
        finally
        {
            call.End(failure);
        }
    }

    private IRepeater? RepeaterOf(ClientOptions client) =>
        client.Retries is null ? null : _repeater ?? Interlocked.CompareExchange(ref _repeater, client.Retries.Begin(), null) ?? _repeater;
}
