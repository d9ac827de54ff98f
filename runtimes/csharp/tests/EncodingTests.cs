using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;

namespace Creo.Tests;

/// <summary>SOAP encoding (SOAP-30 to SOAP-32) against answers that a test makes up.</summary>
public static class EncodingTests
{
    private const string Type11 = "text/xml; charset=utf-8";
    private const string Encoding11 = "http://schemas.xmlsoap.org/soap/encoding/";
    private const string Schema = "http://www.w3.org/2001/XMLSchema";
    private const string Xsi1999 = "http://www.w3.org/1999/XMLSchema-instance";

    private static readonly TextSchemaType Text = new(Schema, "string");
    private static readonly TextSchemaType ArrayType = new(Encoding11, "Array");

    private sealed class OwnException : DeclaredException
    {
        public required string Reason { get; init; }

        protected override string Describe() => Reason;
    }

    private static readonly TextField Reason = new("reason", "", "reason") { SchemaType = Text };
    private static readonly TextRecord OwnRecord = new("test.Own", "urn:t", "Own", Reason);
    private static readonly TextCodec<OwnException> Own = new("test.Own", new TextField(null, "urn:t", "Own") { Type = static () => OwnRecord }, static (_, _, _) => { }, ReadOwn, false, "urn:t");

    private static readonly TextField Name = new("name", "", "name", TextPlace.Attribute);
    private static readonly TextField Count = new("count", "", "count") { Form = TextForm.Integer, SchemaType = new(Schema, "short") };
    private static readonly TextRecord Open = new("test.Open", "urn:t", "Open", Name, Count);
    private static readonly TextField Base = new("base", "urn:t", "Open", TextPlace.Derived) { IsBase = true, Type = static () => Open };
    private static readonly TextUnion Any = new("test.Any", Base) { IsDerived = true };
    private static readonly TextField Item = new(null, "", "item") { IsNillable = true, IsOptional = true, SchemaType = Text };
    private static readonly TextField Items = new("items", "", "items") { IsOptional = true, IsWrapped = true, Item = Item, SchemaType = ArrayType, SchemaItems = new(Schema, "string[]") };
    private static readonly TextField Numbers =
        new("numbers", "", "numbers") { IsWrapped = true, Item = new(null, "", "item") { Form = TextForm.Integer, SchemaType = new(Schema, "int") }, SchemaType = ArrayType, SchemaItems = new(Schema, "int") };
    private static readonly TextField One = new("one", "", "one") { Type = static () => Open, SchemaType = new("urn:t", "Open") };
    private static readonly TextField Derived = new("derived", "", "derived") { Type = static () => Any };
    private static readonly TextRecord Arguments = new("list", "urn:t", "list", Items, Numbers, One, Derived);
    private static readonly TextField Element = new(null, "urn:t", "list");
    private static readonly TextField Answered = new(null, "urn:t", "listResponse");
    private static readonly TextField Result =
        new(null, "", "return") { IsOptional = true, IsWrapped = true, Item = Item, SchemaType = ArrayType, SchemaItems = Text };
    private static readonly TextRecord Results = new("result", "urn:t", "listResponse", Result);

    private static readonly Method<string?[], ValueArray<string?>?> List = Made<ValueArray<string?>?>(
        static reader => reader.ReadNil() ? null : (ValueArray<string?>?)reader.ReadItems<string?>(static reader => reader.ReadNil() ? null : reader.ReadString()), Results);

    /// <summary>Its result is the text of the element in literal form.</summary>
    internal static readonly Method<string?[], string> Raw = Made(static reader => reader.ReadRaw(), new TextRecord("result", "urn:t", "listResponse", new TextField(null, "", "return")));

