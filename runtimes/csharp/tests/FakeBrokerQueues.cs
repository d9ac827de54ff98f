using Creo.Jms;

namespace Creo.Tests;

// Queues of single calls.
public sealed partial class FakeBroker
{
    // Its handle of a queue is that of the client and this.
    private const uint QueueHandles = 20;

    /// <summary>Reads until a frame of a kind, and keeps what else comes.</summary>
    internal byte[] Await(ulong kind)
    {
        while (true)
        {
            byte[] frame = ReadFrame();
            ulong found = new AmqpReader(frame).ReadDescriptor();
            if (found == kind)
            {
                return frame;
            }
            if (found == Amqp.Disposition)
            {
                Keep(frame);
            }
            else if (found == Amqp.Transfer)
            {
                // A message may overtake what is not about its link.
                _early.Enqueue(frame);
            }
        }
    }

    /// <summary>Creates the next queue that the client asks for, or refuses it; its handle, which the client knows as <see cref="HandleOf"/>.</summary>
    public uint CreateQueue(bool isRefused = false)
    {
        var reader = new AmqpReader(Await(Amqp.Attach));
        reader.ReadDescriptor();
        reader.BeginList();
        string name = reader.ReadText(1000)!;
        uint handle = reader.ReadUInt()!.Value;
        Assert.Equal(true, reader.ReadBoolean(), "receiver");
        Send(writer =>
        {
            writer.Begin(Amqp.Attach);
            writer.Text(name);
            writer.UInt(handle + QueueHandles);
            writer.Boolean(false);
            writer.Null();
            writer.Null();
            if (isRefused)
            {
                writer.Null();
            }
            else
            {
                writer.Begin(Amqp.Source);
                writer.Text($"queue-{handle}");
                writer.End();
            }
            writer.Begin(Amqp.Target);
            writer.Text("a target");
            writer.End();
            writer.Null();
            writer.Null();
            writer.UInt(0);
            writer.End();
        });
        return handle + QueueHandles;
    }

    /// <summary>The client's handle of a queue.</summary>
    public static uint HandleOf(uint queue) => queue - QueueHandles;

    /// <summary>Reads until the client deletes a queue, and agrees.</summary>
    public void AwaitDelete(uint queue)
    {
        var reader = new AmqpReader(Await(Amqp.Detach));
        reader.ReadDescriptor();
        reader.BeginList();
        Assert.Equal(HandleOf(queue), reader.ReadUInt(), "handle");
        Assert.Equal(true, reader.ReadBoolean(), "closed");
        Send(writer =>
        {
            writer.Begin(Amqp.Detach);
            writer.UInt(queue);
            writer.Boolean(true);
            writer.End();
        });
    }
}
