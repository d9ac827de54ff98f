using System;
using System.Collections.Generic;
using System.Text;
using Creo.Messages;
using Creo.Tables;
using Creo.Xml;

namespace Creo.Soap
{
    // Bodies with tables (TDX-50).
    internal sealed partial class SoapMessages
    {
        partial void RentForTables(ref TextOutput? writer)
        {
            if (soap.Tables is not null)
            {
                writer = TableWriter.Rent(limits);
            }
        }

        // A table replaces the method's element. It also contains the method's headers.
        partial void WriteTable<TArguments, TResult>(
            TextOutput writer,
            byte[] blocks,
            Method<TArguments, TResult> method,
            TextMethod<TArguments, TResult> text,
            TArguments arguments,
            ref List<ReadOnlyMemory<byte>>? parts)
        {
            var table = (TableWriter)writer;
            parts = _isPackaged ? table.CollectParts() : null;
            table.Raw(Encoding.ASCII.GetBytes($"<soap:Envelope xmlns:soap=\"{SoapNames.Envelope(VersionOf(text))}\">"));
            if (blocks.Length > 0)
            {
                table.Raw("<soap:Header>"u8);
                table.Raw(blocks);
                table.Raw("</soap:Header>"u8);
            }
            table.Raw("<soap:Body>"u8);
            table.WriteRequest(soap.Tables!, method.Name, method.Name, text.Request, arguments);
            table.Raw("</soap:Body></soap:Envelope>"u8);
            table.CheckSize();
        }

        partial void TakeTables(XmlReader reader)
        {
            if (soap.Tables is not null)
            {
                reader.TakeTables();
            }
        }

        partial void ReadTable<TArguments, TResult>(
            Method<TArguments, TResult> method, TextResponse<TResult> response, XmlReader reader, Package? package, ref bool isTable, ref TResult result)
        {
            isTable = reader.IsTableNext;
            if (isTable)
            {
                TableText table = reader.ReadTableInBody();
                table.Check(null, response.Schema(method.Name));
                result = TableReader.ReadResult(table, response.Read, limits, reader.MemoryLeft, package);
            }
        }
    }
}

namespace Creo.Xml
{
    // Tables in the bodies of envelopes.
    internal sealed partial class XmlReader
    {
        /// <summary>Reads a table document in the body of a SOAP message, up to the end of the text.</summary>
        public TableText ReadTableInBody()
        {
            if (!_pending)
            {
                throw Malformed(_pos, "an empty body, where a table must be");
            }
            _pending = false;

            // Of a table nothing is read leniently (XML-50).
            _isLenient = false;
            TableText table = ReadEnvelope();
            EndOf("body");
            EndOf("envelope");
            EndDocument();
            return table;
        }
    }
}

namespace Creo
{
    public sealed partial record SoapOptions
    {
        /// <summary>The form of tables in bodies (TDX-50); null for XML.</summary>
        public TableOptions? Tables { get; init; }
    }
}
