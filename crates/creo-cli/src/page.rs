//! Results as one page that opens without a network, on wide and narrow screens and on paper, in light and dark mode: its style, verdict and tables.

use crate::verdict::Verdict;

/// Colours that are distinguishable with any vision (Okabe and Ito), lighter in dark mode; lines also differ in their dashes.
const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#1b1b1f;--soft:#55555c;--paper:#fff;--rule:#dcdce0;--head:#f3f3f6;--c0:#0072b2;--c1:#d55e00;--c2:#009e73;--c3:#aa4f86;--c4:#8a6d00}\
@media(prefers-color-scheme:dark){:root{--ink:#e8e8ec;--soft:#a9a9b2;--paper:#17171a;--rule:#3a3a40;--head:#232328;--c0:#56b4e9;--c1:#ff9a57;--c2:#33c99a;--c3:#e6a5cc;--c4:#f0d060}}\
body{font:16px/1.45 system-ui,sans-serif;margin:1.5rem auto;max-width:78rem;padding:0 1rem;color:var(--ink);background:var(--paper);overflow-wrap:anywhere}\
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}\
dl{display:grid;grid-template-columns:max-content 1fr;gap:.3rem 1rem}dt{font-weight:600}dd{margin:0}\
table{border-collapse:collapse;width:100%;font-size:.82rem;font-variant-numeric:tabular-nums}\
th,td{padding:.25rem .45rem;text-align:right;border-bottom:1px solid var(--rule);vertical-align:top;overflow-wrap:normal}th{background:var(--head);vertical-align:bottom}\
td.name,th.name{text-align:left}.plot{max-width:36rem;margin:1rem 0}.plot svg{width:100%;height:auto;font:14px system-ui,sans-serif}\
.plot text{fill:var(--ink)}.plot .grid{stroke:var(--rule)}.plot .mark{stroke:var(--soft);stroke-dasharray:3 3}.plot text.mark{stroke:none;fill:var(--soft)}.line{fill:none;stroke-width:2.5}\
.c0{stroke:var(--c0)}.c1{stroke:var(--c1);stroke-dasharray:9 4}.c2{stroke:var(--c2);stroke-dasharray:2.5 3.5}.c3{stroke:var(--c3);stroke-dasharray:10 3 2.5 3}.c4{stroke:var(--c4);stroke-dasharray:5 2}\
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:.2rem 1.4rem;padding:0;margin:.4rem 0}.legend svg{width:36px;height:10px;margin-right:.5rem}\
summary{cursor:pointer;margin:.6rem 0}footer{margin-top:2rem;color:var(--soft);font-size:.9rem}\
@media screen and (max-width:58rem){dl{grid-template-columns:1fr}dd{margin-bottom:.5rem}table,tbody,tr,td{display:block}thead{display:none}table{font-size:.95rem}\
tr{border:1px solid var(--rule);border-radius:6px;margin:.7rem 0;padding:.3rem .6rem}td,td.name{border:0;padding:.12rem 0;display:flex;justify-content:space-between;gap:1rem;text-align:right;overflow-wrap:anywhere}\
td::before{content:attr(data-label);color:var(--soft);text-align:left}}\
@media print{@page{size:landscape}:root{color-scheme:light;--ink:#000;--soft:#444;--paper:#fff;--rule:#bbb;--head:#eee;--c0:#0072b2;--c1:#d55e00;--c2:#009e73;--c3:#aa4f86;--c4:#8a6d00}body{margin:0;font-size:10pt}table{font-size:7.5pt}tr,.plot{break-inside:avoid}}";

/// The begin of a page, up to its verdict.
pub fn begin(title: &str, heading: &str, verdict: &Verdict) -> String {
    let lines: String = verdict
        .lines()
        .map(|(label, text)| format!("<dt>{}</dt><dd>{}</dd>\n", escaped(label), escaped(text)))
        .collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <title>{}</title><style>{STYLE}</style></head><body>\n<h1>{}</h1>\n<dl>\n{lines}</dl>\n",
        escaped(title),
        escaped(heading)
    )
}

/// The end of a page: notes about the numbers.
pub fn end(notes: &[String]) -> String {
    format!(
        "<footer>{}</footer>\n</body></html>\n",
        notes.iter().map(|note| escaped(note)).collect::<Vec<_>>().join("<br>\n")
    )
}

/// A table; the first row is its head, and the first `named` columns are left-aligned. On a narrow screen each row is a card, where each cell has its column's name.
pub fn table(rows: &[Vec<String>], named: usize) -> String {
    let Some((head, rows)) = rows.split_first() else { return String::new() };
    let class = |i: usize| if i < named { " class=\"name\"" } else { "" };
    let names: String =
        head.iter().enumerate().map(|(i, name)| format!("<th{}>{}</th>", class(i), escaped(name))).collect();
    let mut out = format!("<table>\n<thead><tr>{names}</tr></thead>\n<tbody>\n");
    for cells in rows {
        let cell = |(i, cell): (usize, &String)| {
            let label = head.get(i).map_or("", String::as_str);
            format!("<td{} data-label=\"{}\">{}</td>", class(i), escaped(label), escaped(cell))
        };
        out.push_str(&format!("<tr>{}</tr>\n", cells.iter().enumerate().map(cell).collect::<String>()));
    }
    out.push_str("</tbody></table>\n");
    out
}

/// Names of a description are hostile.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_know_their_column_and_names_do_no_harm() {
        let rows = [vec!["a\"b".to_owned(), "n".to_owned()], vec!["<i>".to_owned(), "1".to_owned()]];
        let table = table(&rows, 1);
        assert!(table.contains("<th class=\"name\">a&quot;b</th><th>n</th>"), "{table}");
        assert!(table.contains(
            "<td class=\"name\" data-label=\"a&quot;b\">&lt;i&gt;</td><td data-label=\"n\">1</td>"
        ));
    }
}
