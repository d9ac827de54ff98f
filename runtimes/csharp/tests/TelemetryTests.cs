using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Diagnostics.Metrics;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Threading;
using System.Threading.Tasks;

namespace Creo.Tests;

/// <summary>Activities and metrics of a client (CALL-70 to CALL-78).</summary>
public static class TelemetryTests
{
    private static readonly ClientOptions Traced = new() { Interceptors = [new ClientTelemetry()] };

    /// <summary>What the source and the meter give while this is there.</summary>
    private sealed class Listener : IDisposable
    {
        private readonly ActivityListener _activities;
        private readonly MeterListener _meters = new();

        public Listener(Action<Activity>? started = null)
        {
            _activities = new ActivityListener
            {
                ShouldListenTo = static source => source.Name == ClientTelemetry.Name,
                Sample = static (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllDataAndRecorded,
                ActivityStarted = started,
                ActivityStopped = Ended.Add,
            };
            ActivitySource.AddActivityListener(_activities);
            _meters.InstrumentPublished = static (instrument, listener) =>
            {
                if (instrument.Meter.Name == ClientTelemetry.Name)
                {
                    Assert.Equal("rpc.client.call.duration s", $"{instrument.Name} {instrument.Unit}");
                    listener.EnableMeasurementEvents(instrument);
                }
            };
            _meters.SetMeasurementEventCallback<double>((_, value, tags, _) =>
            {
                Assert.True(value is > 0 and < 60, $"{value} s");
                Measured.Add(Shown(tags.ToArray()));
            });
            _meters.Start();
        }

        public List<Activity> Ended { get; } = [];

        public List<string> Measured { get; } = [];

        public void Dispose()
        {
            _activities.Dispose();
            _meters.Dispose();
        }
    }

    private static string Shown(IEnumerable<KeyValuePair<string, object?>> tags) =>
        string.Join(" ", tags.OrderBy(static tag => tag.Key, StringComparer.Ordinal).Select(static tag => $"{tag.Key}={tag.Value}"));

    private static string Tags(string method, int port, string more = "") =>
        $"{more}rpc.method=test.Sample/{method}{{0}} rpc.system.name=creo server.address=127.0.0.1 server.port={port}";

    // CALL-70, CALL-72 to CALL-75.
    [Test]
    public static async Task EachCallIsAnActivity()
    {
        foreach (bool waiting in new[] { true, false })
        {
            using var listener = new Listener();
            var sent = new List<byte[]>();
            using var server = new FakeServer(session =>
            {
                session.Greet();
                foreach ((byte kind, byte[] body) in new (byte, byte[])[] { (2, [1, 7]), (3, [0, 2, .. "no"u8]), (4, [10, 0, 0]) })
                {
                    Frame frame = session.ReadFrame();
                    sent.Add(frame.Rest[12..]);
                    session.SendFrame(kind, 0, frame.Call, body);
                }
                session.ReadToEnd();
            });
            using var outer = new Activity("outer") { TraceStateString = "vendor=7" };
            outer.SetIdFormat(ActivityIdFormat.W3C).Start();
            using TcpBinding client = server.Client(Traced);
            var caller = new CallTests.Caller(client, waiting);
            var own = new CallOptions { Metadata = new Dictionary<string, string> { ["traceparent"] = "00-1" } };
            Assert.Equal([7], await caller.Call(SampleMethods.Echo, [], own));
            Assert.True(ReferenceEquals(outer, Activity.Current), "the caller's activity stays current");
            await Assert.ThrowsAsync<NotFoundException>(() => caller.Call(SampleMethods.Find, "x"));
            await caller.Fails(ErrorCode.PermissionDenied, SampleMethods.Echo, []);
            Assert.True(ReferenceEquals(outer, Activity.Current), "the caller's activity stays current");
            client.Dispose();
            server.Join();
            outer.Stop();

            Assert.Equal("test.Sample/echo test.Sample/find test.Sample/echo", string.Join(" ", listener.Ended.Select(static activity => activity.OperationName)));
            for (int i = 0; i < sent.Count; i++)
            {
                Activity activity = listener.Ended[i];
                Assert.Equal(ActivityKind.Client, activity.Kind);
                Assert.Equal(outer.SpanId, activity.ParentSpanId);
                Assert.Equal(outer.TraceId, activity.TraceId);
                byte[] expected = [.. AnswerTests.Metadata(("traceparent", activity.Id!), ("tracestate", "vendor=7"))];
                Assert.Bytes(Convert.ToHexString(expected).ToLowerInvariant(), sent[i].AsSpan(0, expected.Length));
            }
            Assert.Equal("Unset Unset Error", string.Join(" ", listener.Ended.Select(static activity => activity.Status)));
            string[] shown =
            [
                string.Format(null, Tags("echo", server.Port), ""),
                string.Format(null, Tags("find", server.Port, "creo.exception=NotFoundException "), ""),
                string.Format(null, Tags("echo", server.Port, "error.type=permission-denied "), " rpc.response.status_code=permission-denied"),
            ];
            Assert.Equal(string.Join("\n", shown), string.Join("\n", listener.Ended.Select(static activity => Shown(activity.TagObjects))));
            Assert.Equal(string.Join("\n", shown), string.Join("\n", listener.Measured));
        }
    }

