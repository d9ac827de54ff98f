using System;
using System.Linq;
using System.Text;

namespace Creo.Tests;

/// <summary>Messages with attachments (SOAP-20 to SOAP-22).</summary>
public static class MtomTests
{
    private const string Include = "<xop:Include xmlns:xop='http://www.w3.org/2004/08/xop/include' href='cid:a%40b'/>";
    private const string Part = "--b\r\nContent-ID: <a@b>\r\nContent-Transfer-Encoding: binary\r\n\r\n";

    private static string Type(string more = "") => $"multipart/related; type=\"application/xop+xml\"; boundary=\"b\"{more}";

    private static string Root(string result, string headers = "") =>
        $"--b\r\nContent-Type: application/xop+xml; type=\"text/xml\"\r\nContent-ID: <r>\r\n{headers}\r\n{SoapTests.Right(result)}\r\n";

    private static byte[] Answer(string body, string more = "") => FakeHttp.Answer(200, Type(more), Encoding.Latin1.GetBytes(body));

    [Test]
    public static void PackagesAreRead()
    {
        string bytes = "\0\u00ff\r\n--\r\n--bx\r\n";
        ValueArray<byte> expected = Encoding.Latin1.GetBytes(bytes);
        string right = Root(Include) + Part + bytes + "\r\n--b--";
        Assert.Equal(expected, SoapTests.Call(Answer(right)));
        Assert.Equal(expected, SoapTests.Call(Answer("preamble --b\r\n" + right + "\r\nepilogue")));
        Assert.Equal(expected, SoapTests.Call(Answer(Part + bytes + "\r\n" + Root(Include) + "--b--", "; start=\"<r>\"")));
        Assert.Equal(expected, SoapTests.Call(FakeHttp.Chunked(Type(), Encoding.Latin1.GetBytes(right), 5)));
        Assert.Equal([0, 1], SoapTests.Call(Answer(Root("AAE=") + "--b--")));
        Assert.Equal([], SoapTests.Call(Answer(Root(Include) + Part + "\r\n--b--")));
        Assert.Equal(expected, SoapTests.Call(Answer(right.Replace("Content-ID: <a@b>", "Content-ID:\r\n <a@b>"))));
        Assert.Equal([0, 1], SoapTests.Call(Answer(Root("AAE=") + Part.Replace("binary", "x-other") + "x\r\n--b\r\n\r\ny\r\n--b--")));
        Assert.Equal([0, 1], SoapTests.Call(FakeHttp.Answer(200, "multipart/related; type=\"text/xml\"; boundary=b", Root("AAE=") + Part + "x\r\n--b--")));
    }

    // HTTP-2, SOAP-22, SOAP-23: a parameter may be empty, or have no value (RFC 9110, 5.6.6).
    [Test]
    public static void ParametersAreFoundAmongOthers()
    {
        byte[] latin = Encoding.Latin1.GetBytes(SoapTests.Right().Replace("<s:Body>", "<s:Body><!-- \u00e9 -->"));
        byte[] package = Encoding.Latin1.GetBytes(Root("AAE=") + Part + "x\r\n--b--");
        foreach (string between in new[] { ";", ";;", "; ;", "; x;", ";x ; y;", "; x=;", "; x=\"; charset=utf-8; boundary=c\";", ";\t" })
        {
            Assert.Equal([0, 1], SoapTests.Call(FakeHttp.Answer(200, $"text/xml{between} charset=iso-8859-1", latin)));
            Assert.Equal([0, 1], SoapTests.Call(FakeHttp.Answer(200, $"text/xml{between} charset =\t\"iso-8859-1\" ;", latin)));
            Assert.Equal([0, 1], SoapTests.Call(FakeHttp.Answer(200, $"multipart/related; type=\"text/xml\"{between} boundary=\"b\"", package)));
        }
    }

