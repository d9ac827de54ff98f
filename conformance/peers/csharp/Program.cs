using System;
using System.Threading.Tasks;

namespace Conformance.Peer;

/// <summary>The conformance peer: <c>codec</c> reads cases from standard input, <c>soap</c> such of XML, <c>probe</c> single calls, <c>client HOST PORT VECTORS</c> and <c>client-soap URL VECTORS</c> run the scenarios.</summary>
public static class Program
{
    public static async Task<int> Main(string[] args)
    {
        switch (args)
        {
            case [("codec" or "soap" or "json" or "tdxml" or "tdxml-aggregated" or "tdxml-schema") and var form]:
                CodecMode.Run(Console.In, Console.Out, form);
                return 0;
            case ["probe"]:
                await ProbeMode.Run(Console.In, Console.Out);
                return 0;
            case ["client", var host, var port, var vectors]:
                return await ClientMode.Run(host, int.Parse(port, null), vectors) ? 0 : 1;
            case ["client-soap", var url, var vectors]:
                return await SoapMode.Run(url, vectors) ? 0 : 1;
            case ["tls", var host, var port, var vectors, var certificates, var plainPort]:
                return await TlsMode.Run(host, int.Parse(port, null), vectors, certificates, int.Parse(plainPort, null)) ? 0 : 1;
            default:
                await Console.Error.WriteLineAsync("usage: peer codec | peer soap | peer probe | peer client HOST PORT VECTORS | peer client-soap URL VECTORS | peer tls HOST PORT VECTORS CERTIFICATES PLAIN_PORT");
                return 2;
        }
    }
}