    // HTTP-8: the pair is the header of its name, whatever the platform's own client traces.
    [Test]
    public static async Task OverHttpTheContextIsAHeader()
    {
        using var listener = new Listener();
        using var server = new FakeHttp(_ => FakeHttp.Answer(200, "application/json", "\"AAE=\""));
        using var client = new JsonBinding(server.Url, Traced);
        using var outer = new Activity("outer");
        outer.SetIdFormat(ActivityIdFormat.W3C).Start();
        foreach (bool waiting in new[] { true, false })
        {
            await new CallTests.Caller(client, waiting).Call(SoapTests.Echo, (null, new byte[] { 1 }));
            Activity activity = listener.Ended[^1];
            Assert.Contains($"traceparent: {activity.Id}\r\n", server.Heads[^1]);
            Assert.Equal(outer.SpanId, activity.ParentSpanId);
            Assert.Equal($"127.0.0.1 {new Uri(server.Url).Port}", $"{activity.GetTagItem("server.address")} {activity.GetTagItem("server.port")}");
        }
    }

    // Nothing is made, but a context that is there goes on.
    [Test]
    public static async Task WithoutAListenerTheCurrentContextIsSent()
    {
        using var outer = new Activity("outer");
        outer.SetIdFormat(ActivityIdFormat.W3C);
        using var server = new FakeServer(session =>
        {
            session.Greet();
            Frame first = session.ReadFrame();
            Assert.Equal(0, (int)first.Flags);
            session.SendFrame(2, 0, first.Call, 1, 7);
            Frame second = session.ReadFrame();
            byte[] expected = [.. AnswerTests.Metadata(("traceparent", outer.Id!))];
            Assert.Bytes(Convert.ToHexString(expected).ToLowerInvariant(), second.Rest.AsSpan(12, expected.Length));
            session.SendFrame(2, 0, second.Call, 1, 7);
            session.ReadToEnd();
        });
        using TcpBinding client = server.Client(Traced);
        Assert.Equal([7], await client.CallAsync(SampleMethods.Echo, []));
        outer.Start();
        Assert.Equal([7], await client.CallAsync(SampleMethods.Echo, []));
        client.Dispose();
    }

    [Test]
    public static async Task WhereNobodyListensThereIsNoAddress()
    {
        using var listener = new Listener();
        using var dead = new DeadPort();
        using var client = new TcpBinding("127.0.0.1", dead.Number, Traced);
        await new CallTests.Caller(client, false).Fails(ErrorCode.Unavailable, SampleMethods.Echo, []);
        Assert.Equal(
            "error.type=unavailable rpc.method=test.Sample/echo rpc.response.status_code=unavailable rpc.system.name=creo", Shown(listener.Ended.Single().TagObjects));
    }

    [Test]
    public static async Task ACancelledCallEndsItsActivity()
    {
        using var listener = new Listener();
        using var cancelling = new CancellationTokenSource();
        using var server = new FakeServer(session =>
        {
            session.Greet().ReadFrame();
            _ = cancelling.CancelAsync();
            session.ReadToEnd();
        });
        using TcpBinding client = server.Client(Traced);
        await Assert.ThrowsAsync<OperationCanceledException>(async () => await client.CallAsync(SampleMethods.Echo, [], null, cancelling.Token));
        client.Dispose();
        Assert.Equal("cancelled", (string)listener.Ended.Single().GetTagItem("error.type")!);
    }

    // CALL-78: the call goes on, and the failure is traced without control characters.
    [Test]
    public static async Task TelemetryThatFailsChangesNothing()
    {
        var log = new StringWriter();
        using var text = new TextWriterTraceListener(log);
        Trace.Listeners.Add(text);
        try
        {
            using var listener = new Listener(static _ => throw new InvalidDataException("bad\u001b[31m"));
            using var server = new FakeServer(session =>
            {
                Frame frame = session.Greet().ReadFrame();
                session.SendFrame(2, 0, frame.Call, 1, 7);
                session.ReadToEnd();
            });
            using TcpBinding client = server.Client(Traced);
            Assert.Equal([7], await client.CallAsync(SampleMethods.Echo, []));
            client.Dispose();
            Assert.True(Activity.Current is null, "nothing stays current");
        }
        finally
        {
            Trace.Listeners.Remove(text);
        }
        Assert.Contains("creo: no telemetry of a call of test.Sample.echo: System.IO.InvalidDataException: bad\\u001b[31m", log.ToString());
    }
}
