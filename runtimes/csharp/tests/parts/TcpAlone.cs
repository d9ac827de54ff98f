using System;
using System.Linq;

namespace Creo.Tests.Parts;

/// <summary>What a copied runtime for the binary wire over TCP contains: compiled with the part <c>tcp</c> and what it needs.</summary>
public static class TcpAlone
{
    public static int Main()
    {
        using var binding = new TcpBinding("localhost", 7070);
        try
        {
            new TcpBinding("localhost", 7070, new ClientOptions { Wire = Wire.Tdxml }).Dispose();
            return Fail("a binding took the wire of tables, which is not there");
        }
        catch (ArgumentException e) when (e.Message.Contains("no wire Tdxml over TCP", StringComparison.Ordinal))
        {
        }
        string[] above = ["Creo.TextField", "Creo.HttpBinding", "Creo.TableOptions", "Creo.SoapOptions", "Creo.StreamMethod`4", "Creo.Tcp.ItemFlow"];
        foreach (string name in above.Where(static name => typeof(TcpBinding).Assembly.GetType(name) is not null))
        {
            return Fail($"{name} is there");
        }
        return 0;
    }

    private static int Fail(string text)
    {
        Console.Error.WriteLine("parts: " + text);
        return 1;
    }
}
