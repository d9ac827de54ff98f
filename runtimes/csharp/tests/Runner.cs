using System;
using System.Collections.Generic;
using System.Linq;
using System.Net;
using System.Net.Http;
using System.Reflection;
using System.Threading.Tasks;

namespace Creo.Tests;

/// <summary>A method that the runner calls: static, without parameters, perhaps with a task as its result.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class TestAttribute : Attribute;

/// <summary>An assertion that does not hold.</summary>
public sealed class AssertionException(string message) : Exception(message);

/// <summary>Assertions.</summary>
public static class Assert
{
    public static void True(bool condition, string what)
    {
        if (!condition)
        {
            throw new AssertionException(what);
        }
    }

    public static void Equal<T>(T expected, T actual, string what = "value")
    {
        if (!EqualityComparer<T>.Default.Equals(expected, actual))
        {
            throw new AssertionException($"{what}: expected <{expected}>, got <{actual}>");
        }
    }

    public static void Bytes(string hex, ReadOnlySpan<byte> actual) =>
        Equal(hex.Replace(" ", ""), Convert.ToHexString(actual).ToLowerInvariant(), "bytes");

    public static void Contains(string part, string text) => True(text.Contains(part), $"no <{part}> in <{text}>");

    public static TException Throws<TException>(Action action)
        where TException : Exception
    {
        try
        {
            action();
        }
        catch (TException e)
        {
            return e;
        }
        throw new AssertionException($"no {typeof(TException).Name}");
    }

    public static async Task<TException> ThrowsAsync<TException>(Func<Task> action)
        where TException : Exception
    {
        try
        {
            await action();
        }
        catch (TException e)
        {
            return e;
        }
        throw new AssertionException($"no {typeof(TException).Name}");
    }

    public static CreoException Fails(ErrorCode code, Action action)
    {
        CreoException error = Throws<CreoException>(action);
        Equal(code, error.Code, $"code of <{error.Message}>");
        return error;
    }
}

/// <summary>Runs all tests, or those whose name holds one of the arguments, and says how many passed.</summary>
public static class Runner
{
    public static async Task<int> Main(string[] args)
    {
        // Whatever proxy the environment names: servers of tests are called directly.
        HttpClient.DefaultProxy = new WebProxy();
        int passed = 0;
        int failed = 0;
        IEnumerable<MethodInfo> tests = typeof(Runner).Assembly.GetTypes()
            .SelectMany(type => type.GetMethods(BindingFlags.Static | BindingFlags.Public))
            .Where(method => method.GetCustomAttribute<TestAttribute>() is not null)
            .OrderBy(method => $"{method.DeclaringType!.Name}.{method.Name}", StringComparer.Ordinal);
        foreach (MethodInfo test in tests)
        {
            string name = $"{test.DeclaringType!.Name}.{test.Name}";
            if (args.Length > 0 && !args.Any(part => name.Contains(part, StringComparison.OrdinalIgnoreCase)))
            {
                continue;
            }
            try
            {
                object? result = test.Invoke(null, BindingFlags.DoNotWrapExceptions, null, null, null);
                if (result is Task task)
                {
                    await task.WaitAsync(TimeSpan.FromMinutes(5));
                }
                passed++;
            }
            catch (Exception e)
            {
                failed++;
                Console.WriteLine($"FAILED {name}: {(e is AssertionException ? e.Message : e)}");
            }
        }
        Console.WriteLine($"{passed} passed, {failed} failed");
        return failed == 0 && passed > 0 ? 0 : 1;
    }
}
