using System;
using System.Threading.Tasks;

namespace Conformance.Peer;

/// <summary>The conformance peer: <c>codec</c> and the other forms read cases from standard input, <c>writer</c> what cannot be written, <c>probe</c> single calls, <c>streams</c> single ones with streams, <c>retries</c> many that are repeated; <c>client</c> and the modes like it run the scenarios.</summary>
public static class Program
{
    public static async Task<int> Main(string[] args)
    {
        switch (args)
        {
            case [("codec" or "soap" or "json" or "tdxml" or "tdxml-aggregated" or "tdxml-schema") and var form]:
                CodecMode.Run(Console.In, Console.Out, form);
                return 0;
            case ["writer"]:
                WriterMode.Run(Console.In, Console.Out);
                return 0;
            case ["probe"]:
                await ProbeMode.Run(Console.In, Console.Out);
                return 0;
            case ["streams"]:
                await StreamsMode.Run(Console.In, Console.Out);
                return 0;
            case ["retries"]:
                await RetriesMode.Run(Console.In, Console.Out);
                return 0;
            case ["client", var host, var port, var vectors]:
                return await ClientMode.Run(host, int.Parse(port, null), vectors) ? 0 : 1;
            case ["client-soap", var url, var vectors]:
                return await HttpMode.Soap(url, vectors) ? 0 : 1;
            case ["client-soap-tls", var url, var vectors, var certificates, var plainUrl]:
                return await HttpMode.Tls(url, vectors, certificates, plainUrl) ? 0 : 1;
            case ["client-json", var url, var vectors]:
                return await HttpMode.Json(url, vectors) ? 0 : 1;
            case ["client-tables", var url, var vectors]:
                return await HttpMode.TablesInSoap(url, vectors) ? 0 : 1;
            case ["client-tdxml", var url, var vectors]:
                return await HttpMode.Tdxml(url, vectors) ? 0 : 1;
            case ["client-tdxml-tcp", var host, var port, var vectors]:
                return await HttpMode.TdxmlTcp(host, int.Parse(port, null), vectors) ? 0 : 1;
#if JMS
            case ["client-jms", ("soap" or "tdxml" or "binary") and var wire, var host, var port, var vectors]:
                return await JmsMode.Run(wire, host, int.Parse(port, null), vectors) ? 0 : 1;
#endif
            case ["tls", var host, var port, var vectors, var certificates, var plainPort]:
                return await TlsMode.Run(host, int.Parse(port, null), vectors, certificates, int.Parse(plainPort, null)) ? 0 : 1;
            default:
                await Console.Error.WriteLineAsync(
                    "usage: peer codec|soap|json|tdxml|tdxml-aggregated|tdxml-schema | peer writer | peer probe | peer streams | peer retries | peer client|client-tdxml-tcp HOST PORT VECTORS"
                    + " | peer client-soap|client-json|client-tables|client-tdxml URL VECTORS | peer tls HOST PORT VECTORS CERTIFICATES PLAIN_PORT"
                    + " | peer client-soap-tls URL VECTORS CERTIFICATES PLAIN_URL | peer client-jms soap|tdxml|binary HOST PORT VECTORS");
                return 2;
        }
    }
}
