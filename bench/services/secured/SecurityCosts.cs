using System;
using System.Collections.Generic;
using System.IO;
using System.Security.Cryptography.X509Certificates;
using Creo;
using WireBenchmark;

/// <summary>What security costs in C# (COST-39): arguments and output are those of SecurityCosts.java.</summary>
internal static class SecurityCosts
{
    public static void Main(string[] arguments)
    {
        int rounds = int.Parse(arguments[1], null);
        int count = int.Parse(arguments[2], null);
        using var client = X509Certificate2.CreateFromPemFile(Path.Combine(arguments[0], "client.crt.pem"), Path.Combine(arguments[0], "client.key.pem"));
        var jobs = new List<Job>();
        foreach (string word in arguments[3..])
        {
            string[] words = word.Split(':', 2);
            string[] parts = words[0].Split(',');
            jobs.Add(new Job(client, Array.IndexOf(parts, "sign") >= 0, Array.IndexOf(parts, "encrypt") >= 0, File.ReadAllBytes(words[1])));
        }
        for (int round = 0; round < rounds; round++)
        {
            for (int number = 0; number < jobs.Count; number++)
            {
                Job job = jobs[number];
                byte[][] secured = new byte[count][];
                double written = Timed(count, n => secured[n] = job.Writer.Send(job.Plain));
                WsSecurity reader = job.Reader();
                double read = Timed(count, n => reader.Receive(secured[n], "utf-8"));
                Console.Out.WriteLine(FormattableString.Invariant($"{number} write {secured[0].Length} {written:F0}"));
                Console.Out.WriteLine(FormattableString.Invariant($"{number} read {secured[0].Length} {read:F0}"));
            }
        }
    }

    private static double Timed(int count, Func<int, byte[]> work)
    {
        double before = ThreadClock.Nanoseconds();
        for (int n = 0; n < count; n++)
        {
            if (work(n).Length == 0)
            {
                throw new InvalidOperationException("a message without bytes");
            }
        }
        return (ThreadClock.Nanoseconds() - before) / count;
    }

    /// <summary>A message, who writes it, and a new reader of it, without a memory of signatures that came before.</summary>
    private sealed class Job(X509Certificate2 client, bool isSigned, bool isEncrypted, byte[] plain)
    {
        public byte[] Plain => plain;

        public WsSecurity Writer { get; } = new(new WsSecurityOptions { Signer = isSigned ? client : null, Recipient = isEncrypted ? client : null });

        public WsSecurity Reader() => new(new WsSecurityOptions { Trusted = isSigned ? [client] : [], Decrypters = isEncrypted ? [client] : [] });
    }
}
