/** Kinds of headers: brackets, words of other panels, and columns that state the currency. */

import { codeOf, csvOf, type Facts, type Kind, type Row, rowOf } from "./kind.ts";

interface HeaderKind extends Pick<Kind, "must" | "code"> {
  readonly name: string;
  /** Replacements of these headers; `null` leaves a column out. */
  readonly renamed?: Readonly<Record<string, string | null>>;
  readonly cells?: Row;
  readonly facts?: Partial<Facts>;
  readonly or?: Partial<Facts>;
}

const PRICE = "Fiyat *";
const STOCK = "Stok *";

/** A column of another price instead of the price column. */
const instead = (header: string): HeaderKind => ({
  name: `${header} alone`,
  renamed: { [PRICE]: header },
  must: "refused",
});

/** A column of another price beside the price column. */
const beside = (header: string, value: string): HeaderKind => ({
  name: `${header} beside the price`,
  cells: { [header]: value },
  facts: { price: 49_990 },
  must: "safe",
});

const KINDS: readonly HeaderKind[] = [
  ...["Fiyat (USD)", "Fiyat ($)", "Fiyat $", "Price (€)", "Satış Fiyatı €"].map(instead),
  ...["Fiyat (KDV'siz)", "Fiyat (+KDV)", "Satış Fiyatı (KDV Hrç.)", "Price (ex. VAT)"].map(instead),
  ...["Price (net)", "Price (wholesale)", "Price (old)", "Price (RRP)", "Fiyat (Bayi)"].map(
    instead,
  ),
  ...["Fiyat (Toptan)", "Fiyat (Koli)", "Fiyat (Liste)", "Fiyat (Piyasa)"].map(instead),
  ...["Fiyat (KDV Dahil)", "Fiyat (TL)", "Fiyat (₺)", "FİYAT*", "Satış Fiyatı"].map(
    (header): HeaderKind => ({
      name: `${header} alone`,
      renamed: { [PRICE]: header },
      facts: { price: 49_990 },
      must: "sent",
    }),
  ),
  beside("Fiyat (USD)", "12,50"),
  beside("Fiyat (KDV'siz)", "416,58"),
  beside("Price (old)", "899,90"),
  {
    name: "the net price beside Satış Fiyatı",
    renamed: { [PRICE]: "Satış Fiyatı" },
    cells: { "Fiyat (KDV'siz)": "416,58" },
    facts: { price: 49_990 },
    must: "safe",
  },
  {
    name: "the dollar price beside Satış Fiyatı",
    renamed: { [PRICE]: "Satış Fiyatı" },
    cells: { "Fiyat (USD)": "12,50" },
    facts: { price: 49_990 },
    must: "safe",
  },
  {
    name: "the least stock beside Stok Adedi",
    renamed: { [STOCK]: "Stok Adedi" },
    cells: { "Stok Adedi": "120", "Stok (Min)": "3" },
    facts: { stock_count: 120 },
    must: "safe",
  },
  { name: "reserved stock alone", renamed: { [STOCK]: "Stok (Rezerve)" }, must: "refused" },
  { name: "critical stock alone", renamed: { [STOCK]: "Stok (Kritik)" }, must: "refused" },
  {
    name: "the English title beside the title",
    cells: { "Başlık (EN)": "Spoon" },
    facts: { title: "Deneme ürünü 1" },
    must: "safe",
  },
  ...["CURRENCY_CODE", "Döviz Cinsi", "Satış Döviz", "currencyAbbr", "Döviz Kodu"].map(
    (header): HeaderKind => ({
      name: `dollars in a column ${header}`,
      cells: { [header]: "USD", [PRICE]: "12,50" },
      facts: { price: 1250, currency: "USD" },
      must: "safe",
    }),
  ),
  {
    name: "dollars in a column Para Birimi",
    cells: { "Para Birimi": "USD", [PRICE]: "12,50" },
    facts: { price: 1250, currency: "USD" },
    must: "safe",
  },
  {
    name: "years in a column Garanti",
    renamed: { "Garanti Tipi *": "Garanti" },
    cells: { Garanti: "2", "Garanti Süresi *": "24 Ay" },
    must: "refused",
  },
  { name: "Birim Fiyat of a supplier", renamed: { [PRICE]: "Birim Fiyat" }, must: "refused" },
  { name: "Adet of a supplier", renamed: { [STOCK]: "Adet" }, must: "refused" },
  {
    name: "Fiyat beside Perakende Satış Fiyatı",
    renamed: { [PRICE]: "Fiyat" },
    cells: { "Perakende Satış Fiyatı": "599,90" },
    facts: { price: 59_990 },
    must: "safe",
  },
  {
    name: "price beside sale_price",
    renamed: { [PRICE]: "price" },
    cells: { price: "599,90", sale_price: "499,90" },
    facts: { price: 49_990 },
    or: { price: 59_990, discount_value: 49_990 },
    must: "safe",
  },
  {
    name: "Regular price and Sale price",
    renamed: { [PRICE]: null },
    cells: { "Regular price": "599,90", "Sale price": "499,90" },
    facts: { price: 49_990 },
    or: { price: 59_990, discount_value: 49_990 },
    must: "safe",
  },
  ...["29.00 GBP", "£4,250.00", "SAR 75.00"].map((amount): HeaderKind => ({
    name: `a price of ${amount}`,
    cells: { [PRICE]: amount },
    must: "refused",
    code: /^E_PRICE_CURRENCY$/u,
  })),
  instead("Purchase_price"),
  instead("standard_price"),
  {
    name: "headers of a program of a warehouse",
    renamed: { "Ürün Kodu *": "Kod", "Başlık *": "Ürün", [PRICE]: "Selling Price" },
    cells: { Maliyet: "100,00", EAN13: "8690000000001" },
    facts: { price: 49_990 },
    must: "sent",
  },
  {
    name: "the end of a special price beside the price",
    renamed: { [PRICE]: "price" },
    cells: { special_price_to: "2024-02-15" },
    facts: { price: 49_990 },
    must: "sent",
  },
  { name: "the id of another platform", cells: { ID: "4711" }, must: "safe" },
  {
    name: "twice the same header",
    cells: {
      "Görsel 1 *": "https://ornek.example/a.jpg",
      "Görsel 1": "https://ornek.example/b.jpg",
    },
    must: "safe",
  },
];

function toKind({ name, renamed = {}, cells = {}, facts, or, must, code }: HeaderKind): Kind {
  const base = rowOf();
  const row = Object.fromEntries(
    Object.entries(base).flatMap(([header, cell]) => {
      const as = renamed[header];
      return as === null ? [] : [[as ?? header, cell] as const];
    }),
  );
  const all = { ...row, ...cells };
  return {
    name,
    file: "a.csv",
    content: () => csvOf([all]),
    reads: [{ product_code: codeOf(base), ...facts }],
    ...(or && { or: [{ product_code: codeOf(base), ...or }] }),
    must,
    ...(code && { code }),
  };
}

export const HEADER_KINDS: readonly Kind[] = KINDS.map(toKind);
