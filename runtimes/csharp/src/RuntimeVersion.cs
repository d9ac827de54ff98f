using System.ComponentModel;

namespace Creo;

/// <summary>The handshake between generated code and this framework, checked when both are compiled.</summary>
/// <remarks>
/// Generated code names the newest constant that it needs. If such a line does not compile, the framework beside it is older than the
/// generator that wrote it: generate the framework again, or update the package.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class RuntimeVersion
{
    /// <summary>The version of this framework.</summary>
    public const string Version = "0.1.0";

    /// <summary>This framework is at least 0.1.</summary>
    public const bool IsAtLeast0_1 = true;
}
