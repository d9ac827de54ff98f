using System;
using System.Threading;
using System.Threading.Tasks;

namespace Creo.Jms;

/// <summary>Waits on the calling thread, or asynchronously.</summary>
internal static class Either
{
    /// <summary>Waits for a task. If <paramref name="waits"/>, the task has ended when this returns, so awaiting it does not block.</summary>
    public static ValueTask On(Task task, bool waits, CancellationToken cancellation)
    {
        if (!waits)
        {
            return new ValueTask(task.WaitAsync(cancellation));
        }
        try
        {
            task.Wait(cancellation);
        }
        catch (AggregateException)
        {
            // Awaiting the task throws its original failure.
        }
        return new ValueTask(task);
    }
}
