/** Kinds of CSV files: encodings, delimiters, quotes, and how numbers and codes are written. */

import iconv from "iconv-lite";

import { codeOf, csvOf, type Facts, type Kind, type Row, rowOf } from "./kind.ts";

const BOM = "\ufeff";
const TITLE = "Başlık *";

interface TextKind extends Pick<Kind, "must"> {
  readonly name: string;
  readonly changes?: Row;
  readonly facts?: Partial<Facts>;
  readonly toBytes?: (csv: string) => string | Buffer;
  readonly delimiter?: string;
  readonly quotes?: "all";
  readonly file?: string;
  readonly code?: RegExp;
}

const encoded =
  (encoding: string) =>
  (csv: string): Buffer =>
    iconv.encode(csv, encoding);

/** Headers in ASCII, as many programs write them. */
const ASCII: ReadonlyMap<string, string> = new Map(
  ["ğg", "üu", "şs", "ıi", "öo", "çc", "ĞG", "ÜU", "ŞS", "İI", "ÖO", "ÇC"].map(
    ([from = "", to = ""]) => [from, to],
  ),
);
const toAscii = (text: string): string =>
  text.replaceAll(/[ğüşıöçĞÜŞİÖÇ]/gu, (letter) => ASCII.get(letter) ?? letter);
/** Replaces the headers by ASCII ones, as many programs write them. */
const ascii = (csv: string): string => csv.replace(/^[^\r\n]*/u, toAscii);

/** A row in which only the title tells the encoding. */
const plainRow = (title: string): Row => ({ ...mapTexts(toAscii), [TITLE]: title });
/** The same row in capitals, as accounting programs write it. */
const capitalRow = (title: string): Row => ({
  ...mapTexts((text) => toAscii(text).toUpperCase()),
  [TITLE]: title,
});

const mapTexts = (change: (text: string) => string): Row =>
  Object.fromEntries(
    Object.entries(rowOf()).map(([header, cell]) => {
      const isKept = typeof cell !== "string" || /^(?:Ürün Kodu|Görsel)/u.test(header);
      return [header, isKept ? cell : change(cell)];
    }),
  );

/** Rows with this title, which may be read correctly or asked about. */
const titled = (
  title: string,
  toBytes: NonNullable<TextKind["toBytes"]>,
  changes: Row = { [TITLE]: title },
): Pick<TextKind, "changes" | "facts" | "toBytes"> => ({
  changes,
  facts: { title },
  toBytes,
});

const asItIs = (csv: string): string => csv;

