using System;
using System.Threading;
using System.Threading.Tasks;
using Creo.Net;
using Creo.Tcp;

namespace Creo;

public sealed partial class TcpBinding
{
    internal override StreamCall<TReceived, TResult> Stream<TArguments, TSent, TReceived, TResult>(
        StreamMethod<TArguments, TSent, TReceived, TResult> method, TArguments arguments, ItemSource<TSent> source, CallOptions? options, CancellationToken cancellation)
    {
        ObjectDisposedException.ThrowIf(_disposed.IsCancellationRequested, this);
        if (_wire is not null)
        {
            throw NoStreams(method, options);
        }
        return source.IsBlocking
            ? new BlockingStream<TArguments, TSent, TReceived, TResult>(this, method, arguments, source, options)
            : new SharedStream<TArguments, TSent, TReceived, TResult>(this, method, arguments, source, options, cancellation);
    }

    /// <summary>Begins a call with streams on the shared connection.</summary>
    internal async ValueTask<(SharedConnection Connection, PendingCall Call)> OpenAsync<TArguments, TResult>(
        Method<TArguments, TResult> method, Outgoing request, ItemFlow flow, CallOptions? options, Deadline deadline, CancellationToken cancellation)
    {
        for (int connections = 1; ; connections++)
        {
            SharedConnection connection = await ShareAsync(cancellation).ConfigureAwait(false);
            options?.Reached(_dialer.Address);
            if (connections == 1)
            {
                ShowRequest(method, request, options, deadline);
            }
            try
            {
                return (connection, await connection.OpenAsync(request, flow, Options.CompressFrom, deadline, cancellation).ConfigureAwait(false));
            }
            catch (DrainedException e)
            {
                if (connections == MaxConnections)
                {
                    throw e.Reason.Unsent();
                }
            }
        }
    }
}
