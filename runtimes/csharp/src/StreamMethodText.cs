namespace Creo;

// What the json wire knows of a method with one stream (HTTP-30).
public sealed partial class StreamMethod<TArguments, TSent, TReceived, TResult>
{
    /// <summary>Writes an item that is sent; null if the wire does not carry the method, or it has no such stream.</summary>
    public TextPart<TSent>? WriteItem { get; init; }

    /// <summary>Reads an item that is received, as a result is read; null if the wire does not carry the method, or it has no such stream.</summary>
    public TextRead<TReceived>? ReadItem { get; init; }
}

public abstract partial class TextWireWriter
{
    /// <summary>An item of a stream of bytes, which has a sign on text wires.</summary>
    public void WriteByte(TextField field, byte value) => WriteSByte(field, unchecked((sbyte)value));
}

public abstract partial class TextWireReader
{
    /// <summary>An item of a stream of bytes.</summary>
    public byte ReadByte() => unchecked((byte)ReadSByte());
}
