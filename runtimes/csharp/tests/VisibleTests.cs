using System;
using System.ComponentModel;
using System.Linq;
using System.Reflection;

namespace Creo.Tests;

/// <summary>Editors suggest what users write, but nothing that only generated code calls.</summary>
public static class VisibleTests
{
    private static readonly string[] Visible =
    [
        "Answer", "BalancedBinding", "BalancingOptions", "BalancingRule", "BasicCredentials", "BigDecimal", "Binary", "Binding", "CallOptions", "ClientOptions", "ClientTelemetry", "CreoException", "DeclaredException", "DigestCredentials", "ErrorCode", "HttpBinding", "IClientSecurity", "IInterceptor", "Instant",
        "JmsBinding", "JmsBroker", "JmsWire", "JsonBinding", "Layout", "LayoutKind", "LayoutMember", "Limits", "Outcome", "OutgoingCall", "RawMessage", "RetryPolicy", "SoapBinding", "SoapOptions", "SoapVersion",
        "TableOptions", "TableScheme", "TcpBinding", "TdxmlBinding", "TdxmlOptions", "TextCodec`1", "TlsOptions", "UsernameToken", "ValueArray", "ValueArray`1", "ValueMap",
        "ValueMap`2", "Wire", "Writer", "WsAlgorithm", "WsSecurity", "WsSecurityOptions", "WsTokenReference",
    ];

    [Test]
    public static void WhatUsersWriteIsVisible()
    {
        string[] shown =
        [
            .. typeof(Binding).Assembly.GetExportedTypes()
                .Where(static type => !type.IsNested && type.GetCustomAttribute<EditorBrowsableAttribute>()?.State != EditorBrowsableState.Never)
                .Select(static type => type.Name)
                .Order(StringComparer.Ordinal),
        ];
        Assert.Equal(string.Join(' ', Visible), string.Join(' ', shown));
    }
}