    [Test]
    public static void TransferEncodingsAreRead()
    {
        foreach ((string encoding, string text, string expected) in new[]
        {
            ("", "a=3D \r\n", "a=3D \r\n"), ("BASE64", " YWJ\r\n\tj ", "abc"), ("base64", "", ""), ("quoted-printable", "a=3Db=0d=0A", "a=b\r\n"),
            ("Quoted-Printable", "1 \t\r\n2=\r\n 3=20\n4= \t\n5\r6\u00e9 ", "1\r\n2 3 \n45\r6\u00e9"), ("quoted-printable", "end=", "end"), ("quoted-printable", "=\r\n=", ""),
        })
        {
            ValueArray<byte> bytes = Encoding.Latin1.GetBytes(expected);
            Assert.Equal(bytes, SoapTests.Call(Answer(Root(Include) + Part.Replace("binary", encoding) + text + "\r\n--b--")));
        }
        foreach ((string encoding, string text) in new[]
        {
            ("base64", "YWJ"), ("base64", "YWI-"), ("base64", "YWJ="), ("quoted-printable", "a=3"), ("quoted-printable", "=3G"), ("quoted-printable", "a==\r\n"),
            ("quoted-printable", "=3=\nD"), ("x-other", ""),
        })
        {
            SoapTests.Fails(ErrorCode.Malformed, Answer(Root(Include) + Part.Replace("binary", encoding) + text + "\r\n--b--"));
        }
    }

    [Test]
    public static void PackagesThatAreNoneAreRefused()
    {
        string right = Root(Include) + Part + "x\r\n--b--";
        foreach (string body in new[]
        {
            "", "x", "--b--", "--b\r\n", right[..^4], right.Replace("--b--", "--c--"), Root(Include) + "--b--", Root(Include + Include) + Part + "x\r\n--b--",
            Root(Include) + Part + "x\r\n" + Part + "y\r\n--b--", Root(Include.Replace("cid:", "http:")) + Part + "x\r\n--b--", right.Replace("binary", "base64"), right.Replace("<a@b>", "<c>"),
            right.Replace("Content-ID: <a@b>\r\n", ""), right.Replace("Content-ID: <a@b>", "Content-ID: <a@b>\r\nContent-ID: <a@b>"), right.Replace("Content-ID: <a@b>", "Content-ID : <a@b>"), right.Replace("Content-ID: <a@b>", "Content-ID: <r>"), right.Replace("/></result>", "/>x</result>").Replace("href='cid:a%40b'/>", "href='cid:a%40b'/>x"),
            right.Replace(" href='cid:a%40b'", ""),
        })
        {
            SoapTests.Fails(body.Length == 0 ? ErrorCode.ProtocolMismatch : ErrorCode.Malformed, Answer(body));
        }
        SoapTests.Fails(ErrorCode.Malformed, Answer(right, "; start=\"<other>\""));
        SoapTests.Fails(ErrorCode.Malformed, FakeHttp.Answer(200, "multipart/related; type=\"application/xop+xml\"", right));
        for (int size = 1; size < right.Length - 2; size += 7)
        {
            SoapTests.Fails(ErrorCode.Malformed, Answer(right[..size]));
        }
    }

    [Test]
    public static void PartsAreLimited()
    {
        string many = Root("AAE=") + string.Concat(Enumerable.Range(0, 1100).Select(i => $"--b\r\nContent-ID: <{i}>\r\n\r\nx\r\n")) + "--b--";
        Assert.Equal("maxParts", SoapTests.Fails(ErrorCode.TooLarge, Answer(many)).Details["limit"]);
        SoapTests.Fails(ErrorCode.TooLarge, Answer(Root("AAE=", $"X: {new string('a', 20_000)}\r\n") + "--b--"));
        SoapTests.Fails(ErrorCode.TooLarge, Answer("--b\r\nX: " + new string('a', 20_000)));
    }

    [Test]
    public static void PackagesAreWritten()
    {
        using var server = new FakeHttp(_ => FakeHttp.Answer(200, "text/xml", SoapTests.Right()));
        using var binding = new SoapBinding(server.Url, null, new SoapOptions { Mtom = true });
        byte[] large = [.. Enumerable.Range(0, 1024).Select(i => (byte)i)];
        binding.Call(SoapTests.Echo, (null, large));
        binding.Call(SoapTests.Echo, (null, large.AsSpan(1).ToArray()));
        string body = Encoding.Latin1.GetString(server.Bodies[0]);
        Assert.Contains("multipart/related; type=\"application/xop+xml\"; start=\"<root@creo>\"; start-info=\"text/xml\"; boundary=\"", server.Heads[0]);
        Assert.Contains("Content-ID: <root@creo>\r\n\r\n<soap:Envelope", body);
        Assert.Contains("<n1:value><xop:Include xmlns:xop=\"http://www.w3.org/2004/08/xop/include\" href=\"cid:0@creo\"></xop:Include></n1:value>", body);
        Assert.Contains($"Content-ID: <0@creo>\r\n\r\n{Encoding.Latin1.GetString(large)}\r\n--", body);
        Assert.True(!Encoding.Latin1.GetString(server.Bodies[1]).Contains("Include"), "fewer bytes stand in the text");
    }
}
