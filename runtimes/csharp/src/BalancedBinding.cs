using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.ExceptionServices;
using System.Threading;
using System.Threading.Tasks;

namespace Creo;

/// <summary>Distributes calls over several addresses of hosts that serve the same, with bindings of any kind (CALL-30 to CALL-38).</summary>
/// <remarks>
/// A call goes to one of the addresses, and at once to another one if it has certainly not begun there. An address that fails gets no calls for a while.
/// With <c>WithRetry</c>, calls are also repeated.
/// </remarks>
public sealed partial class BalancedBinding : Binding
{
    // The max number of addresses that an error names besides the last one.
    private const int MaxNamed = 8;

    private readonly Balancer _balancer;
    private readonly Func<CancellationToken, ValueTask<IReadOnlyList<string>>>? _resolver;
    private readonly CancellationTokenSource _disposed = new();
    private readonly object _lock = new();
    private Task<Exception?>? _asking;

    /// <summary>A binding to a list of addresses.</summary>
    /// <param name="addresses">Texts that <paramref name="open"/> understands.</param>
    /// <param name="open">Makes the binding of an address when the first call goes there, and must not wait. This binding disposes it.</param>
    /// <param name="options">The options; null for the default.</param>
    /// <exception cref="ArgumentException">There are no addresses.</exception>
    public BalancedBinding(IReadOnlyList<string> addresses, Func<string, Binding> open, BalancingOptions? options = null)
        : this(open, options)
    {
        ArgumentNullException.ThrowIfNull(addresses);
        _balancer.Replace(addresses);
    }

    /// <summary>A binding to the addresses that a resolver gives.</summary>
    /// <param name="resolver">
    /// Is asked with the first call, which waits for it, and later without a call that waits (<see cref="BalancingOptions.Refresh"/>). If it fails or gives
    /// nothing, the addresses stay the same. Disposing cancels its token.
    /// </param>
    /// <param name="open">Makes the binding of an address when the first call goes there, and must not wait. This binding disposes it.</param>
    /// <param name="options">The options; null for the default.</param>
    public BalancedBinding(Func<CancellationToken, ValueTask<IReadOnlyList<string>>> resolver, Func<string, Binding> open, BalancingOptions? options = null)
        : this(open, options)
    {
        ArgumentNullException.ThrowIfNull(resolver);
        _resolver = resolver;
    }

    private BalancedBinding(Func<string, Binding> open, BalancingOptions? options)
    {
        ArgumentNullException.ThrowIfNull(open);
        _balancer = new Balancer(options ?? BalancingOptions.Default, open);
    }

    internal override TimeSpan? DefaultDeadline => _balancer.AnyBinding?.DefaultDeadline;

    /// <inheritdoc/>
    public override TResult Call<TArguments, TResult>(Method<TArguments, TResult> method, TArguments arguments, CallOptions? options = null)
    {
        var placing = new Placing(this, options);
        placing.Begin();
        while (true)
        {
            TResult result;
            try
            {
                result = placing.Binding.Call(method, arguments, placing.Options);
            }
            catch (Exception e)
            {
                placing.Fail(e);
                continue;
            }
            placing.Succeed();
            return result;
        }
    }

    /// <inheritdoc/>
    public override async ValueTask<TResult> CallAsync<TArguments, TResult>(
        Method<TArguments, TResult> method, TArguments arguments, CallOptions? options = null, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var placing = new Placing(this, options);
        await placing.BeginAsync(cancellationToken).ConfigureAwait(false);
        while (true)
        {
            TResult result;
            try
            {
                result = await placing.Binding.CallAsync(method, arguments, placing.Options, cancellationToken).ConfigureAwait(false);
            }
            catch (Exception e)
            {
                placing.Fail(e);
                continue;
            }
            placing.Succeed();
            return result;
        }
    }

    /// <inheritdoc/>
    public override void Dispose()
    {
        _disposed.Cancel();
        _balancer.Dispose();
    }

    // Asks the resolver if it is time. Returns what a call has to wait for; null if there are addresses.
    private Task<Exception?>? Ask()
    {
        if (_resolver is null)
        {
            return null;
        }
        lock (_lock)
        {
            if (_asking is null or { IsCompleted: true } && _balancer.IsDue())
            {
                // Not on the thread of the call, which the resolver could block.
                _asking = Task.Run(AskAsync);
            }
            return _balancer.HasPlaces ? null : _asking;
        }
    }

