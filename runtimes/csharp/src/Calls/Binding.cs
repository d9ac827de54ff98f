using System;
using System.Threading;
using System.Threading.Tasks;

namespace Creo;

/// <summary>A wire on a transport to one address, over which generated clients call methods. Safe for any number of threads and calls.</summary>
public abstract class Binding : IDisposable, IAsyncDisposable
{
    /// <summary>Calls a method and waits for its answer on the caller's thread.</summary>
    /// <exception cref="DeclaredException">An exception that the method declares.</exception>
    /// <exception cref="CreoException">Any other failure.</exception>
    public abstract TResult Call<TArguments, TResult>(Method<TArguments, TResult> method, TArguments arguments, CallOptions? options = null);

    /// <summary>Calls a method; the answer comes without a thread that waits for it.</summary>
    /// <inheritdoc cref="Call"/>
    /// <exception cref="OperationCanceledException">The token was cancelled; the service is told.</exception>
    public abstract ValueTask<TResult> CallAsync<TArguments, TResult>(
        Method<TArguments, TResult> method, TArguments arguments, CallOptions? options = null, CancellationToken cancellationToken = default);

    /// <summary>Calls a method that has no result.</summary>
    /// <inheritdoc cref="CallAsync"/>
    public async ValueTask RunAsync<TArguments>(
        Method<TArguments, Unit> method, TArguments arguments, CallOptions? options = null, CancellationToken cancellationToken = default) =>
        await CallAsync(method, arguments, options, cancellationToken).ConfigureAwait(false);

    /// <summary>Closes the connections; calls under way end with <c>unavailable</c>.</summary>
    public abstract void Dispose();

    /// <inheritdoc cref="Dispose"/>
    public virtual ValueTask DisposeAsync()
    {
        Dispose();
        return ValueTask.CompletedTask;
    }
}
