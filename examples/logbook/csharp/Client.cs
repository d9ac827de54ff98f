using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Threading.Tasks;
using Creo;
using Org.Example.Logbook;

/// <summary>
/// A program that logs what it does, and does it as its setting says: <c>client HOST PORT PROGRAM [COUNT]</c>.
/// It works until it is stopped. With a count, it logs so many entries as fast as it can instead.
/// </summary>
public sealed class Client
{
    private const int Batch = 100;

    private readonly LogbookClient _logbook;
    private readonly string _program;
    private readonly string _writer;
    private readonly List<Entry> _unsent = [];
    private long _number;
    private int _retries;
    private Setting _setting = new() { Program = "", Level = Level.Info, IntervalMillis = 0, Version = 0 };

    private Client(LogbookClient logbook, string program)
    {
        (_logbook, _program, _writer) = (logbook, program, $"{program} {Guid.NewGuid()}");
    }

    public static async Task Main(string[] args)
    {
        await using var logbook = new LogbookClient(args[0], int.Parse(args[1], CultureInfo.InvariantCulture));
        var client = new Client(logbook, args[2]);
        client._setting = await client.RetryAsync(() => logbook.SettingAsync(client._program, 0, 0));
        if (args.Length > 3)
        {
            await client.HurryAsync(int.Parse(args[3], CultureInfo.InvariantCulture));
        }
        else
        {
            await client.WorkAsync();
        }
    }

    private async Task WorkAsync()
    {
        for (int step = 1; ; step++)
        {
            Log(Level.Debug, $"step {step} begins");
            Log(Level.Info, $"step {step} is done");
            if (step % 10 == 0)
            {
                Log(Level.Warning, $"step {step} was slow");
            }
            if (step % 25 == 0)
            {
                Log(Level.Error, $"step {step} has failed");
            }
            await SendAsync();
            await PauseAsync();
        }
    }

    private async Task HurryAsync(int count)
    {
        for (int i = 0; i < count; i++)
        {
            Add(Level.Info, $"entry {i}");
            if (_unsent.Count == Batch)
            {
                await SendAsync();
            }
        }
        await SendAsync();
        Console.WriteLine($"{_program}: {_number} entries, {_retries} calls repeated");
    }

    private void Log(Level level, string text)
    {
        if (level >= _setting.Level)
        {
            Add(level, text);
        }
    }

    private void Add(Level level, string text) =>
        _unsent.Add(new Entry { Writer = _writer, Number = _number++, Program = _program, At = Instant.Now, Level = level, Text = text });

    /// <summary>Whether a call that failed was carried out is not known: entries that come twice have the same writer and number, and are kept once.</summary>
    private async Task SendAsync()
    {
        ValueArray<Entry> entries = _unsent.ToValueArray();
        await RetryAsync(async () =>
        {
            await _logbook.WriteAsync(entries);
            return true;
        });
        _unsent.Clear();
    }

    /// <summary>Waits for the next step; less long if the setting changes.</summary>
    private async Task PauseAsync()
    {
        Setting now = await RetryAsync(() => _logbook.SettingAsync(_program, _setting.Version, _setting.IntervalMillis));
        if (now.Version != _setting.Version)
        {
            _setting = now;
            Add(Level.Info, $"new setting: level {now.Level.ToString().ToUpperInvariant()}, a step each {now.IntervalMillis} ms");
        }
    }

    private async Task<T> RetryAsync<T>(Func<ValueTask<T>> call)
    {
        while (true)
        {
            try
            {
                return await call();
            }
            catch (CreoException e) when (e.Code is ErrorCode.Unavailable or ErrorCode.Overloaded or ErrorCode.DeadlineExceeded)
            {
                _retries++;
                await Task.Delay(200);
            }
        }
    }
}
