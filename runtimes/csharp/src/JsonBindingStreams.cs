using System;
using System.Collections.Generic;
using System.IO;
using System.Net;
using System.Net.Http;
using System.Runtime.ExceptionServices;
using System.Threading;
using System.Threading.Tasks;
using Creo.Http;
using Creo.Json;
using Creo.Messages;
using Creo.Net;

namespace Creo;

public sealed partial class JsonBinding
{
    internal override StreamCall<TReceived, TResult> Stream<TArguments, TSent, TReceived, TResult>(
        StreamMethod<TArguments, TSent, TReceived, TResult> method, TArguments arguments, ItemSource<TSent> source, CallOptions? options, CancellationToken cancellation)
    {
        ObjectDisposedException.ThrowIf(Disposed.IsCancellationRequested, this);
        return method.WriteItem is null && method.ReadItem is null
            ? throw NoStreams(method, options)
            : new LineStream<TArguments, TSent, TReceived, TResult>(this, method, arguments, source, options, cancellation);
    }

    /// <summary>A call with one stream (HTTP-30 to HTTP-37), on a connection of its own, which is closed when it has ended.</summary>
    private sealed class LineStream<TArguments, TSent, TReceived, TResult>(
        JsonBinding owner,
        StreamMethod<TArguments, TSent, TReceived, TResult> method,
        TArguments arguments,
        ItemSource<TSent> source,
        CallOptions? options,
        CancellationToken cancellation) : StreamCall<TReceived, TResult>
    {
        private readonly List<TReceived> _items = [];
        private CallOptions? _options = options;
        private OutgoingCall? _interceptors;
        private Deadline _deadline;
        private HttpRaw? _hook;
        private HttpMessageInvoker? _http;
        private WatchedConnection? _connection;
        private ItemsContent<TSent>? _content;
        private HttpResponseMessage? _response;
        private Answer? _answer;

        // The body of an answer that is a stream, and its lines.
        private Stream? _body;
        private LineBuffer? _lines;

        // What ends the stream after the items before it: null for its end.
        private Exception? _failure;

        // Cancelled when the call has ended, whatever the reason is.
        private CancellationTokenSource? _ending;
        private CancellationTokenRegistration _closing;
        // How many items were read.
        private long _count;
        private bool _hasBegun;
        private bool _isSent;

        // Whether no further lines are read, and whether that is because the answer has ended.
        private bool _hasLast;
        private bool _isWhole;
        private bool _isDelivering;
        private bool _isOver;

        public override bool Next()
        {
            ValueTask<bool> step = StepAsync(waits: true);
            // It has already waited.
            return step.IsCompleted ? step.GetAwaiter().GetResult() : step.AsTask().GetAwaiter().GetResult();
        }

        public override ValueTask<bool> NextAsync() => StepAsync(waits: false);

        public override void Dispose() => End(new OperationCanceledException("the stream was closed before its end"));

        // Shared by both forms: a blocking step waits inside, and is complete when this returns.
        private async ValueTask<bool> StepAsync(bool waits)
        {
            try
            {
                if (!_hasBegun)
                {
                    _hasBegun = true;
                    await OpenAsync(waits).ConfigureAwait(false);
                }
                while (_body is not null)
                {
                    if (TakeItems())
                    {
                        return true;
                    }
                    if (_hasLast)
                    {
                        Finish();
                        break;
                    }
                    await ReadAsync(waits).ConfigureAwait(false);
                }
            }
            catch (Exception e)
            {
                Exception failure = FailureOf(e);
                End(failure);
                if (failure == e || failure == _content?.Failure?.SourceException)
                {
                    ExceptionDispatchInfo.Throw(failure);
                }
                throw failure;
            }
            End(null);
            return false;
        }

        private async ValueTask OpenAsync(bool waits)
        {
            if (owner.Client!.Interceptors is { Count: > 0 } && _options?.Call is null)
            {
                // CALL-44: there is no deadline unless the program gives one.
                _interceptors = new OutgoingCall(owner.Client, method.Service.Name, method.Name, _options, null);
                _options = _interceptors.Begin();
            }
            _deadline = Deadline.In(_options?.Deadline);
            _ending = CancellationTokenSource.CreateLinkedTokenSource(cancellation, owner.Disposed);
            TextMethod<TArguments, TResult> text = method.TextOrFail();
            using MessageRequest request = owner.Write(method, text, arguments);
            DigestAuthentication.Attempt? digest = owner.BeginDigest();
            while (!await TryOpenAsync(request, text, digest, waits).ConfigureAwait(false))
            {
                _connection?.Dispose();
                _response!.Dispose();
                _http!.Dispose();
                (_connection, _response, _answer) = (null, null, null);
            }
        }

        // Sends the request, and takes the beginning of the answer. False if it is to be sent again with other credentials (HTTP-51).
        private async ValueTask<bool> TryOpenAsync(MessageRequest request, TextMethod<TArguments, TResult> text, DigestAuthentication.Attempt? digest, bool waits)
        {
            using HttpRequestMessage message = ToHttp(request, out byte[] shown);
            AddHeaders(message, owner.Route, _deadline);
            owner.AddOwnHeaders(message, _options, digest);
            _ending!.CancelAfter(_deadline.IsNone ? Timeout.Infinite : _deadline.MillisecondsLeft());
            SocketsHttpHandler handler = owner.Route.Handler(connection => _connection = new WatchedConnection(connection, owner.Limits.MaxHeaderSize));
            _http = new HttpMessageInvoker(handler);
            _hook = owner.Hook(method);
            _hook?.Request(message, shown);
            _isSent = true;
            try
            {
                _response = await SendAsync(_http, message, waits).ConfigureAwait(false);
            }
            finally
            {
                if (_connection is not null)
                {
                    _options?.Reached(owner.Address);
                }
            }
            owner.CheckHeaders(_response);
            owner.TakeCookies(message, _response);
            // Metadata that nobody wants are checked all the same (CALL-5).
            _answer = HttpMetadata.Of(_response, owner.Limits, _options is { WantsAnswer: true });
            if (IsStream(_response))
            {
                request.IsDone = true;
                _lines = new LineBuffer(owner.Limits);
                _body = waits ? _response.Content.ReadAsStream(_ending.Token) : await _response.Content.ReadAsStreamAsync(_ending.Token).ConfigureAwait(false);
                // A blocking read takes no token: closing the connection ends it.
                _closing = waits ? _ending.Token.UnsafeRegister(static connection => ((WatchedConnection)connection!).Dispose(), _connection) : default;
                return true;
            }
            MessageBody body = await owner.ReadBodyAsync(_response, _deadline, waits, _ending).ConfigureAwait(false);
            _hook?.Answer(_response, body);
            if (HttpSession.IsAgain(digest, _response, out string? refusal))
            {
                if (_content is null)
                {
                    return false;
                }
                refusal = "items of a stream are not sent twice; the next call has credentials";
            }
            request.IsDone = true;
            Deliver();
            Result = refusal is null ? Read(text, new HttpAnswer(_response, body, owner.Address)) : throw HttpErrors.OfStatus(_response, body.Begin(), owner.Address, refusal);
            return true;
        }

        private HttpRequestMessage ToHttp(MessageRequest request, out byte[] body)
        {
            Uri url = owner.UrlOf(method.Name);
            body = request.Joined();
            if (method.WriteItem is null)
            {
                return request.ToHttp(url);
            }
            body = [.. body, (byte)'\n'];
            _content = new ItemsContent<TSent>(body, source, method.WriteItem, owner.Limits, () => _connection!, _ending!.Token);
            _content.Headers.TryAddWithoutValidation("Content-Type", ItemLine.MediaType);
            return new HttpRequestMessage(HttpMethod.Post, url)
            {
                Version = HttpVersion.Version11,
                VersionPolicy = HttpVersionPolicy.RequestVersionExact,
                Content = _content,
            };
        }

        private async ValueTask<HttpResponseMessage> SendAsync(HttpMessageInvoker http, HttpRequestMessage message, bool waits)
        {
            CancellationToken token = _ending!.Token;
            if (waits)
            {
                return http.Send(message, token);
            }
            // A source of items is not asked on the thread of the caller.
            return await (_content is null ? http.SendAsync(message, token) : Task.Run(() => http.SendAsync(message, token), token)).ConfigureAwait(false);
        }

        private bool IsStream(HttpResponseMessage response)
        {
            MediaType type = MediaType.Parse(HttpErrors.First(response.Content.Headers.NonValidated, "Content-Type"));
            string coding = HttpErrors.First(response.Content.Headers.NonValidated, "Content-Encoding") ?? "identity";
            return method.ReadItem is not null
                && response.StatusCode == HttpStatusCode.OK
                && type.Name == ItemLine.MediaType
                && (type["charset"] ?? "utf-8").Equals("utf-8", StringComparison.OrdinalIgnoreCase)
                && coding.Equals("identity", StringComparison.OrdinalIgnoreCase);
        }

        // An answer that is no stream: the result after one, or what ended the call before the first item.
        private TResult Read(TextMethod<TArguments, TResult> text, HttpAnswer answer)
        {
            try
            {
                return method.ReadItem is null || answer.Type.Name == "application/problem+json" ? owner.Read(method, text, answer) : throw answer.OfStatus();
            }
            catch (CreoException error)
            {
                throw HttpErrors.WithTime(error, _response!);
            }
        }

        // Takes the items that have come; false if there are none.
        private bool TakeItems()
        {
            Items = default;
            _items.Clear();
            try
            {
                while (!_hasLast && _lines!.TryNext(out ReadOnlySpan<byte> line))
                {
                    switch (ItemLine.Of(line, out ReadOnlySpan<byte> value))
                    {
                        case ItemLineKind.Item:
                            _items.Add(ItemLine.Read(value, _count, method.ReadItem!, owner.Limits));
                            _count++;
                            break;
                        case ItemLineKind.End:
                            _hasLast = _isWhole = true;
                            break;
                        case ItemLineKind.Error:
                            _hasLast = _isWhole = true;
                            _failure = ReadProblem(value);
                            break;
                        default:
                            break;
                    }
                }
            }
            catch (CreoException error)
            {
                // What came before it is given first (CALL-40).
                (_hasLast, _failure) = (true, error);
            }
            Items = _items.ToArray();
            return _items.Count > 0;
        }

        private Exception ReadProblem(ReadOnlySpan<byte> document)
        {
            JsonReader reader = JsonReader.Rent(owner.Limits);
            try
            {
                reader.Open(document);
                return reader.ReadProblem(method.TextOrFail().Throws, isFailure: false, said => CreoException.OfPeer(
                    ErrorCode.ProtocolMismatch,
                    $"the last line of {owner.Address} says neither an exception nor an error{(said is null ? "" : ": " + CreoException.Printable(said))}",
                    new Dictionary<string, string>()));
            }
            catch (CreoException error) when (error.Place is null)
            {
                throw reader.Locate(error);
            }
            finally
            {
                reader.GiveBack();
            }
        }

        private async ValueTask ReadAsync(bool waits)
        {
            Memory<byte> room = _lines!.Room();
            int count;
            try
            {
                count = waits ? _body!.Read(room.Span) : await _body!.ReadAsync(room, _ending!.Token).ConfigureAwait(false);
            }
            catch (HttpIOException e) when (e.HttpRequestError == HttpRequestError.ResponseEnded && !_ending!.IsCancellationRequested)
            {
                throw WasCut(e);
            }
            _lines.Commit(count);
            if (count == 0)
            {
                _hasLast = _isWhole = true;
                _failure = WasCut(null);
            }
        }

        private CreoException WasCut(Exception? cause) => new(ErrorCode.Unavailable, $"the answer of {owner.Address} was cut: it has no last line", cause);

        private void Finish()
        {
            if (_isWhole)
            {
                _hook?.Head(_response!);
            }
            Deliver();
            if (_failure is not null)
            {
                ExceptionDispatchInfo.Throw(_failure);
            }
        }

        private void Deliver()
        {
            if (_answer is not null)
            {
                _isDelivering = true;
                _options!.Deliver(_answer);
                _isDelivering = false;
            }
        }

        private Exception FailureOf(Exception e) => e switch
        {
            _ when _content?.Failure is { } source => source.SourceException,
            _ when _isDelivering || e is DeclaredException || !_isSent => e,
            CreoException error => error.With("peer", owner.Address),
            _ => owner.Failure(e, owner.Address, _deadline, _ending!, cancellation),
        };

        // Only the first end counts.
        private void End(Exception? failure)
        {
            if (_isOver)
            {
                return;
            }
            _isOver = true;
            if (failure is not null)
            {
                Items = default;
            }
            _closing.Dispose();
            _connection?.Dispose();
            _response?.Dispose();
            _http?.Dispose();
            // The program's source may wait for this.
            _ending?.CancelAsync().ContinueWith(
                static (_, ending) => ((CancellationTokenSource)ending!).Dispose(), _ending, CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
            _interceptors?.End(failure);
        }
    }
}
