using System;

namespace Creo.Tests;

/// <summary>BIN-15: errors say where.</summary>
public static class PlaceTests
{
    private static CreoException Read(string hex, Limits? limits = null) => Assert.Throws<CreoException>(
        () => Binary.FromBytes(Convert.FromHexString(hex.Replace(" ", "")), NodeCodec.Decode, NodeCodec.Layout, limits));

    private static CreoException Write(Node value, Limits? limits = null) =>
        Assert.Throws<CreoException>(() => Binary.ToBytes(value, NodeCodec.Encode, NodeCodec.Layout, limits));

    private static void At(string place, long? offset, CreoException error)
    {
        Assert.Equal(place, error.Place, error.Message);
        Assert.Equal(offset, error.Offset, error.Message);
    }

    [Test]
    public static void RoundTrip()
    {
        Node node = Node.Leaf("a") with { Children = [Node.Leaf("b"), Node.Leaf("c") with { Flags = [new("x", true)] }] };
        byte[] bytes = Binary.ToBytes(node, NodeCodec.Encode, NodeCodec.Layout);
        Assert.Equal(node, Binary.FromBytes<Node>(bytes, NodeCodec.Decode, NodeCodec.Layout));
    }

    [Test]
    public static void ReadingSaysWhere()
    {
        At("$.name", 0, Read(""));
        At("$.name", 1, Read("01 ff"));
        At("$.name", 2, Read("02 61 ff 00 00 00"));
        At("$.samples", 2, Read("01 61 02 3ff0000000000000"));
        At("$.children[1].name", 11, Read("01 61 00 02  01 62 00 00 00  02 63 ff 00 00 00  00"));
        At("$.flags{1}.value", 9, Read("00 00 00 02  01 61 01  01 62 02"));
        At("$.flags{1}.key", 7, Read("00 00 00 02  01 61 01  01 61 00"));
        At("$", 4, Read("00 00 00 00 07"));
        At("$.flags", 3, Read("00 00 00 80"));
        At("$.flags", 3, Read("00 00 00 8000"));
    }

    [Test]
    public static void ReadingTooDeepSaysWhere()
    {
        CreoException error = Read("00 00 01  00 00 01  00 00 00 00  00 00", new Limits { MaxDepth = 2 });
        Assert.Equal(ErrorCode.TooLarge, error.Code);
        At("$.children[0].children[0]", 6, error);
    }

    [Test]
    public static void WritingSaysWhere()
    {
        Node node = Node.Leaf("a");
        At("$.name", null, Write(node with { Name = "\ud800" }));
        At("$.name", null, Write(node with { Name = null! }));
        At("$.flags", null, Write(node with { Flags = null! }));
        At("$.flags{1}.key", null, Write(node with { Flags = [new("a", true), new("\udc00", true)] }));
        At("$.children[1].name", null, Write(node with { Children = [node, node with { Name = "\ud800" }] }));
        At("$.children[2]", null, Write(node with { Children = [node, node, null!] }));
        At("$", null, Write(null!));
        CreoException error = Write(node with { Children = [node, node with { Children = [node] }] }, new Limits { MaxDepth = 2 });
        Assert.Equal(ErrorCode.TooLarge, error.Code);
        At("$.children[1].children[0]", null, error);
        error = Write(node with { Children = [node, node with { Samples = new double[100] }] }, new Limits { MaxMessageSize = 200 });
        At("$.children[1].samples[0]", null, error);
        Assert.Contains("maxMessageSize is 200", error.Message);
    }

    [Test]
    public static void AThreadsWriterIsFreshAfterAFailure()
    {
        Node node = Node.Leaf("a");
        Write(node with { Children = [node with { Name = null! }] });
        Assert.Equal(node, Binary.FromBytes<Node>(Binary.ToBytes(node, NodeCodec.Encode, NodeCodec.Layout), NodeCodec.Decode, NodeCodec.Layout));
    }
}
