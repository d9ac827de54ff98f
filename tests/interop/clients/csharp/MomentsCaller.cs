using Creo;
using Example.Moments;

namespace Interop;

/// <summary>Our C# client calls a service that has SOAP 1.2 alone, which it knows from the import: MomentsCaller ADDRESS imported.</summary>
internal static class MomentsCaller
{
    private static int Main(string[] args)
    {
        var at = Instant.Parse("2026-11-27T10:00:00Z");
        using SoapBinding binding = Cases.Binding(args[0], args[1]);
        using var client = new MomentsClient(binding);
        return new Cases()
            .Add("shift", () => Cases.Equal(Instant.Parse("2026-11-27T10:01:30Z"), client.Shift(at, 90)))
            .Add("fault-beyond", () => Cases.Equal(3_600, Cases.Throws<BeyondException>(() => client.Shift(at, 3_601)).Limit))
            .Run();
    }
}
