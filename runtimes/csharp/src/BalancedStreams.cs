using System;
using System.Threading;
using System.Threading.Tasks;

namespace Creo;

public sealed partial class BalancedBinding
{
    internal override StreamCall<TReceived, TResult> Stream<TArguments, TSent, TReceived, TResult>(
        StreamMethod<TArguments, TSent, TReceived, TResult> method, TArguments arguments, ItemSource<TSent> source, CallOptions? options, CancellationToken cancellation) =>
        new BalancedStream<TArguments, TSent, TReceived, TResult>(this, method, arguments, source, options, cancellation);

    /// <summary>A call with streams. It counts as under way at its address until its end (CALL-43).</summary>
    private sealed class BalancedStream<TArguments, TSent, TReceived, TResult>(
        BalancedBinding owner,
        StreamMethod<TArguments, TSent, TReceived, TResult> method,
        TArguments arguments,
        ItemSource<TSent> source,
        CallOptions? options,
        CancellationToken cancellation) : StreamCall<TReceived, TResult>
    {
        private readonly Placing _placing = new(owner, options, isStream: true);
        private StreamCall<TReceived, TResult>? _call;
        private bool _hasBegun;
        private bool _isOver;

        // Items were given on, which another address would give again.
        private bool _hasItems;

        public override bool Next()
        {
            if (!_hasBegun)
            {
                _placing.Begin();
                _hasBegun = true;
            }
            while (true)
            {
                try
                {
                    return Came(Open().Next());
                }
                catch (Exception e)
                {
                    Fail(e);
                }
            }
        }

        public override async ValueTask<bool> NextAsync()
        {
            if (!_hasBegun)
            {
                await _placing.BeginAsync(cancellation).ConfigureAwait(false);
                _hasBegun = true;
            }
            while (true)
            {
                try
                {
                    return Came(await Open().NextAsync().ConfigureAwait(false));
                }
                catch (Exception e)
                {
                    Fail(e);
                }
            }
        }

        public override void Dispose()
        {
            _call?.Dispose();
            if (_hasBegun && !_isOver)
            {
                _isOver = true;
                _placing.End(new OperationCanceledException());
            }
        }

        private StreamCall<TReceived, TResult> Open() => _call ??= _placing.Binding.Stream(method, arguments, source, _placing.Options, cancellation);

        private bool Came(bool hasItems)
        {
            Items = _call!.Items;
            _hasItems |= hasItems;
            if (!hasItems)
            {
                Result = _call.Result;
                _isOver = true;
                _placing.Succeed();
            }
            return hasItems;
        }

        // CALL-45
        private void Fail(Exception failure)
        {
            (_call, _isOver) = (null, true);
            _placing.Fail(failure, mayMove: !source.IsTaken && !_hasItems);
            _isOver = false;
        }
    }
}
