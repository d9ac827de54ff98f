using System;
using System.Collections.Generic;
using System.Security.Cryptography;
using System.Threading;
using System.Threading.Tasks;
using Creo.Jms;
using Creo.Messages;
using Creo.Net;
using Creo.Soap;
using Creo.Tables;
using Creo.Tcp;

namespace Creo;

/// <summary>A wire over a broker's queues, to one address.</summary>
/// <remarks>
/// It connects with the first call, and again when a connection was lost. All calls share one connection, which has its own queue for answers, or
/// selects its own answers from the queue named in the address.
/// </remarks>
public sealed partial class JmsBinding : Binding
{
    // How often a call that was not written at all is tried on another connection.
    private const int MaxConnections = 3;
    private const int HalfIdBytes = 8;
    private const string BinaryType = "application/vnd.creo.binary";

    private readonly JmsBroker _broker;
    private readonly JmsAddress _address;
    private readonly JmsWire _wire;
    private readonly ClientOptions _options;
    private readonly SoapMessages _soap;
    private readonly TdxmlMessages _tdxml;
    private readonly CancellationTokenSource _disposed = new();
    private readonly object _lock = new();

    // The prefix of all calls' ids, which selects their answers from a shared queue.
    private readonly string _prefix = RandomDigits();
    private JmsConnection? _connection;

    // The index of the current broker.
    private int _place;

    /// <summary>A binding to an address, such as <c>jms:queue:data?deliveryMode=NON_PERSISTENT</c>, at a broker; the first call connects.</summary>
    /// <param name="broker">The broker.</param>
    /// <param name="address">The address (JMS-1).</param>
    /// <param name="wire">The wire of messages.</param>
    /// <param name="options">The client's options; the broker's options say whether to use TLS.</param>
    /// <param name="soap">The options of SOAP, if used.</param>
    /// <param name="tdxml">The options of tables without SOAP, if used.</param>
    /// <exception cref="CreoException"><c>invalid-value</c>: the address is not a JMS address.</exception>
    public JmsBinding(
        JmsBroker broker, string address, JmsWire wire = JmsWire.Soap, ClientOptions? options = null, SoapOptions? soap = null, TdxmlOptions? tdxml = null)
    {
        ArgumentNullException.ThrowIfNull(broker);
        if (options?.Tls is not null)
        {
            throw new ArgumentException("the options ask for TLS, which is said by the broker", nameof(options));
        }
        _broker = broker;
        _address = JmsAddress.Parse(address);
        _wire = wire;
        _options = options ?? ClientOptions.Default;
        _soap = new SoapMessages(soap ?? SoapOptions.Default, Limits, to: null);
        _tdxml = new TdxmlMessages(tdxml ?? TdxmlOptions.Default, Limits);
    }

    internal override TimeSpan? DefaultDeadline => Limits.Deadline;

    private Limits Limits => _options.Limits;

    internal override ClientOptions? Client => _options;

    /// <inheritdoc/>
    public override TResult Call<TArguments, TResult>(Method<TArguments, TResult> method, TArguments arguments, CallOptions? options = null)
    {
        if (Intercepts(_options, options))
        {
            return Intercept(_options, method, arguments, options);
        }
        ValueTask<TResult> call = RunAsync(method, arguments, options, waits: true, CancellationToken.None);
        // It has already waited.
        return call.IsCompleted ? call.GetAwaiter().GetResult() : call.AsTask().GetAwaiter().GetResult();
    }

    /// <inheritdoc/>
    public override ValueTask<TResult> CallAsync<TArguments, TResult>(
        Method<TArguments, TResult> method, TArguments arguments, CallOptions? options = null, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return Intercepts(_options, options)
            ? InterceptAsync(_options, method, arguments, options, cancellationToken)
            : RunAsync(method, arguments, options, waits: false, cancellationToken);
    }

    /// <inheritdoc/>
    public override void Dispose()
    {
        JmsConnection? connection;
        lock (_lock)
        {
            if (_disposed.IsCancellationRequested)
            {
                return;
            }
            connection = _connection;
            _disposed.Cancel();
        }
        connection?.Close();
    }

    private static string RandomDigits() => Convert.ToHexString(RandomNumberGenerator.GetBytes(HalfIdBytes)).ToLowerInvariant();

