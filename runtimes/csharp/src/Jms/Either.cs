using System;
using System.Threading;
using System.Threading.Tasks;

namespace Creo.Jms;

/// <summary>Waits in one of two ways: on the calling thread, or without one.</summary>
internal static class Either
{
    /// <summary>Waits for a task. If the thread waits, the task has ended when this returns, and so awaiting it goes on at once.</summary>
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
            // Whoever awaits the task has the failure as it is.
        }
        return new ValueTask(task);
    }
}
