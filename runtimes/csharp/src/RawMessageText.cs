using System;
using System.IO;
using Creo.Http;

namespace Creo;

/// <remarks><see cref="ToText"/> makes it fit for a log.</remarks>
public sealed partial class RawMessage
{
    /// <summary>The message as text of several lines (CALL-68).</summary>
    /// <param name="indented">Whether XML and JSON get line breaks and indentation.</param>
    public string ToText(bool indented = false) => RawText.Of(this, indented);

    /// <summary>What writes each message to a log, as text of several lines, for <see cref="ClientOptions.RawMessages"/>.</summary>
    /// <param name="log">The log. Messages of several calls are written one after the other.</param>
    /// <param name="indented">Whether XML and JSON get line breaks and indentation.</param>
    public static Action<RawMessage> To(TextWriter log, bool indented = false)
    {
        ArgumentNullException.ThrowIfNull(log);
        object turn = new();
        return message =>
        {
            string text = message.ToText(indented);
            lock (turn)
            {
                log.WriteLine(text);
            }
        };
    }
}