    // Shared by both ways to call: a blocking call waits inside, and is complete when this returns.
    private async ValueTask<TResult> RunAsync<TArguments, TResult>(
        Method<TArguments, TResult> method, TArguments arguments, CallOptions? options, bool waits, CancellationToken cancellation)
    {
        ObjectDisposedException.ThrowIf(_disposed.IsCancellationRequested, this);
        ArgumentNullException.ThrowIfNull(method);
        Deadline deadline = Until(options?.Deadline ?? Limits.Deadline);
        using MessageRequest request = Write(method, arguments);
        Func<List<(string Name, string Value)>> properties = Prepare(method, request, options, deadline, out JmsRaw? raw);
        using var ending = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        if (!deadline.IsNone)
        {
            ending.CancelAfter(deadline.MillisecondsLeft());
        }
        try
        {
            JmsMessage? answer = await SendAsync(request, properties, method.IsOneway, options, deadline, waits, ending.Token).ConfigureAwait(false);
            if (answer is not null)
            {
                raw?.Answer(answer);
            }
            if (answer is not null && (answer.Metadata is not null || options is { WantsAnswer: true }))
            {
                Deliver(answer, options);
            }
            return answer is null ? default! : Read(method, answer);
        }
        catch (Exception e) when (FailureOf(e, ending, cancellation) is { } failure && failure != e)
        {
            throw failure;
        }
        finally
        {
            // Sent or not, its memory is no longer read.
            request.IsDone = true;
        }
    }

    // JMS-10: the address's time to live also limits the call.
    private Deadline Until(TimeSpan? time)
    {
        Deadline deadline = Deadline.In(time);
        return _address.TimeToLive is { } life ? Deadline.Earlier(deadline, Deadline.In(life)) : deadline;
    }

    // The failure that the program sees.
    private Exception FailureOf(Exception e, CancellationTokenSource ending, CancellationToken cancellation) => e switch
    {
        OperationCanceledException when cancellation.IsCancellationRequested => new OperationCanceledException("the call was cancelled", e, cancellation),
        OperationCanceledException or CreoException { Code: ErrorCode.Unavailable } when ending.IsCancellationRequested =>
            new CreoException(ErrorCode.DeadlineExceeded, $"the time for the call to {_address} by {_broker.Address} is over", e).With("peer", _broker.Address),
        CreoException error when !error.Details.ContainsKey("peer") => error.With("peer", _broker.Address),
        _ => e,
    };

    private MessageRequest Write<TArguments, TResult>(Method<TArguments, TResult> method, TArguments arguments)
    {
        switch (_wire)
        {
            case JmsWire.Soap:
                return _soap.Write(method, method.TextOrFail(), arguments);
            case JmsWire.Tdxml:
                return _tdxml.Write(method, method.TextOrFail(), arguments);
            default:
                var writer = new Writer(Limits);
                try
                {
                    Binary.Encode(writer, arguments, method.EncodeArguments, method.Parameters, "$");
                    return new MessageRequest(writer, BinaryType);
                }
                catch
                {
                    writer.Dispose();
                    throw;
                }
        }
    }

    // JMS-4.
    private List<(string Name, string Value)> Properties<TArguments, TResult>(Method<TArguments, TResult> method, MessageRequest request)
    {
        List<(string Name, string Value)> properties =
        [
            ("SOAPJMS_requestURI", _address.RequestUri),
            ("SOAPJMS_bindingVersion", "1.0"),
            ("SOAPJMS_contentType", request.ContentType),
        ];
        if (request.IsCompressed)
        {
            properties.Add(("SOAPJMS_contentEncoding", "gzip"));
        }
        if (_wire == JmsWire.Soap)
        {
            properties.Add(("SOAPJMS_soapAction", $"\"{method.TextOrFail().Action}\""));
        }
        if (_address.TargetService is { } service)
        {
            properties.Add(("SOAPJMS_targetService", service));
        }
        if (_wire != JmsWire.Soap)
        {
            properties.Add(("Creo_method", method.Id.ToString("x16", null)));
        }
        return properties;
    }

    private List<(string Name, string Value)> Escaped(IReadOnlyDictionary<string, string>? metadata)
    {
        List<(string Name, string Value)> properties = [];
        if (metadata is not null)
        {
            MetadataText.Check(metadata, Limits);
            foreach ((string name, string value) in metadata)
            {
                properties.Add((JmsMessage.MetadataPrefix + name.Replace("-", "_2d").Replace(".", "_2e"), MetadataText.Escaped(value)));
            }
        }
        return properties;
    }

    // Compresses a request if that was asked for. What is returned gives its properties when it is about to be sent, and shows it (CALL-61).
    private Func<List<(string Name, string Value)>> Prepare<TArguments, TResult>(
        Method<TArguments, TResult> method, MessageRequest request, CallOptions? options, Deadline deadline, out JmsRaw? raw)
    {
        JmsRaw? hook = raw = _options.RawMessages is null ? null : new JmsRaw(_options, method.ToString(), method.Secrets, _address, BinaryType);
        byte[]? plain = hook is null ? null : request.Joined();
        if (_options.CompressFrom is not null)
        {
            // Even if it is short, since this also allows a compressed answer.
            request.Compress();
        }
        List<(string Name, string Value)> properties = Properties(method, request);
        List<(string Name, string Value)> metadata = Escaped(CallOptions.MetadataOf(_options, options));
        return () =>
        {
            List<(string Name, string Value)> all = [.. properties, JmsHead.Timeout(deadline.MillisecondsLeft()), .. metadata];
            hook?.Request(all, request.ContentType, plain);
            // Once, over however many connections it is tried.
            hook = null;
            return all;
        };
    }