    private static Method<string?[], T> Made<T>(TextRead<T> read, TextRecord result, bool isEncoded = true) => new()
    {
        Service = new("test.Test", 1),
        Name = "list",
        Id = 1,
        Parameters = Layout.Struct("list", static () => []),
        EncodeArguments = static (_, _) => { },
        DecodeResult = static (ref Reader _) => default!,
        Text = () => new()
        {
            Action = "urn:t:list",
            IsEncoded = isEncoded,
            Request = new(Element, Arguments, Write, true, Encoding11, Schema, "urn:t"),
            Response = new(Answered, result, reader =>
            {
                T value = default!;
                reader.Begin(result);
                while (reader.Next(0) == 0)
                {
                    value = read(reader);
                }
                reader.End(result);
                return value;
            }),
            Throws = [TextCase.Of(Own)],
        },
    };

    private static void Write(TextWireWriter writer, string?[] arguments)
    {
        TextField item = writer.BeginItems(Items, arguments.Length);
        for (int i = 0; i < arguments.Length; i++)
        {
            writer.Item(i);
            if (arguments[i] is { } text)
            {
                writer.WriteString(item, text);
            }
            else
            {
                writer.WriteAbsent(item);
            }
        }
        writer.EndItems(Items);
        writer.WriteInt32s(Numbers, [7, 8]);
        WriteOpen(writer, One);
        WriteOpen(writer, writer.BeginUnion(Derived, Any, 0));
        writer.EndUnion(Derived, Any);
    }

    private static void WriteOpen(TextWireWriter writer, TextField field)
    {
        writer.BeginRecord(field, Open);
        writer.WriteString(Name, "n");
        writer.Content(field, Open);
        writer.WriteInt16(Count, 5);
        writer.EndRecord(field, Open);
    }

    private static OwnException ReadOwn(TextWireReader reader)
    {
        string reason = null!;
        reader.Begin(OwnRecord);
        while (reader.Next(0) == 0)
        {
            reason = reader.ReadString();
        }
        reader.End(OwnRecord);
        return new OwnException { Reason = reason };
    }

    private static string Envelope(string body, string more = "") =>
        $"<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\" xmlns:e=\"{Encoding11}\" xmlns:x=\"{Schema}-instance\" xmlns:d=\"{Schema}\"{more}><s:Body>{body}</s:Body></s:Envelope>";

    private static string Message(string result, string behind = "") => Envelope($"<q:any xmlns:q='urn:q' s:encodingStyle='{Encoding11}'>{result}</q:any>{behind}");

    private static T Call<T>(Method<string?[], T> method, string envelope, Limits? limits = null, int status = 200)
    {
        using var server = new FakeHttp(_ => FakeHttp.Answer(status, Type11, envelope));
        using var binding = new SoapBinding(server.Url, new ClientOptions { Limits = limits ?? Limits.Default });
        return binding.Call(method, []);
    }

    private static CreoException Fails(ErrorCode code, string envelope, Limits? limits = null)
    {
        CreoException error = Assert.Fails(code, () => Call(Raw, envelope, limits));
        Assert.True(error.Offset is null, $"an offset: {error.Message}");
        return error;
    }

    private static string Literal(string result, string behind = "") => Call(Raw, Message(result, behind));

    private static void Reads(string?[] expected, string result, string behind = "") =>
        Assert.Equal(string.Join("|", expected.Select(static each => each ?? "-")), string.Join("|", Call(List, Message(result, behind))!.Value.Select(static each => each ?? "-")));

