using System;
using System.Diagnostics;
using System.IO;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using System.Threading;
using System.Threading.Tasks;

namespace Creo.Net;

/// <summary>Opens connections to one address. Errors contain the address and the failure (ERR-9).</summary>
internal sealed class Dialer
{
    // What has ended connecting.
    private const int Connecting = 0;
    private const int Connected = 1;
    private const int TimeIsOver = 2;

    private readonly string _host;
    private readonly int _port;
    private readonly TlsOptions? _tls;

    public Dialer(string host, int port, TlsOptions? tls)
    {
        _host = host;
        _port = port;
        _tls = tls;
        Address = host.Contains(':') ? $"[{host}]:{port}" : $"{host}:{port}";
    }

    /// <summary>The address in messages.</summary>
    public string Address { get; }

    /// <summary>Connects on the calling thread.</summary>
    /// <returns>The socket, and its TLS stream, if any.</returns>
    /// <exception cref="TimeoutException">The deadline is over.</exception>
    public (Socket Socket, SslStream? Tls) Dial(Deadline deadline)
    {
        Socket? socket = null;
        int end = Connecting;
        try
        {
            IPAddress[] addresses = Resolve(deadline);
            socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
            Socket open = socket;
            // A blocking connect or handshake has no time limit: closing the socket ends it.
            void Abandon()
            {
                if (Interlocked.CompareExchange(ref end, TimeIsOver, Connecting) == Connecting)
                {
                    open.Dispose();
                }
            }
            using var limit = new Timer(_ => Abandon(), null, Milliseconds(deadline), Timeout.Infinite);
            open.Connect(addresses, _port);
            SslStream? tls = null;
            if (_tls is not null)
            {
                tls = new SslStream(new NetworkStream(open, ownsSocket: true));
                Authenticate(tls);
            }
            return Interlocked.CompareExchange(ref end, Connected, Connecting) == Connecting ? (open, tls) : throw new TimeoutException("connecting");
        }
        catch (Exception e) when (e is not CreoException)
        {
            socket?.Dispose();
            throw e is TimeoutException ? e : end == TimeIsOver ? new TimeoutException("connecting", e) : Failure(e, isOver: false);
        }
        catch (CreoException)
        {
            socket?.Dispose();
            throw;
        }
    }

    /// <summary>Connects asynchronously.</summary>
    public async Task<(Socket Socket, Stream Stream)> DialAsync(CancellationToken cancellation)
    {
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        try
        {
            await socket.ConnectAsync(_host, _port, cancellation).ConfigureAwait(false);
            var plain = new NetworkStream(socket, ownsSocket: true);
            if (_tls is null)
            {
                return (socket, plain);
            }
            return (socket, await SecureAsync(plain, cancellation).ConfigureAwait(false));
        }
        catch (Exception e) when (e is not CreoException)
        {
            socket.Dispose();
            throw Failure(e, cancellation.IsCancellationRequested);
        }
        catch (CreoException)
        {
            socket.Dispose();
            throw;
        }
    }

    /// <summary>Starts TLS with the address on a stream to it.</summary>
    public async Task<Stream> SecureAsync(Stream plain, CancellationToken cancellation)
    {
        var tls = new SslStream(plain);
        try
        {
            await AuthenticateAsync(tls, cancellation).ConfigureAwait(false);
            return tls;
        }
        catch (Exception e)
        {
            await tls.DisposeAsync().ConfigureAwait(false);
            throw e is CreoException ? e : Failure(e, cancellation.IsCancellationRequested);
        }
    }

    public CreoException TimedOut() => Unavailable("connecting took too long", null);

    private IPAddress[] Resolve(Deadline deadline)
    {
        if (IPAddress.TryParse(_host, out IPAddress? address))
        {
            return [address];
        }
        // The platform's lookup cannot be cancelled, only abandoned.
        Task<IPAddress[]> lookup = Dns.GetHostAddressesAsync(_host);
        try
        {
            return lookup.Wait(Milliseconds(deadline)) ? lookup.Result : throw new TimeoutException("looking up a name");
        }
        catch (AggregateException e)
        {
            throw Unavailable("the name cannot be looked up", e.InnerException);
        }
    }

    private void Authenticate(SslStream tls)
    {
        string? refused = null;
        try
        {
            tls.AuthenticateAsClient(Options(reason => refused = reason));
        }
        catch (AuthenticationException e) when (refused is not null)
        {
            throw Certificate(refused, e);
        }
    }

