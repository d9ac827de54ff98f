using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;

namespace WireBenchmark;

/// <summary>The peers of the binary wire.</summary>
internal static class Cases
{
    private static readonly Dictionary<string, Func<Workload, int, Case>> Known = new()
    {
        ["creo"] = (w, n) => new CreoCase(w, n),
        ["system-text-json"] = (w, n) => new JsonCase(w, n),
        ["xml-serializer"] = (w, n) => new XmlCase(w, n),
        ["data-contract"] = (w, n) => new ContractCase(w, n, binary: false),
        ["data-contract-binary"] = (w, n) => new ContractCase(w, n, binary: true),
        ["hand"] = (w, n) => new HandCase(w, n),
        ["reverse-endianness"] = (w, n) => new ReverseCase(w, n),
    };

    public static IEnumerable<string> Peers => Known.Keys;

    /// <summary>A case whose round trip has been checked; null if the peer has nothing to do with the workload.</summary>
    public static Case? Create(string workload, string size, string peer)
    {
        Workload which = Enum.Parse<Workload>(workload, ignoreCase: true);
        // There is no order of bytes to reverse in texts and bytes.
        if (peer == "reverse-endianness" && which is Workload.Strings or Workload.Texts or Workload.Bytes)
        {
            return null;
        }
        int count = Values.Count(which, int.Parse(size, CultureInfo.InvariantCulture));
        Case made = Known[peer](which, count);
        made.Serialize();
        if (peer != "reverse-endianness" && !made.Plain(made.Deserialize()).SequenceEqual(Expected(which, count)))
        {
            throw new InvalidDataException($"{peer} does not give back {workload} of {size} bytes");
        }
        return made;
    }

    /// <summary>The values of a workload in the form of <see cref="Case.Plain"/>.</summary>
    private static IEnumerable<object> Expected(Workload workload, int count) => workload switch
    {
        Workload.Numbers => Enumerable.Range(0, count).SelectMany(i => new object[] { Values.D(i), Values.S(i) }),
        Workload.Strings or Workload.Texts => Values.Strings(workload, count),
        Workload.Bytes => Values.Bytes(count).Cast<object>(),
        Workload.Reals => Enumerable.Range(0, count).Select(i => (object)Values.D(i)),
        _ => throw new ArgumentOutOfRangeException(nameof(workload)),
    };
}