    [Test]
    public static void RequestsSayTheirTypes()
    {
        string types = $" xmlns:n1=\"{Encoding11}\" xmlns:n2=\"{Schema}\" xmlns:n3=\"urn:t\" xmlns:xsi=\"{Schema}-instance\"";
        foreach (SoapVersion? told in new SoapVersion?[] { null, SoapVersion.Soap12 })
        {
            using var server = new FakeHttp(_ => FakeHttp.Answer(200, Type11, Message("<return/>")));
            using var binding = new SoapBinding(server.Url, null, new SoapOptions { Version = told });
            binding.Call(List, ["a<", null]);
            Assert.Contains("SOAPAction: \"urn:t:list\"", server.Heads[0]);
            Assert.Equal(
                $"<soap:Envelope xmlns:soap=\"http://schemas.xmlsoap.org/soap/envelope/\"{types}><soap:Body><n3:list soap:encodingStyle=\"{Encoding11}\">"
                + "<items xsi:type=\"n1:Array\" n1:arrayType=\"n2:string[][2]\"><item xsi:type=\"n2:string\">a&lt;</item><item xsi:nil=\"true\"></item></items>"
                + "<numbers xsi:type=\"n1:Array\" n1:arrayType=\"n2:int[2]\"><item xsi:type=\"n2:int\">7</item><item xsi:type=\"n2:int\">8</item></numbers>"
                + "<one xsi:type=\"n3:Open\" name=\"n\"><count xsi:type=\"n2:short\">5</count></one>"
                + "<derived xsi:type=\"n3:Open\" name=\"n\"><count xsi:type=\"n2:short\">5</count></derived></n3:list></soap:Body></soap:Envelope>",
                Encoding.UTF8.GetString(server.Bodies[0]));
            // The same writer, and the same fields, in a literal message; an encoded answer to that is refused.
            Assert.Fails(ErrorCode.Malformed, () => binding.Call(Made(static reader => reader.ReadRaw(), Results, isEncoded: false), []));
            Assert.Contains(
                "<n3:list><items></items><numbers><item>7</item><item>8</item></numbers><one name=\"n\"><count>5</count></one><derived name=\"n\"><count>5</count></derived></n3:list>",
                Encoding.UTF8.GetString(server.Bodies[1]));
        }
    }

    [Test]
    public static void AnswersTakeTheLiteralForm()
    {
        // The result and the message have any name; elements below have no namespace, and nothing is left of the encoding.
        Assert.Equal("<return><c a=\"1\">x</c></return>", Literal("<q:other id='1' e:root='0'><q:c a=\"1\" s:encodingStyle=''>x</q:c></q:other>"));
        Assert.Equal("<return><c></c></return>", Call(Raw, Envelope("<any xmlns='urn:q'><other><c/></other></any>")));
        // Text, sections, references and comments are unchanged.
        Assert.Equal("<return>a&amp;&#13;<![CDATA[<]]><!-- c --><b></b>]</return>", Literal("<return>a&amp;&#13;<![CDATA[<]]><!-- c --><b/>]</return>"));
        // An element takes the attributes and content of the referenced element, which may refer to others.
        Assert.Equal(
            "<return><a k='v'><b>1</b></a><a k='v'><b>1</b></a></return>",
            Literal("<return><a href='#x'/><a href=' #x '> <!-- --></a></return>", "<m id='x' e:root='0' k='v'><b href='#y'/></m><m id='z'>1</m><m href='#z' id='y'/>"));
        Assert.Equal("<return>1</return>", Literal("<return href='#x'/>", "<m id='x'>1</m>"));
        // Prefixes of the referenced element are bound where it is used.
        Assert.Contains("=\"t:T\"", Literal("<return><a href='#x'/></return>", "<m xmlns:t='urn:1' id='x' x:type=\"t:T\"/>"));
        Assert.Contains("xmlns:d=\"urn:other\"", Literal("<return xmlns:d='urn:1'><a href='#x'/></return>", "<m xmlns:d='urn:other' id='x' x:type='d:T'/>"));
        Assert.Contains($"<a xmlns:d=\"{Schema}\"", Literal("<return xmlns:d='urn:1'><a href='#x'/></return>", "<m id='x' x:type='d:T'/>"));
        // The default namespace exists only for types.
        Assert.Equal($"<return xmlns:i=\"{Schema}-instance\" xmlns:t=\"urn:1\" i:type=\"t:T\">1</return>", Literal("<return xmlns='urn:1' x:type=' T '>1</return>"));
        Assert.Contains("xmlns:t1=\"urn:1\" i:type=\"t1:T\"", Literal($"<return xmlns:t='urn:2' xmlns='urn:1' xmlns:o='{Xsi1999}' o:type='T'>1</return>"));
        // Another reference stays, and so does a name of the package's own.
        Assert.Equal("<return><a href=\"cid:1\"></a></return>", Literal("<return><a href=\"cid:1\"/></return>"));
        // The message is the root, wherever that is.
        Assert.Equal("<return>2</return>", Call(Raw, Envelope("<m id='x'>2</m><any e:root='1'><return href='#x'/></any>")));
        // The parts of a header stay, and so do their attributes.
        Assert.Equal("<return></return>", Call(Raw, Message("<return/>").Replace("<s:Body>", "<s:Header><h xmlns='urn:h' s:mustUnderstand='0'>x</h></s:Header><s:Body>")));
        Assert.Fails(ErrorCode.ProtocolMismatch, () => Call(Raw, Message("<return/>").Replace("<s:Body>", "<s:Header><h s:mustUnderstand='1'/></s:Header><s:Body>")));
        // Old names of xsi.
        Reads([null, "a"], $"<r xmlns:o='{Xsi1999}' o:type='e:Array'><i o:null='1'/><i o:type='d:string'>a</i></r>");
        Assert.True(Call(List, Message($"<r xmlns:o='http://www.w3.org/2000/10/XMLSchema-instance' o:null=\"true\"/>")) is null, "nothing");
    }