    private async Task AuthenticateAsync(SslStream tls, CancellationToken cancellation)
    {
        string? refused = null;
        try
        {
            await tls.AuthenticateAsClientAsync(Options(reason => refused = reason), cancellation).ConfigureAwait(false);
        }
        catch (AuthenticationException e) when (refused is not null)
        {
            throw Certificate(refused, e);
        }
    }

    private SslClientAuthenticationOptions Options(Action<string> onRefused)
    {
        TlsOptions tls = _tls!;
        var options = new SslClientAuthenticationOptions
        {
            TargetHost = tls.HostName ?? _host,
            EnabledSslProtocols = SslProtocols.Tls12 | SslProtocols.Tls13,
            ClientCertificates = tls.ClientCertificates,
            // The platform has already verified the chain and the name: this only notes the reason for a refusal.
            RemoteCertificateValidationCallback = (_, _, _, errors) =>
            {
                if (errors != SslPolicyErrors.None)
                {
                    onRefused(Reason(errors));
                }
                return errors == SslPolicyErrors.None;
            },
        };
        if (tls.TrustedRoots is not null)
        {
            options.CertificateChainPolicy = new X509ChainPolicy
            {
                TrustMode = X509ChainTrustMode.CustomRootTrust,
                RevocationMode = X509RevocationMode.NoCheck,
            };
            options.CertificateChainPolicy.CustomTrustStore.AddRange(tls.TrustedRoots);
        }
        return options;
    }

    private static string Reason(SslPolicyErrors errors) => errors switch
    {
        _ when errors.HasFlag(SslPolicyErrors.RemoteCertificateNotAvailable) => "the server shows no certificate",
        _ when errors.HasFlag(SslPolicyErrors.RemoteCertificateNameMismatch) => "the server's certificate is for another name",
        _ => "the server's certificate is not trusted",
    };

    private static int Milliseconds(Deadline deadline) => deadline.IsNone ? Timeout.Infinite : deadline.MillisecondsLeft();

    private CreoException Failure(Exception e, bool isOver) => e switch
    {
        _ when isOver || e is OperationCanceledException => Unavailable("connecting took too long", e),
        SocketException { SocketErrorCode: SocketError.ConnectionRefused } => Unavailable("the connection was refused", e),
        SocketException { SocketErrorCode: SocketError.HostNotFound or SocketError.NoData or SocketError.TryAgain } =>
            Unavailable("the name cannot be looked up", e),
        SocketException { SocketErrorCode: SocketError.TimedOut } => Unavailable("the connection timed out", e),
        // A server without TLS may just close the connection when the handshake begins.
        AuthenticationException or IOException => new CreoException(
            ErrorCode.ProtocolMismatch, $"cannot connect to {Address}: the TLS handshake failed; perhaps the port does not speak TLS", e).With("peer", Address).Unsent(),
        _ => Unavailable(e.Message, e),
    };

    private CreoException Certificate(string reason, Exception? e) => Failed(ErrorCode.UntrustedPeer, reason, e);

    private CreoException Unavailable(string reason, Exception? e) => Failed(ErrorCode.Unavailable, reason, e);

    private CreoException Failed(ErrorCode code, string reason, Exception? e) =>
        new CreoException(code, $"cannot connect to {Address}: {reason}", e).With("peer", Address).Unsent();
}

/// <summary>A deadline, or none.</summary>
internal readonly struct Deadline
{
    private readonly long _end;

    private Deadline(long end) => _end = end;

    public static Deadline In(TimeSpan? time) =>
        time is null ? None : new(Stopwatch.GetTimestamp() + (long)(time.Value.TotalSeconds * Stopwatch.Frequency));

    public static Deadline None => new(long.MaxValue);

    public bool IsNone => _end == long.MaxValue;

    public bool IsOver => !IsNone && Stopwatch.GetTimestamp() >= _end;

    /// <summary>Whether a timer for this deadline may have fired: the platform's timers can be slightly early.</summary>
    public bool IsAllButOver => !IsNone && MillisecondsLeft() <= 20;

    public bool IsBefore(Deadline other) => _end < other._end;

    /// <summary>The earlier of two.</summary>
    public static Deadline Earlier(Deadline a, Deadline b) => a._end <= b._end ? a : b;

    /// <summary>The milliseconds left, rounded up: at least 1, or 0 for no deadline, as in the protocol and the platform's sockets.</summary>
    public int MillisecondsLeft()
    {
        if (IsNone)
        {
            return 0;
        }
        double left = (double)(_end - Stopwatch.GetTimestamp()) * 1000 / Stopwatch.Frequency;
        return (int)Math.Clamp(Math.Ceiling(left), 1, int.MaxValue);
    }
}