    private ValueTask<JmsMessage?> SendAsync(
        MessageRequest request, Func<List<(string Name, string Value)>> properties, bool isOneway, CallOptions? options, Deadline deadline, bool waits,
        CancellationToken ending) => ConnectedAsync(
            connection =>
            {
                var call = new JmsCall(_prefix + RandomDigits(), isOneway);
                List<ReadOnlyMemory<byte>> message = JmsHead.Compose(
                    _address, isOneway ? null : connection.ReplyTo, call.Id, deadline.MillisecondsLeft(), properties(), request);
                return connection.CallAsync(call, message, waits, ending);
            },
            options,
            waits,
            ending);

    // Does something on a connection; on another one if nothing of it was written (JMS-17).
    private async ValueTask<T> ConnectedAsync<T>(Func<JmsConnection, ValueTask<T>> use, CallOptions? options, bool waits, CancellationToken ending)
    {
        for (int connections = 1, failed = 0; ; connections++)
        {
            JmsConnection connection = Connection();
            try
            {
                await Either.On(connection.Opened, waits, ending).ConfigureAwait(false);
            }
            catch (CreoException e) when (IsPassedOver(e) && failed + 1 < _broker.Places.Count)
            {
                failed++;
                connections = 0;
                continue;
            }
            catch (CreoException e)
            {
                throw e.Unsent();
            }
            options?.Reached(connection.Address);
            try
            {
                return await use(connection).ConfigureAwait(false);
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

    // JMS-17: there is no peer, or it is not a broker. One that refuses the credentials is a broker.
    private static bool IsPassedOver(CreoException e) =>
        e.Code is ErrorCode.Unavailable or ErrorCode.ProtocolMismatch or ErrorCode.Malformed or ErrorCode.UntrustedPeer;

    private JmsConnection Connection()
    {
        lock (_lock)
        {
            if (_disposed.IsCancellationRequested)
            {
                // The call had begun earlier.
                throw new CreoException(ErrorCode.Unavailable, "the client was closed").Unsent();
            }
            if (_connection is null || !_connection.IsUsable)
            {
                if (_connection?.Opened.Exception?.InnerException is CreoException e && IsPassedOver(e))
                {
                    _place = (_place + 1) % _broker.Places.Count;
                }
                _connection = new JmsConnection(_broker, _broker.Places[_place], _address, Limits, _address.ReplyToName is null ? null : _prefix);
            }
            return _connection;
        }
    }

    // JMS-4. Metadata that nobody wants are checked all the same (CALL-5).
    private void Deliver(JmsMessage message, CallOptions? options)
    {
        var metadata = new AnswerMetadata(Limits);
        foreach ((string name, string value) in message.Metadata ?? [])
        {
            string key = name.Replace("_2d", "-").Replace("_2e", ".");
            metadata.Add(key, MetadataText.Unescaped(value));
        }
        options?.Deliver(new Answer { Metadata = metadata.Pairs });
    }

    private static void CheckVersion(JmsMessage message)
    {
        if (message.BindingVersion is not (null or "1.0"))
        {
            throw new CreoException(ErrorCode.ProtocolMismatch, $"the answer is of the version \"{message.BindingVersion}\" of SOAP over JMS, which is not known here");
        }
    }

    private TResult Read<TArguments, TResult>(Method<TArguments, TResult> method, JmsMessage message)
    {
        CheckVersion(message);
        if (_wire == JmsWire.Soap)
        {
            var whole = new JmsAnswer(message, isRight: true, _broker.Address);
            return SoapMessages.IsSoap(whole.Type) ? _soap.Read(method, method.TextOrFail(), whole) : throw whole.OfStatus();
        }
        FrameKind kind = message.Kind switch
        {
            "response" => FrameKind.Response,
            "exception" => FrameKind.Exception,
            "error" => FrameKind.Error,
            _ => throw new CreoException(ErrorCode.ProtocolMismatch, message.Kind is null ? "an answer that does not say of which kind it is" : $"an answer of the kind \"{message.Kind}\""),
        };
        var answer = new JmsAnswer(message, kind == FrameKind.Response, _broker.Address);
        if (_wire == JmsWire.Tdxml && kind != FrameKind.Error)
        {
            return _tdxml.Read(method, method.TextOrFail(), answer);
        }
        return answer.Type.Name == BinaryType ? Answers.Read(kind, answer.Body.Memory.Span, method, Limits, _broker.Address) : throw answer.OfStatus();
    }
}
