using System;
using System.Runtime.InteropServices;

namespace WireBenchmark;

/// <summary>The processor time of the calling thread, on Linux.</summary>
internal static class ThreadClock
{
    private const int ThreadCpuTime = 3;

    private struct Time
    {
        public long Seconds;
        public long Nanoseconds;
    }

    public static double Nanoseconds()
    {
        if (GetTime(ThreadCpuTime, out Time now) != 0)
        {
            throw new InvalidOperationException("the system has no clock of a thread's processor time");
        }
        return now.Seconds * 1e9 + now.Nanoseconds;
    }

    [DllImport("libc", EntryPoint = "clock_gettime")]
    private static extern int GetTime(int clock, out Time time);
}

internal static class Crc32
{
    public static uint Of(ReadOnlySpan<byte> bytes)
    {
        uint crc = uint.MaxValue;
        foreach (byte b in bytes)
        {
            crc ^= b;
            for (int i = 0; i < 8; i++)
            {
                crc = crc >> 1 ^ (0xedb88320u & (uint)-(int)(crc & 1));
            }
        }
        return ~crc;
    }
}
