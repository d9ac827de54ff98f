using Creo.Tables;
using Creo.Xml;

namespace Creo.Tcp
{
    internal abstract partial class BodyWire
    {
        static partial void AddTables(ClientOptions options, ref BodyWire? found)
        {
            if (options.Wire == Wire.Tdxml)
            {
                found = new TcpTables(options.Tables);
            }
        }
    }

    /// <summary>Tables as the bodies of frames (TDX-52).</summary>
    internal sealed class TcpTables(TableOptions options) : BodyWire
    {
        /// <inheritdoc/>
        public override Wire Wire => Wire.Tdxml;

        /// <inheritdoc/>
        public override void Write<TArguments, TResult>(Writer target, Method<TArguments, TResult> method, TArguments arguments)
        {
            TableWriter writer = TableWriter.Rent(target.Limits);
            try
            {
                writer.WriteRequest(options, method.Name, null, method.TextOrFail().Request, arguments);
                writer.CheckSize();
                writer.Written.Span.CopyTo(target.Blocks(writer.Written.Length, 1));
            }
            catch (CreoException error) when (error.Place is null)
            {
                throw writer.Locate(error);
            }
            finally
            {
                writer.GiveBack();
            }
        }

        /// <inheritdoc/>
        public override TResult Read<TArguments, TResult>(AnswerBody answer, Method<TArguments, TResult> method, Limits limits)
        {
            XmlReader reader = XmlReader.Rent(limits);
            try
            {
                reader.Open(answer.Body, null);
                TableText table = reader.ReadTable();
                TextMethod<TArguments, TResult> text = method.TextOrFail();
                if (answer.Kind == FrameKind.Exception)
                {
                    throw TableErrors.Of(table, text.Throws, limits, reader.MemoryLeft, static () => new CreoException(ErrorCode.Malformed, "an exception that does not say which it is"));
                }
                TextResponse<TResult> response = text.Response ?? throw new CreoException(ErrorCode.Malformed, "a response of a method that has none");
                table.Check(null, response.Schema(method.Name));
                return TableReader.ReadResult(table, response.Read, limits, reader.MemoryLeft);
            }
            catch (CreoException error) when (error is { Place: null, Code: ErrorCode.Malformed or ErrorCode.TooLarge, FromPeer: false })
            {
                throw reader.Locate(error);
            }
            finally
            {
                reader.GiveBack();
            }
        }
    }
}

namespace Creo
{
    public sealed partial record ClientOptions
    {
        /// <summary>The form of tables on a TCP connection with that wire.</summary>
        public TableOptions Tables { get; init; } = TableOptions.Default;
    }
}