    [Test]
    public static void ArraysAreRead()
    {
        Reads(["a", "b"], "<r e:arrayType='d:string[2]'><x>a</x><y>b</y></r>");
        Reads(["a", "b"], "<r x:type=' e:Array '><x href='#b'/><y>b</y></r>", "<m id='b'>a</m>");
        Reads(["a"], $"<r xmlns='{Encoding11}' x:type='Array'><x>a</x></r>");
        Reads([], "<r e:arrayType='d:string[0]'/>");
        // Sparse ones.
        Reads([null, null, "a", "b"], "<r e:arrayType='d:string[9]' e:offset='[2]'><x>a</x><x>b</x></r>");
        Reads([null, "a", null, null, "b", "c"], "<r e:arrayType='d:string[9]'><x e:position='[1]'>a</x><x e:position=' [4] '>b</x><x>c</x></r>");
        Reads([null, null, "a", "b"], "<r e:arrayType='d:string[9]' e:offset='[1]'><x e:position='[2]'>a</x><x>b</x></r>");
        Assert.Equal("<return><item><item>1</item></item></return>", Literal("<r e:arrayType='d:int[][1]'><x e:arrayType='d:int[1]'><y>1</y></x></r>"));
        foreach (string array in new[]
        {
            "<r e:arrayType='d:string[2,3]'/>", "<r e:arrayType='d:string[][,]'/>", "<r e:arrayType='d:string[2]' e:offset='[1,1]'/>", "<r e:arrayType='d:string[2]' e:offset='1'/>",
            "<r e:arrayType='d:string[2]'><x e:position='[1,1]'/></r>", "<r e:arrayType='d:string[2]'><x e:position='[-1]'/></r>", "<r e:arrayType='d:string[2]'><x e:position='[]'/></r>",
            "<r e:arrayType='d:string[2]'><x e:position='[1234567890]'/></r>", "<r e:arrayType='d:string[2]'><x e:position='[1]'/><x e:position='[1]'/></r>",
            "<r e:arrayType='d:string[2]'><x e:position='[3]'/><x e:position='[2]'/></r>", "<r e:arrayType='d:string[2]' e:offset='[2]'><x e:position='[1]'/><x e:position='[0]'/></r>",
        })
        {
            Fails(ErrorCode.Malformed, Message(array));
        }
        var few = new Limits { MaxEmptyItems = 3 };
        Assert.Equal(5, Call(List, Message("<r e:arrayType='d:string[9]' e:offset='[2]'><x>a</x><x e:position='[4]'>b</x></r>"), few)!.Value.Count);
        foreach (string array in new[] { "<r e:arrayType='d:string[9]' e:offset='[2]'><x>a</x><x e:position='[5]'>b</x></r>", "<r e:arrayType='d:string[9]' e:offset='[999999999]'><x/></r>" })
        {
            Assert.Equal("maxEmptyItems", Fails(ErrorCode.TooLarge, Message(array), few).Details["limit"]);
        }
    }

