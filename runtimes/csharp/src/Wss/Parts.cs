using System;
using System.Collections.Generic;

namespace Creo.Wss;

/// <summary>Reads the parts of elements that have a fixed form.</summary>
internal static class Parts
{
    /// <summary>The only child element with a name; null if there is none, and two are refused.</summary>
    public static Element? Only(this Element parent, string ns, string local)
    {
        Element? found = null;
        foreach (Element child in parent.Children)
        {
            if (child.Is(ns, local))
            {
                found = found is null ? child : throw Reason.Unreadable.Because($"two elements {local} in {Reason.Shown(parent.Local)}");
            }
        }
        return found;
    }

    /// <summary>As <see cref="Only"/>; none is refused, too.</summary>
    public static Element Required(this Element parent, string ns, string local) =>
        parent.Only(ns, local) ?? throw Reason.Unreadable.Because($"{Reason.Shown(parent.Local)} without {local}");

    /// <summary>The text of an element that holds nothing but text, without white space around it.</summary>
    public static string OnlyText(this Element element)
    {
        foreach (Node node in element.Nodes)
        {
            if (node is not Text)
            {
                throw Reason.Unreadable.Because($"{Reason.Shown(element.Local)} that holds more than a text");
            }
        }
        return element.InnerText.Trim();
    }

    /// <summary>The bytes of an element with a text in base64, which may have white space.</summary>
    public static byte[] OnlyBytes(this Element element)
    {
        try
        {
            return Convert.FromBase64String(element.OnlyText());
        }
        catch (FormatException)
        {
            throw Reason.Unreadable.Because("a text that is not base64");
        }
    }

    /// <summary>The child elements, which have these names in the namespace of signatures; anything else is refused.</summary>
    public static List<Element> Exactly(this Element parent, params string[] names)
    {
        List<Element> children = parent.Children;
        bool fits = children.Count == names.Length;
        for (int i = 0; fits && i < names.Length; i++)
        {
            fits = children[i].Is(WssNames.Dsig, names[i]);
        }
        return fits ? children : throw Reason.Unreadable.Because($"{Reason.Shown(parent.Local)} has {(names.Length == 0 ? "no elements" : string.Join(", ", names) + ", and nothing else")}");
    }
}
