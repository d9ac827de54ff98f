using System;
using System.Threading.Tasks;

namespace Conformance.Peer;

/// <summary>The conformance peer: <c>codec</c> reads cases from standard input, <c>probe</c> single calls, <c>client HOST PORT VECTORS</c> runs the scenarios.</summary>
public static class Program
{
    public static async Task<int> Main(string[] args)
    {
        switch (args)
        {
            case ["codec"]:
                CodecMode.Run(Console.In, Console.Out);
                return 0;
            case ["probe"]:
                await ProbeMode.Run(Console.In, Console.Out);
                return 0;
            case ["client", var host, var port, var vectors]:
                return await ClientMode.Run(host, int.Parse(port, null), vectors) ? 0 : 1;
            case ["tls", var host, var port, var vectors, var certificates, var plainPort]:
                return await TlsMode.Run(host, int.Parse(port, null), vectors, certificates, int.Parse(plainPort, null)) ? 0 : 1;
            default:
                await Console.Error.WriteLineAsync("usage: peer codec | peer probe | peer client HOST PORT VECTORS | peer tls HOST PORT VECTORS CERTIFICATES PLAIN_PORT");
                return 2;
        }
    }
}