    [Test]
    public static void ReferencesThatAreNoneAreRefused()
    {
        foreach ((string result, string behind) in new[]
        {
            ("<r href='#x'/>", ""), ("<r href='#'/>", ""), ("<r href='#x'/>", "<m id='x'/><m id='x'/>"), ("<r href='#x' id='x'/>", ""), ("<r href='#x'/>", "<m id='x' href='#y'/><m id='y' href='#x'/>"),
            ("<r><a href='#x'/></r>", "<m id='x'><b href='#x'/></m>"), ("<r id='x'><a><b href='#x'/></a></r>", ""), ("<r href='#x'/>", "<m id='x'><b href='#y'/></m><m id='y'><c href='#x'/></m>"),
            ("<r href='#x'>a</r>", "<m id='x'/>"), ("<r href='#x'><a/></r>", "<m id='x'/>"), ("<r href='#x'><![CDATA[a]]></r>", "<m id='x'/>"), ("<r href='#x'>&#65;</r>", "<m id='x'/>"),
        })
        {
            CreoException error = Fails(ErrorCode.Malformed, Message(result, behind));
            Assert.Contains("refer", error.Message);
        }
        // Elements without references may be invalid.
        Assert.Equal("<return></return>", Literal("<r/>", "<m id='x' href='#x'/><m href='#none'/>"));
        // Malformed XML in any place.
        foreach (string envelope in new[] { Message("<r>", ""), Message("<r/>", "<m>"), Message("<r a='1' a='2'/>"), Message("<r/>")[..^5], Message("<p:r/>"), Message("<r>&x;</r>") })
        {
            Fails(ErrorCode.Malformed, envelope);
        }
        // What has no message, or is none.
        foreach (string envelope in new[] { Envelope(""), Envelope("").Replace("<s:Body></s:Body>", "<s:Body/>"), Envelope("").Replace("s:Body", "s:Other"), Envelope("text"), Message("<r/>", "text"), Message("<r/><q/>"), "<html/>" })
        {
            Fails(ErrorCode.Malformed, envelope);
        }
        Assert.Fails(ErrorCode.ProtocolMismatch, () => Call(Raw, Message("<r/>").Replace("http://schemas.xmlsoap.org/soap/envelope/", "urn:other")));
    }

