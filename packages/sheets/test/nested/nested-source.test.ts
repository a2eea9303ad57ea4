import { expect, it } from "vitest";

import { openSheet, type OpenSheetOptions } from "../../src/index.ts";
import { fileOf, readAll, refusal } from "../helpers/files.ts";

/** Knows the headers of these tests, as the mapping knows those of products. */
const judgeRecord: NonNullable<OpenSheetOptions["judgeRecord"]> = (path, headers) => ({
  known: headers.filter((header) => /^(?:kod|code|ad|name|fiyat|price|stok|stock)$/iu.test(header))
    .length,
  code: headers.findIndex((header) => /^(?:kod|code)$/iu.test(header)),
  hasOffer: headers.some((header) => /^(?:fiyat|price|stok|stock)$/iu.test(header)),
  isVariant: path.slice(-2).some((name) => /variant/iu.test(name)),
});

const read = async (content: string | Uint8Array, sheet?: string, name = "feed.xml") => {
  const options = sheet === undefined ? { judgeRecord } : { judgeRecord, sheet };
  const { sheet: record, header, rows, encoding } = await readAll(fileOf(name, content), options);
  return { record, header, rows: rows.map(({ cells }) => cells), encoding };
};

const refuse = async (content: string | Uint8Array, sheet?: string) =>
  await refusal(
    openSheet({
      path: fileOf("feed.xml", content),
      judgeRecord,
      ...(sheet !== undefined && { sheet }),
    }),
  );

const VARIANTS = `<?xml version="1.0" encoding="UTF-8"?>
<Products currency="USD">
  <Product id="1">
    <Code>P1</Code><Stock>9</Stock>
    <Variants>
      <Variant><Code>V1</Code><Stock>1</Stock><Images><Image>https://a/1,2.jpg</Image><Image>b</Image></Images></Variant>
      <Variant><Code>V2</Code><Stock>0</Stock></Variant>
    </Variants>
    <Name><![CDATA[A & B]]></Name>
  </Product>
  <Product id="2"><Code>P2</Code><Stock>5</Stock><Variants/><Name>&#x130;ki &lt;2&gt;</Name></Product>
</Products>
`;

it("reads variants with the values of their products, and products without variants", async () => {
  expect(await read(VARIANTS)).toEqual({
    record: "Products/Product/Variants/Variant",
    header: [
      "../@id",
      "../Code",
      "../Stock",
      "../Name",
      "Code",
      "Stock",
      "Images/Image",
      "/Products/@currency",
    ],
    rows: [
      ["1", "P1", "9", "A & B", "V1", "1", "https://a/1,2.jpg\nb", "USD"],
      ["1", "P1", "9", "A & B", "V2", "0", null, "USD"],
      ["2", "P2", "5", "İki <2>", "P2", "5", null, "USD"],
    ],
    encoding: "utf-8",
  });
});

it("takes the record that is named", async () => {
  const { header, rows } = await read(VARIANTS, "Products/Product");

  expect(header).toContain("Variants/Variant/Code");
  expect(rows[0]?.slice(0, 4)).toEqual(["1", "P1", "9", "V1\nV2"]);
});

const RSS = `<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel><title>Shop</title>
<item><g:kod>1</g:kod><title>A</title></item><item><g:kod>2</g:kod><title>B</title></item>
</channel></rss>`;

it.each([
  ["rss/channel/item", RSS, ["g:kod", "title", "/rss/channel/title", "/rss/@version"]],
  [
    "urunler/urun",
    "<urunler><urun><kod>1</kod><fiyat>2</fiyat></urun></urunler>",
    ["kod", "fiyat"],
  ],
  ["Ürünler/Ürün", "<Ürünler><Ürün kod='1' fiyat='2'/></Ürünler>", ["@kod", "@fiyat"]],
  ["data.items", '{"ok":true,"data":{"items":[{"kod":1},{"kod":2}]}}', ["kod", "/ok"]],
  [".", '[{"kod":1,"n":{"a":1}}]', ["kod", "n.a"]],
  [".", '{"kod":1}\n{"kod":2,"x":null}\n', ["kod", "x"]],
])("finds the record %s", async (record, content, header) => {
  expect(await read(content)).toMatchObject({ record, header });
});

