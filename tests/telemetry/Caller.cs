using System;
using System.Collections.Generic;
using System.Diagnostics;
using Creo;
using Org.Example.Traces;

// Prints for each wire what the service saw, and what the client's own activity is.
var ended = new List<Activity>();
using var listener = new ActivityListener
{
    ShouldListenTo = static source => source.Name == ClientTelemetry.Name,
    Sample = static (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllDataAndRecorded,
    ActivityStopped = ended.Add,
};
ActivitySource.AddActivityListener(listener);
int port = int.Parse(args[0]);
var url = $"http://127.0.0.1:{port}/Traces";
var options = new ClientOptions { Interceptors = [new ClientTelemetry()] };
foreach (Binding binding in new Binding[] { new TcpBinding("127.0.0.1", port, options), new JsonBinding(url, options), new SoapBinding(url, options) })
{
    using var client = new TracesClient(binding);
    foreach (bool waiting in new[] { true, false })
    {
        string seen = waiting ? client.Parent() : await client.ParentAsync();
        Console.WriteLine($"{seen} {ended[^1].TraceId} {ended[^1].SpanId}");
    }
}
