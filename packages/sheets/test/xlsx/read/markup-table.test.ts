import { expect, it } from "vitest";

import { fileOf, readAll, readCells, refusal } from "../../helpers/files.ts";

const ROWS =
  "<tr><th>Kod</th><th>Ad</th><th>Fiyat</th></tr><tr><td>00123</td><td>&Ccedil;ay &amp; şeker<br>x</td><td>1.299,90</td></tr>";
const CELLS = [["00123", "Çay & şeker\nx", "1.299,90"]];

for (const [what, content] of [
  ["a page", Buffer.from(`<html><head><meta charset="utf-8"></head><table>${ROWS}</table></html>`)],
  ["a part of a page", Buffer.from(`<div><table border=1>${ROWS}</table></div>`)],
  ["a page in UTF-16", Buffer.from(`\ufeff<table>${ROWS}</table>`, "utf16le")],
  [
    "a page in windows-1254",
    Buffer.from(
      `<meta charset="windows-1254"><table>${ROWS}</table>`.replace("ş", "\u00fe"),
      "latin1",
    ),
  ],
] as const) {
  it(`reads the texts of a table in ${what} that is named like a workbook`, async () => {
    expect(await readCells(fileOf("liste.xls", content))).toEqual(CELLS);
  });
}

it.each([
  ["&#350;eker &#x131;&#x15F;&#305;k &ntilde;&frac12; &#150;", "Şeker ışık ñ½ –"],
  ["a&#160;b&nbsp;c", "a b c"],
  [
    "&#60;b&#62; &#38;amp; &amp;#351; &#0; &#55296; &unknown;",
    "<b> &amp; &#351; &#0; &#55296; &unknown;",
  ],
  ["Çelik <b>Kaşık</b> <font color=red>Seti</font> 6 <span>lı</span>", "Çelik Kaşık Seti 6 lı"],
  ["<p>Birinci</p> <p class=x>İkinci</p><p>Üçüncü</p>", "Birinci\nİkinci\nÜçüncü"],
  ["<div>bir<br/>iki</div>", "bir\niki"],
])("reads the text of a cell of HTML as a browser shows it: %s", async (content, shown) => {
  const rows = `<tr><th><b>Kod</b></th><th>Ad</th></tr><tr><td>K1</td><td>${content}</td></tr>`;
  const path = fileOf("liste.xls", `<meta charset="utf-8"><table>${rows}</table>`);

  expect(await readAll(path)).toMatchObject({
    header: ["Kod", "Ad"],
    rows: [{ cells: ["K1", shown] }],
  });
});

const cell = (type: string, text: string): string =>
  `<Cell><Data ss:Type="${type}">${text}</Data></Cell>`;

it("reads XML Spreadsheet 2003 with its numbers", async () => {
  const content = `<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="Ürünler"><Table><Row>${cell("String", "Kod")}${cell("String", "Fiyat")}</Row><Row>${cell("String", "00123")}${cell("Number", "12.5")}</Row></Table></Worksheet></Workbook>`;

  expect(await readAll(fileOf("liste.xml", content))).toMatchObject({
    sheet: "Ürünler",
    rows: [{ row: 2, cells: ["00123", 12.5] }],
  });
});

it.each([
  ["Currency", "#,##0.00"],
  ["Euro Currency", "[$€-2] #,##0.00"],
  ["Percent", "0.00%"],
  ["#,##0.00 &quot;TL&quot;", '#,##0.00 "TL"'],
])("reads the number format %s of XML Spreadsheet 2003", async (format, code) => {
  const style = `<Styles><Style ss:ID="s"><NumberFormat ss:Format="${format}"/></Style></Styles>`;
  const price = '<Cell ss:StyleID="s"><Data ss:Type="Number">12.5</Data></Cell>';
  const rows = `<Row>${cell("String", "Kod")}${cell("String", "Fiyat")}</Row><Row>${cell("String", "K1")}${price}</Row>`;
  const content = `<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">${style}<Worksheet ss:Name="A"><Table>${rows}</Table></Worksheet></Workbook>`;

  expect(await readAll(fileOf("liste.xml", content))).toMatchObject({
    rows: [{ cells: ["K1", 12.5], formats: { 1: code } }],
  });
});

it.each([
  ["a page without a table", "<html><p>Giriş yapın</p></html>", "E_FILE_TYPE", "html"],
  ["XML without a declaration", "<urunler><urun/></urunler>", "E_FILE_TYPE", "xml"],
  [
    "XML whose texts hold a table",
    "<rss><item><d><![CDATA[<table><tr><td>1</td></tr></table>]]></d></item></rss>",
    "E_FILE_TYPE",
    "xml",
  ],
  ["another kind of XML", "<?xml version='1.0'?><urunler><urun/></urunler>", "E_FILE_TYPE", "xml"],
  [
    "markup with entities of its own",
    '<!DOCTYPE x [<!ENTITY a "b">]><table></table>',
    "E_XML",
    undefined,
  ],
])("refuses %s", async (_, content, code, hint) => {
  const error = await refusal(readAll(fileOf("liste.xls", content)));

  expect([error.code, error.details.hint]).toEqual([code, hint]);
});