it("keeps long numbers of JSON as the digits that they are", async () => {
  const { rows } = await read('[{"kod":8690000000000000123,"fiyat":12.50,"s":"007","t":true}]');

  expect(rows).toEqual([["8690000000000000123", 12.5, "007", true]]);
});

const item = (text: string): string => `<u><kod>1</kod><d>${text}</d></u>`;

it("reads a description with markup as its markup, and a plain one as its text", async () => {
  const { rows } = await read(`<x>${item("a <b>b</b> &amp; c")}${item("a &amp; b")}</x>`);

  expect(rows.map((cells) => cells[1])).toEqual(["a <b>b</b> &amp; c", "a & b"]);
});

const described = (code: string, more: string): string =>
  `<u><kod>${code}</kod><Aciklama>${more}</Aciklama><fiyatlar><p>10</p><b>9</b></fiyatlar></u>`;

it("keeps the markup of a description without text beside it, and of nothing else", async () => {
  const list = `<ul class="x"><li>A &amp; <b>B</b></li><li>C</li></ul>`;
  const { header, rows } = await read(
    `<x>${described("1", `<P>a</P><br/>${list}`)}${described("2", "c")}</x>`,
  );

  expect(header).toEqual(["kod", "Aciklama", "fiyatlar/p", "fiyatlar/b"]);
  expect(rows.map((cells) => cells[1])).toEqual([`<P>a</P><br>${list}`, "c"]);
});

it("names the values of the only product around variants as those of many", async () => {
  const variants =
    "<Variants><Variant><Code>1</Code></Variant><Variant><Code>2</Code></Variant></Variants>";
  const { header } = await read(`<Shop><Product><Name>A</Name>${variants}</Product></Shop>`);

  expect(header).toEqual(["../Name", "Code"]);
});

const TWO = `<x><a><kod>1</kod><fiyat>1</fiyat></a><a><kod>2</kod><fiyat>1</fiyat></a>
<b><kod>1</kod><fiyat>1</fiyat></b><b><kod>2</kod><fiyat>1</fiyat></b></x>`;
const deep = "<a>".repeat(100);
const bomb = `<!DOCTYPE x [<!ENTITY a "${"a".repeat(20)}"><!ENTITY b "&a;&a;&a;">]>`;

it.each([
  ["E_RECORD_CHOICE", TWO, { names: ["x/a", "x/b"], rowCounts: [2, 2] }],
  [
    "E_RECORD_SYNTAX",
    "<x><a><kod>K1</kod></a><a><kod>K2</kod>\n<b></a></x>",
    { record: 2, code: "K2", line: 2 },
  ],
  ["E_RECORD_SYNTAX", "<x><a b=1><kod>1</kod></a></x>", { line: 1 }],
  ["E_RECORD_SYNTAX", "<x><a><kod>&nbsp;</kod></a></x>", { path: "x/a/kod" }],
  ["E_FILE_TRUNCATED", "<x><a><kod>1</kod></a><a><kod>", { record: 2 }],
  ["E_FILE_TRUNCATED", '[{"kod":1},{"kod":2}', {}],
  ["E_RECORD_SYNTAX", '[{"kod":1,}]', { found: "}" }],
  ["E_RECORD_CONTENT", '[{"kod":1,"kod":2}]', { reason: "key-twice" }],
  ["E_RECORD_CONTENT", "<x><a><kod>1</kod></a>kayıp<a><kod>2</kod></a></x>", { reason: "mixed" }],
  ["E_RECORD_DOCTYPE", `<?xml version="1.0"?>${bomb}<x><a><kod>&b;</kod></a></x>`, {}],
  ["E_RECORD_LIMIT", `<?xml version="1.0"?>${deep}`, { bound: "depth" }],
  ["E_FILE_EMPTY", "<?xml version='1.0'?><urunler></urunler>", {}],
  ["E_FILE_EMPTY", "<urunler/>", {}],
  ["E_FILE_EMPTY", '{"items":[]}', {}],
])("refuses with %s: %s", async (code, content, details) => {
  const error = await refuse(content);

  expect(error).toMatchObject({ code, details });
});

it("names the records that there are where the named one is missing", async () => {
  const error = await refuse(TWO, "x/c");

  expect(error).toMatchObject({ code: "E_RECORD_UNKNOWN", details: { names: ["x/a", "x/b"] } });
  expect(error.localized.en).toContain('--record "x/a"');
});