const turkish = encoded("win1254");
const TEXTS: readonly TextKind[] = [
  { name: "UTF-8", ...titled("Çelik Kaşık İğne", asItIs), must: "sent" },
  { name: "UTF-8 with its mark", ...titled("Çelik Kaşık İğne", (csv) => BOM + csv), must: "sent" },
  {
    name: "UTF-16 with its mark",
    ...titled("Çelik Kaşık", (csv) => iconv.encode(csv, "utf16le", { addBOM: true })),
    must: "sent",
  },
  { name: "windows-1254 in title case", ...titled("Çelik Kaşık Seti", turkish), must: "sent" },
  {
    name: "windows-1254 in capitals",
    ...titled("ÜRÜN SETİ ÇİZME BİSİKLET", turkish, capitalRow("ÜRÜN SETİ ÇİZME BİSİKLET")),
    must: "safe",
  },
  {
    name: "windows-1254 in capitals below ASCII headers",
    ...titled(
      "ÜRÜN SETİ ÇİZME BİSİKLET",
      (csv) => turkish(ascii(csv)),
      capitalRow("ÜRÜN SETİ ÇİZME BİSİKLET"),
    ),
    must: "safe",
  },
  {
    name: "windows-1254 with one Turkish letter",
    ...titled("Ülker", (csv) => turkish(ascii(csv)), plainRow("Ülker")),
    must: "safe",
  },
  {
    name: "windows-1254 with one İ",
    ...titled("İnci", (csv) => turkish(ascii(csv)), plainRow("İnci")),
    must: "safe",
  },
  {
    name: "windows-1252 with one French letter",
    ...titled("Crème", (csv) => encoded("win1252")(ascii(csv)), plainRow("Crème")),
    must: "safe",
  },
  {
    name: "windows-1252 with one Spanish letter",
    ...titled("Jalapeño", (csv) => encoded("win1252")(ascii(csv)), plainRow("Jalapeño")),
    must: "safe",
  },
  {
    name: "windows-1252 with the euro sign",
    ...titled("Hediye 10€", (csv) => encoded("win1252")(ascii(csv)), plainRow("Hediye 10€")),
    must: "safe",
  },
  {
    name: "cp857 from a DOS program",
    ...titled("Çelik Kaşık Şeker Ağ", encoded("cp857")),
    must: "safe",
  },
  {
    name: "UTF-8 that was encoded twice, by a program that took it for ISO-8859-1",
    ...titled(
      "Çelik Kaşık",
      (csv) => Buffer.from(iconv.encode(ascii(csv), "utf8").toString("latin1")),
      plainRow("Çelik Kaşık"),
    ),
    must: "safe",
  },
  {
    name: "UTF-8 that was encoded twice",
    ...titled(
      "Çelik Kaşık",
      (csv) => Buffer.from(iconv.decode(iconv.encode(ascii(csv), "utf8"), "win1254")),
      plainRow("Çelik Kaşık"),
    ),
    must: "safe",
  },
  { name: "commas between", delimiter: ",", must: "sent" },
  { name: "tabs between", delimiter: "\t", must: "sent" },
  { name: "pipes between", delimiter: "|", must: "sent" },
  { name: "every cell in quotes", quotes: "all", must: "sent" },
  {
    name: "a line break and a quote in a cell",
    changes: { [TITLE]: 'Kaşık "büyük"\nçelik' },
    facts: { title: 'Kaşık "büyük"\nçelik' },
    must: "safe",
  },
  {
    name: 'a code as ="00123"',
    changes: { "Ürün Kodu *": "@@" },
    toBytes: (csv) => csv.replace("@@", '"=""00123"""'),
    facts: { product_code: "00123" },
    must: "sent",
  },
  {
    name: 'a code as ="00123" without quotes around',
    changes: { "Ürün Kodu *": "@@" },
    toBytes: (csv) => csv.replace("@@", '="00123"'),
    facts: { product_code: "00123" },
    must: "safe",
  },
  {
    name: 'a title as ="00123"',
    changes: { [TITLE]: "@@" },
    toBytes: (csv) => csv.replace("@@", '"=""00123"""'),
    facts: { title: "00123" },
    must: "sent",
  },
  {
    name: "a code as '00123",
    changes: { "Ürün Kodu *": "'00123" },
    facts: { product_code: "00123" },
    must: "sent",
  },
  {
    name: "a title with an apostrophe inside",
    changes: { [TITLE]: "Ali'nin Kaşığı" },
    facts: { title: "Ali'nin Kaşığı" },
    must: "sent",
  },
  {
    name: "blanks around a code",
    changes: { "Ürün Kodu *": "  BOSLUK-1  " },
    facts: { product_code: "BOSLUK-1" },
    must: "sent",
  },
  {
    name: "a no-break space around a price",
    changes: { "Fiyat *": "\u00a0499,90\u00a0" },
    facts: { price: 49_990 },
    must: "sent",
  },
  {
    name: "a price with points for thousands",
    changes: { "Fiyat *": "1.299,90" },
    facts: { price: 129_990 },
    must: "sent",
  },
  {
    name: "a price with commas for thousands",
    changes: { "Fiyat *": "1,299.90" },
    facts: { price: 129_990 },
    must: "sent",
  },
  {
    name: "a price that can be read in two ways",
    changes: { "Fiyat *": "1.299" },
    facts: { price: 129_900 },
    must: "refused",
    code: /^E_NUMBER_AMBIGUOUS$/u,
  },
  {
    name: "a price with TL behind",
    changes: { "Fiyat *": "499,90 TL" },
    facts: { price: 49_990 },
    must: "sent",
  },
  {
    name: "a price with USD behind",
    changes: { "Fiyat *": "12,50 USD" },
    facts: { price: 1250, currency: "USD" },
    must: "safe",
  },
  { name: "a code in powers of ten", changes: { "Ürün Kodu *": "8,69012E+12" }, must: "refused" },
  {
    name: "a code with a sharp before",
    changes: { "Ürün Kodu *": "#1002" },
    facts: { product_code: "#1002" },
    must: "safe",
  },
  {
    name: "a row whose price has slipped at a comma",
    delimiter: ",",
    changes: { "Fiyat *": "@@" },
    toBytes: (csv) => csv.replace("@@", "1299,90"),
    must: "refused",
  },
  {
    name: "a cut off last cell",
    changes: { Not: "" },
    toBytes: (csv) => csv.replace(/;$/u, ""),
    must: "safe",
  },
];

function toKind({
  name,
  changes = {},
  facts,
  toBytes = asItIs,
  delimiter,
  quotes,
  file = "a.csv",
  ...rest
}: TextKind): Kind {
  const row = rowOf(changes);
  return {
    name,
    file,
    content: () => toBytes(csvOf([row], delimiter, quotes)),
    reads: [{ product_code: codeOf(row), ...facts }],
    ...rest,
  };
}

export const TEXT_KINDS: readonly Kind[] = TEXTS.map(toKind);

const ragged = ["", "", ""].map(() => rowOf({ Not: "" }));

/** Kinds of files that neighbouring rows decide. */
export const LIST_KINDS: readonly Kind[] = [
  {
    name: "rows whose empty ends Excel has left out",
    file: "a.csv",
    content: () => csvOf(ragged).replaceAll(/;$/gmu, ""),
    reads: ragged.map((row) => ({ product_code: codeOf(row), price: 49_990 })),
    must: "safe",
  },
  {
    name: "numbers of two notations in one column",
    file: "a.csv",
    content: () =>
      csvOf([
        rowOf({ "Ürün Kodu *": "N-1", "Fiyat *": "1.299,90" }),
        rowOf({ "Ürün Kodu *": "N-2", "Fiyat *": "1,299.90" }),
      ]),
    reads: [
      { product_code: "N-1", price: 129_990 },
      { product_code: "N-2", price: 129_990 },
    ],
    must: "safe",
  },
  {
    name: "titles above the headers",
    file: "a.csv",
    content: () => `Stok listesi\r\n${csvOf([rowOf({ "Ürün Kodu *": "B-1" })])}`,
    reads: [{ product_code: "B-1", price: 49_990 }],
    must: "safe",
  },
  {
    name: "a line of the report above the headers",
    file: "a.csv",
    content: () => `Rapor;Stok Listesi\r\n${csvOf([rowOf({ "Ürün Kodu *": "B-2" })])}`,
    reads: [{ product_code: "B-2", price: 49_990 }],
    must: "safe",
  },
];
