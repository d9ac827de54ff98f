// What fails where nobody waits is traced in every build.
#define TRACE

using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Diagnostics.Metrics;

namespace Creo;

/// <summary>
/// An interceptor that makes an activity of each call, sends its context with the call, and records the time, as OpenTelemetry names them (spec/calls.md,
/// section 7). It needs no package: OpenTelemetry listens to the source and the meter of the name <see cref="Name"/>. The parent of an activity is the one
/// that is current where the call is made. Never recorded is what a call carries: arguments, results, metadata.
/// </summary>
/// <remarks>Without a listener it costs next to nothing, and the context of the current activity goes with the call.</remarks>
public sealed class ClientTelemetry : IInterceptor
{
    /// <summary>The name of the source of activities and of the meter.</summary>
    public const string Name = "Creo";

    private static readonly ActivitySource Source = new(Name);
    private static readonly Meter Meter = new(Name);

    private static readonly Histogram<double> Times = Meter.CreateHistogram<double>(
        "rpc.client.call.duration", "s", "The time of a call, from its beginning to its end.");

    /// <inheritdoc/>
    public Action<Outcome>? Begin(OutgoingCall call)
    {
        try
        {
            return Start(call);
        }
        catch (Exception e)
        {
            Trace.TraceError(CreoException.Printable($"creo: no telemetry of a call of {call.Interface}.{call.Method}: {e.GetType()}: {e.Message}"));
            return null;
        }
    }

    private static Action<Outcome> Start(OutgoingCall call)
    {
        string name = $"{call.Interface}/{call.Method}";
        Activity? before = Activity.Current;
        Activity? activity = null;
        if (Source.HasListeners())
        {
            var tags = new ActivityTagsCollection { ["rpc.system.name"] = "creo", ["rpc.method"] = name };
            try
            {
                activity = Source.StartActivity(name, ActivityKind.Client, before?.Context ?? default, tags);
            }
            finally
            {
                // The caller's stays current: the call is not the only thing that it does.
                Activity.Current = before;
            }
        }
        Send(call, activity ?? before);
        return outcome => End(activity, name, outcome);
    }

    private static void Send(OutgoingCall call, Activity? activity)
    {
        if (activity is not { IdFormat: ActivityIdFormat.W3C, Id: { } id })
        {
            return;
        }
        var pairs = new Dictionary<string, string> { ["traceparent"] = id };
        if (!string.IsNullOrEmpty(activity.TraceStateString))
        {
            pairs["tracestate"] = activity.TraceStateString;
        }
        call.Options = call.Options with { Metadata = CallOptions.Merge(call.Options.Metadata, pairs) };
    }

    private static void End(Activity? activity, string name, Outcome outcome)
    {
        if (activity is null && !Times.Enabled)
        {
            return;
        }
        var found = new TagList();
        AddAddress(ref found, outcome.Peer);
        if (outcome.Code is { } code)
        {
            string word = ErrorCodes.Word(code);
            found.Add("error.type", word);
            found.Add("rpc.response.status_code", word);
            activity?.SetStatus(ActivityStatusCode.Error);
        }
        else if (outcome.Failure is not null)
        {
            found.Add("creo.exception", outcome.Failure.GetType().Name);
        }
        if (activity is not null)
        {
            foreach ((string key, object? value) in found)
            {
                activity.SetTag(key, value);
            }
            Activity? current = Activity.Current;
            activity.Stop();
            Activity.Current = current;
        }
        found.Add("rpc.system.name", "creo");
        found.Add("rpc.method", name);
        Times.Record(outcome.Elapsed.TotalSeconds, found);
    }

    /// <summary>Adds the host and the port of an address, or of the URL of one.</summary>
    private static void AddAddress(ref TagList tags, string? peer)
    {
        if (peer is null)
        {
            return;
        }
        int scheme = peer.IndexOf("://", StringComparison.Ordinal);
        string text = scheme < 0 ? "tcp://" + peer : peer;
        if (Uri.TryCreate(text, UriKind.Absolute, out Uri? uri) && uri.Host.Length > 0)
        {
            tags.Add("server.address", uri.Host.Trim('[', ']'));
            if (uri.Port >= 0)
            {
                tags.Add("server.port", uri.Port);
            }
        }
        else
        {
            tags.Add("server.address", peer);
        }
    }
}
