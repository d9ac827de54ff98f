using System.Threading;

namespace Creo;

internal sealed partial class RetryingBinding
{
    // CALL-45: a call with streams is not repeated.
    internal override StreamCall<TReceived, TResult> Stream<TArguments, TSent, TReceived, TResult>(
        StreamMethod<TArguments, TSent, TReceived, TResult> method, TArguments arguments, ItemSource<TSent> source, CallOptions? options, CancellationToken cancellation) =>
        inner.Stream(method, arguments, source, options, cancellation);
}
