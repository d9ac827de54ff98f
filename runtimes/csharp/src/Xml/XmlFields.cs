using System.Linq;
using Creo.Xml;

namespace Creo;

// The names of fields in the form that XML compares and copies, made on first use.
public sealed partial class TextField
{
    private XmlName? _xml;
    private XmlName[]? _firstNames;

    internal XmlName Xml => _xml ??= new XmlName(Namespace, Local);

    /// <summary>The names of the elements that can begin it, if it is inline.</summary>
    internal XmlName[] FirstNames =>
        _firstNames ??= [.. Starts.SelectMany(static part => part.Locals.Select(local => new XmlName(part.Namespace, local)))];

    /// <summary>Whether an element of this name can begin the field.</summary>
    internal bool Takes(string ns, byte[] bytes, int from, int to)
    {
        if (Place == TextPlace.Element)
        {
            return Xml.Is(ns, bytes, from, to);
        }
        if (Place == TextPlace.Inline)
        {
            foreach (XmlName start in FirstNames)
            {
                if (start.Is(ns, bytes, from, to))
                {
                    return true;
                }
            }
        }
        return false;
    }
}

public sealed partial class TextRecord
{
    private XmlName? _xml;

    /// <summary>The name of its XML Schema type.</summary>
    internal XmlName Xml => _xml ??= new XmlName(Namespace, Local);
}