    private async Task<Exception?> AskAsync()
    {
        try
        {
            _balancer.Replace(await _resolver!(_disposed.Token).AsTask().WaitAsync(_disposed.Token).ConfigureAwait(false));
            return null;
        }
        catch (Exception e)
        {
            return e;
        }
    }

    /// <summary>One call, and the addresses that it was sent to.</summary>
    /// <param name="owner">The binding.</param>
    /// <param name="options">The options of the call.</param>
    /// <param name="isStream">Whether the call has streams: it then has no deadline unless its options set one (CALL-44).</param>
    private sealed class Placing(BalancedBinding owner, CallOptions? options, bool isStream = false) : RepeatedCall(options)
    {
        private readonly Balancer _balancer = owner._balancer;
        private List<BalancedPlace> _tried = [];
        private Visit _visit;

        public Binding Binding => _visit.Binding;

        // How long to wait for the first addresses.
        private TimeSpan Wait => Left(null) is { } left ? (left > TimeSpan.Zero ? left : TimeSpan.Zero) : Timeout.InfiniteTimeSpan;

        /// <summary>Waits for the first addresses, if there are none yet, and chooses one.</summary>
        public void Begin()
        {
            if (owner.Ask() is { } asking)
            {
                asking.Wait(Wait);
                Resolved(asking);
            }
            Choose();
        }

        /// <summary>Waits for the first addresses, if there are none yet, and chooses one.</summary>
        public async ValueTask BeginAsync(CancellationToken cancellation)
        {
            if (owner.Ask() is { } asking)
            {
                try
                {
                    await asking.WaitAsync(Wait, cancellation).ConfigureAwait(false);
                }
                catch (TimeoutException)
                {
                    // The call says so.
                }
                Resolved(asking);
            }
            Choose();
        }

        // The first addresses have come, or not.
        private void Resolved(Task<Exception?> asking)
        {
            TimeSpan? left = Left(null);
            if (!asking.IsCompleted || left <= TimeSpan.Zero)
            {
                throw new CreoException(ErrorCode.DeadlineExceeded, "the time for the call was over before the resolver gave addresses").Unsent();
            }
            if (asking.Result is { } problem)
            {
                string text = owner._disposed.IsCancellationRequested ? "the client was closed" : $"the resolver gave no addresses: {problem.Message}";
                throw new CreoException(ErrorCode.Unavailable, text, problem).Unsent();
            }
            Again(left);
        }

        // There is an address: they are replaced, never removed.
        private void Choose() => _visit = _balancer.Choose(_tried, Options?.Taken)!.Value;

        public void Succeed()
        {
            _balancer.End(_visit, null);
            Deliver();
        }

        /// <summary>The call has ended, and the program knows how.</summary>
        public void End(Exception failure) => _balancer.End(_visit, failure);

        /// <summary>The call has failed at an address; ends it unless it goes to another one (CALL-32).</summary>
        /// <param name="failure">The failure.</param>
        /// <param name="mayMove">Whether it may go there.</param>
        public void Fail(Exception failure, bool mayMove = true)
        {
            _balancer.End(_visit, failure);
            bool isUnplaced = Balancer.IsUnplaced(failure);
            TimeSpan? left = Left(isStream ? null : Binding);
            if (mayMove && isUnplaced && !(left <= TimeSpan.Zero) && _balancer.Choose([.. _tried, _visit.Place], Options?.Taken) is { } other)
            {
                _tried = [.. _tried, _visit.Place];
                _visit = other;
                Again(left);
                return;
            }
            Deliver();
            if (_tried.Count > 0 && failure is CreoException error && (isUnplaced || !error.FromPeer))
            {
                // CALL-38. A call goes elsewhere after this error alone.
                string word = ErrorCodes.Word(ErrorCode.Unavailable);
                throw error.Adding("; also tried: " + string.Join(", ", _tried.Take(MaxNamed).Select(place => $"{place.Address} ({word})")));
            }
            ExceptionDispatchInfo.Throw(failure);
        }
    }
}