    [Test]
    public static void ReferencesAreLimited()
    {
        long before = GC.GetTotalAllocatedBytes(true);
        // Each refers to the next one twice.
        IEnumerable<string> twice = Enumerable.Range(0, 60).Select(static i => $"<m id='{i}'><a href='#{i + 1}'/><a href='#{i + 1}'/></m>");
        var small = new Limits { MaxMessageSize = 1_000_000 };
        Assert.Equal("maxMessageSize", Fails(ErrorCode.TooLarge, Message("<r href='#0'/>", string.Concat(twice) + "<m id='60'/>"), small).Details["limit"]);
        // Many refer to one that is long, also in the detail of a fault.
        string one = $"<m id='x'>{new string('a', 10_000)}</m>";
        string many = string.Concat(Enumerable.Repeat("<a href='#x'/>", 1000));
        Assert.Equal("maxMessageSize", Fails(ErrorCode.TooLarge, Message($"<r>{many}</r>", one), small).Details["limit"]);
        Assert.Fails(ErrorCode.TooLarge, () => Call(Raw, Envelope($"<s:Fault><detail>{many}</detail></s:Fault>{one}"), small));
        Assert.True(GC.GetTotalAllocatedBytes(true) - before < 100_000_000, "memory");
        // All refer to the end of one chain.
        IEnumerable<string> chain = Enumerable.Range(0, 20_000).Select(static i => $"<m id='{i}' href='#{i + 1}'/>");
        Assert.Equal(20_000, Call(List, Message($"<r e:arrayType=''>{string.Concat(Enumerable.Repeat("<a href='#0'/>", 20_000))}</r>", string.Concat(chain) + "<m id='20000'/>"))!.Value.Count);
        // They nest deeply, as no element of the text does.
        IEnumerable<string> deep = Enumerable.Range(0, 20_000).Select(static i => $"<m id='{i}'><a href='#{i + 1}'/></m>");
        Assert.Equal("maxXmlDepth", Fails(ErrorCode.TooLarge, Message("<r href='#0'/>", string.Concat(deep) + "<m id='20000'/>")).Details["limit"]);
        Assert.Contains("</a></a>", Call(Raw, Message("<r href='#0'/>", string.Concat(deep) + "<m id='20000'/>"), new Limits { MaxXmlDepth = 30_000 }));
        Assert.Equal("maxXmlDepth", Fails(ErrorCode.TooLarge, Message(string.Concat(Enumerable.Repeat("<a>", 20_000)))).Details["limit"]);
    }

    [Test]
    public static void WhatIsKeptCountsAsMemory()
    {
        string text = Message("<r/>", string.Concat(Enumerable.Repeat("<m xmlns:o='u' a='1'/>", 1000)));
        int kept = 160 * 1002 + 64 * 2000;
        CreoException error = Fails(ErrorCode.TooLarge, text, new Limits { MaxMemory = text.Length + kept });
        Assert.Equal("maxMemory", error.Details["limit"]);
        Assert.True(!error.Message.Contains("byte"), "no offset");
        Assert.Equal("<return></return>", Call(Raw, text, new Limits { MaxMemory = text.Length + kept + text.Length }));
    }

    [Test]
    public static void FaultsAreRead()
    {
        string Fault(string detail, string behind = "") =>
            Envelope($"<s:Fault><faultcode>s:Server</faultcode><faultstring>so</faultstring><detail>{detail}</detail></s:Fault>{behind}", " xmlns='urn:d'").Replace("<faultcode", "<faultcode xmlns=''");
        string Thrown(string detail, string behind = "") => Assert.Throws<OwnException>(() => Call(Raw, Fault(detail, behind), status: 500)).Reason;
        Assert.Equal("no", Thrown("<Own><reason x:type='d:string'>no</reason></Own>"));
        Assert.Equal("no", Thrown("<o:Own xmlns:o='urn:o' href='#x'/>", "<m id='x' x:type='o:Own' xmlns:o='urn:t'><reason href='#y'/></m><m id='y'>no</m>"));
        Assert.Equal("no", Thrown("<other/> <!-- --><Own id='1'><p:reason xmlns:p='urn:p'>no</p:reason></Own>"));
        foreach (string detail in new[] { "<other xmlns='urn:1'><a>1</a></other>", "text", "" })
        {
            CreoException error = Assert.Fails(ErrorCode.Internal, () => Call(Raw, Fault(detail), status: 500));
            Assert.Equal("so", error.Text);
            Assert.Equal("s:Server", error.Details["fault-code"]);
        }
        CreoException unread = Assert.Fails(ErrorCode.Internal, () => Call(Raw, Fault("<Own><x/></Own>"), status: 500));
        Assert.Contains("malformed: ", unread.Details["fault-problem"]);
        Assert.True(!unread.Details["fault-problem"].Contains("byte"), "no offset");
        Assert.Fails(ErrorCode.Malformed, () => Call(Raw, Fault("<Own href='#none'/>")));
    }
}
