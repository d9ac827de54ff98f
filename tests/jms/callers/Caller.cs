using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading;
using Creo;
using Creo.Jms;
using Org.Example.Ledger;

/// <summary>The client of the ledger in C#: what it is told and what it writes, README.md says.</summary>
public sealed class Caller
{
    // Oneway calls may take as long as the whole run; others less.
    private static readonly TimeSpan Oneway = TimeSpan.FromHours(1);
    private static readonly TimeSpan Answer = TimeSpan.FromSeconds(20);

    private readonly LedgerClient _client;
    private readonly FileStream _file;
    private readonly string[][] _plan;
    private readonly long _end;
    private readonly object _changed = new();
    private long _next;
    private long _limit;

    private Caller(LedgerClient client, string file, string plan, long first, long end)
    {
        _client = client;
        // Unbuffered: the output survives if the program is killed.
        _file = new FileStream(file, FileMode.CreateNew, FileAccess.Write, FileShare.Read, 0);
        _plan = File.ReadAllLines(plan).Select(line => line.Split(' ')).ToArray();
        _next = first;
        _end = end;
    }

    public static int Main(string[] args)
    {
        JmsWire wire = Enum.Parse<JmsWire>(args[2], ignoreCase: true);
        using var binding = new JmsBinding(new JmsBroker("127.0.0.1", Number(args[0])), args[3], wire);
        using var client = new LedgerClient(binding);
        var caller = new Caller(client, args[1], args[4], Number(args[5]), Number(args[6]));
        List<Thread> threads = Enumerable.Range(0, Number(args[7])).Select(_ => new Thread(caller.Work)).ToList();
        new Thread(caller.Listen) { IsBackground = true }.Start();
        threads.ForEach(thread => thread.Start());
        threads.ForEach(thread => thread.Join());
        return 0;
    }

    private static int Number(string text) => int.Parse(text, CultureInfo.InvariantCulture);

    /// <summary>Appends a whole line by one write.</summary>
    private void Add(string line)
    {
        byte[] bytes = Encoding.ASCII.GetBytes(line.ReplaceLineEndings(" ") + "\n");
        lock (_file)
        {
            _file.Write(bytes);
        }
    }

    private void Listen()
    {
        while (Console.In.ReadLine() is { } line)
        {
            lock (_changed)
            {
                _limit = Number(line);
                Monitor.PulseAll(_changed);
            }
        }
    }

    /// <summary>The next number, as soon as it may be called; -1 if there is none.</summary>
    private long Take()
    {
        lock (_changed)
        {
            while (_next >= _limit && _next < _end)
            {
                Monitor.Wait(_changed);
            }
            if (_next == _end)
            {
                return -1;
            }
            Add($"made {_next} {_plan[_next][0]}");
            Monitor.PulseAll(_changed);
            return _next++;
        }
    }

    private void Work()
    {
        for (long number = Take(); number >= 0; number = Take())
        {
            try
            {
                Add(Call(number));
            }
            catch (CreoException e)
            {
                // As the words of the errors are written everywhere: DeadlineExceeded is deadline-exceeded.
                Add($"error {number} {Regex.Replace(e.Code.ToString(), "(?<=.)([A-Z])", "-$1").ToLowerInvariant()}");
                Console.Error.WriteLine($"{number}: {e.Message}");
                if (e.Code == ErrorCode.Unavailable)
                {
                    // A service that is not there is not asked without end.
                    Thread.Sleep(1000);
                }
            }
            catch (Exception e)
            {
                Add($"wrong {number} {e}");
            }
        }
    }

    private string Call(long number)
    {
        (string kind, int milliseconds) = (_plan[number][0], Number(_plan[number][1]));
        bool oneway = kind is "note" or "poison";
        var options = new CallOptions
        {
            Deadline = oneway ? Oneway : Answer,
            Metadata = new Dictionary<string, string> { ["number"] = number.ToString(CultureInfo.InvariantCulture) },
        };
        if (oneway)
        {
            if (kind == "note")
            {
                _client.Note(number, milliseconds, options);
            }
            else
            {
                _client.Poison(number, options);
            }
            return $"stored {number}";
        }
        try
        {
            long answer = _client.Book(number, milliseconds, kind == "refuse", options);
            return kind == "book" && answer == 2 * number ? $"answered {number}" : $"wrong {number} answer {answer}";
        }
        catch (RefusedException e)
        {
            return kind == "refuse" && e.Number == number ? $"refused {number}" : $"wrong {number} refusal of {e.Number}";
        }
    }
}
