/** Kinds of workbooks that several cells, or the whole workbook, decide. */

import { codeOf, csvOf, type Facts, type Kind, type Row, rowOf, xlsxOf } from "./kind.ts";
import { makeWorkbook, shown, type WorkbookCell } from "./make-workbook.ts";

const discountRow = (cell: WorkbookCell): Row =>
  rowOf({ "İndirim Tipi": "Yüzde", "İndirim Değeri": cell });

function one(
  name: string,
  row: Row,
  rest: Pick<Kind, "must"> & Partial<Kind> & { readonly facts?: Partial<Facts> },
): Kind {
  const { facts, ...more } = rest;
  return {
    name,
    file: "a.xlsx",
    content: () => xlsxOf([row]),
    reads: [{ product_code: codeOf(row), ...facts }],
    ...more,
  };
}

const zeros = ["00123", 124, "00125"].map((code) => rowOf({ "Ürün Kodu *": code }));
const hiddenRow = rowOf();
const merged = rowOf();
const second = rowOf();
const date1904 = rowOf({ "Ürün Kodu *": shown(44_620, "yyyy\\-mm\\-dd") });
const table = (rows: readonly Row[]): readonly (readonly WorkbookCell[])[] => {
  const headers = Object.keys(rows[0] ?? {});
  return [headers, ...rows.map((row) => headers.map((header) => row[header] ?? null))];
};

/** Kinds of workbooks that the whole workbook decides. */
export const WORKBOOK_KINDS: readonly Kind[] = [
  one("fifteen percent in a percent cell", discountRow(shown(0.15, "0%")), {
    must: "sent",
    facts: { discount_value: 15 },
  }),
  one("a hundred percent in a percent cell", discountRow(shown(1, "0%")), {
    must: "refused",
  }),
  one("fifteen in a plain cell", discountRow(15), { must: "sent", facts: { discount_value: 15 } }),
  {
    name: "codes of which Excel has lost the zeros of one",
    file: "a.xlsx",
    content: () => xlsxOf(zeros),
    reads: [{ product_code: "00123" }, { product_code: "00125" }],
    must: "sent",
  },
  {
    name: "a hidden row",
    file: "a.xlsx",
    content: () => makeWorkbook({ rows: table([hiddenRow]), hidden: new Set([2]) }),
    reads: [{ product_code: codeOf(hiddenRow) }],
    must: "safe",
  },
  {
    name: "merged titles",
    file: "a.xlsx",
    content: () =>
      makeWorkbook({
        rows: table([merged, { ...second, "Başlık *": null }]),
        after: '<mergeCells><mergeCell ref="B2:B3"/></mergeCells>',
      }),
    reads: [
      { product_code: codeOf(merged) },
      { product_code: codeOf(second), title: "Deneme ürünü 1" },
    ],
    must: "safe",
  },
  {
    name: "a date in a code under the calendar of 1904",
    file: "a.xlsx",
    content: () => makeWorkbook({ rows: table([date1904]), isDate1904: true }),
    reads: [],
    must: "refused",
    code: /^E_CODE_NOT_TEXT$/u,
  },
  {
    name: "a price list of a supplier on the sheet before",
    file: "a.xlsx",
    content: () =>
      makeWorkbook({
        rows: table([second]),
        first: { name: "Kapak", rows: [["Fiyat listesi"], ["2026"]] },
      }),
    reads: [{ product_code: codeOf(second) }],
    must: "safe",
  },
];

/* Kinds of files of other platforms whose rows differ in what they mean. */

interface PlatformKind {
  readonly name: string;
  /** Headers of the platform instead of those of the template. */
  readonly renamed: Readonly<Record<string, string>>;
  /** Cells of each row, by the headers of the platform. */
  readonly rows: readonly Row[];
  readonly reads: readonly Facts[];
  readonly must?: Kind["must"];
  readonly code?: RegExp;
}

const CODE = "Ürün Kodu *";
const TITLE = "Başlık *";
const PRICE = "Fiyat *";
const STOCK = "Stok *";

const ACTION = "*Action(SiteID=Turkey|Country=TR|Currency=TRY|Version=745|CC=UTF-8)";
const TICIMAX = { [CODE]: "STOKKODU", [PRICE]: "SATISFIYATI", [STOCK]: "STOKADEDI" };
const TICIMAX_MARKS = { URUNKARTIID: "0", URUNID: "0", ONYAZI: "Kısa", KDVORANI: "20" };
const IKAS_MARKS = { "Ürün Grup ID": "g1", "Resim URL": "", "Barkod Listesi": "" };
const ETSY_MARKS = { CURRENCY_CODE: "TRY", MATERIALS: "" };
const MAGENTO = { [CODE]: "sku", [PRICE]: "price", [TITLE]: "name", [STOCK]: "qty" };
const MAGENTO_MARKS = {
  attribute_set_code: "Default",
  product_websites: "base",
  tax_class_name: "",
};
const PRESTASHOP = { [CODE]: "Reference #", [PRICE]: "Price tax included", [STOCK]: "Quantity" };
const WIX = { [CODE]: "sku", [PRICE]: "price", [TITLE]: "name", [STOCK]: "inventory" };

const KINDS: readonly PlatformKind[] = [
  {
    name: "offers of Hepsiburada that are closed",
    renamed: { [CODE]: "Satıcı Stok Kodu", [TITLE]: "Ürün Adı", [PRICE]: "Fiyat", [STOCK]: "Stok" },
    rows: [
      { "Satıcı Stok Kodu": "HB-1", "Buybox Sırası": "1", "Vade Süresi": "", Durum: "Satışta" },
      { "Satıcı Stok Kodu": "HB-2", "Buybox Sırası": "1", Durum: "Satışa Kapalı" },
    ],
    reads: [{ product_code: "HB-1" }],
  },
  {
    name: "used goods of eBay",
    renamed: { [CODE]: "CustomLabel", [PRICE]: "*StartPrice", [STOCK]: "*Quantity" },
    rows: [
      { [ACTION]: "Add", CustomLabel: "EB-1", "*ConditionID": "3000", PicURL: "" },
      { [ACTION]: "Add", CustomLabel: "EB-2", "*ConditionID": "1000", PicURL: "" },
    ],
    reads: [
      { product_code: "EB-1", product_condition: "used" },
      { product_code: "EB-2", product_condition: "new" },
    ],
  },
  {
    name: "a listing of Etsy with the codes of its variations",
    renamed: { [CODE]: "SKU", [PRICE]: "PRICE", [STOCK]: "QUANTITY", [TITLE]: "TITLE" },
    rows: [
      { SKU: "V-1,V-2,V-3", ...ETSY_MARKS, "VARIATION 1 TYPE": "Size" },
      { SKU: "B-1", ...ETSY_MARKS, "VARIATION 1 TYPE": "" },
    ],
    reads: [{ product_code: "B-1" }],
  },
  {
    name: "prices of Ticimax without tax",
    renamed: TICIMAX,
    rows: [
      { STOKKODU: "T-1", ...TICIMAX_MARKS, KDVDAHIL: "0" },
      { STOKKODU: "T-2", ...TICIMAX_MARKS, KDVDAHIL: "1" },
    ],
    reads: [{ product_code: "T-2", price: 49_990 }],
  },
  {
    name: "discounts of PrestaShop of both kinds",
    renamed: PRESTASHOP,
    rows: [
      {
        "Reference #": "P-1",
        "Active (0/1)": "1",
        "Discount amount": "",
        "Discount percent": "20",
      },
      {
        "Reference #": "P-2",
        "Active (0/1)": "1",
        "Discount amount": "15",
        "Discount percent": "",
      },
      { "Reference #": "P-3", "Active (0/1)": "0", "Discount amount": "15", Ecotax: "0" },
    ],
    reads: [
      { product_code: "P-1", price: 49_990, discount_value: 20 },
      { product_code: "P-2", price: 49_990, discount_value: 1500 },
    ],
  },
  {
    name: "parents and dated prices of Magento",
    renamed: MAGENTO,
    rows: [
      { sku: "M-1", ...MAGENTO_MARKS, product_type: "simple", special_price: "399,90" },
      {
        sku: "M-2",
        ...MAGENTO_MARKS,
        product_type: "simple",
        special_price: "399,90",
        special_price_to_date: "2017-02-02 00:00:00",
      },
      { sku: "M-3", ...MAGENTO_MARKS, product_type: "configurable" },
    ],
    reads: [
      { product_code: "M-1", price: 49_990, discount_value: 39_990 },
      { product_code: "M-2", price: 49_990 },
    ],
  },
  {
    name: "variants and discounts of Wix",
    renamed: WIX,
    rows: [
      {
        sku: "",
        handleId: "p1",
        fieldType: "Product",
        discountMode: "PERCENT",
        discountValue: "0",
      },
      {
        sku: "W-1",
        handleId: "p1",
        fieldType: "Variant",
        name: "",
        price: "",
        surcharge: "100,00",
        productOptionDescription1: "Mavi",
      },
      {
        sku: "W-2",
        handleId: "p2",
        fieldType: "Product",
        discountMode: "PERCENT",
        discountValue: "10",
      },
    ],
    reads: [
      { product_code: "W-1", title: "Deneme ürünü 1 Mavi", price: 59_990 },
      { product_code: "W-2", title: "Deneme ürünü 1", price: 49_990, discount_value: 10 },
    ],
  },
  {
    name: "the stocks of several warehouses of ikas",
    renamed: { [CODE]: "SKU", [TITLE]: "İsim", [PRICE]: "Satış Fiyatı", [STOCK]: "Stok:Merkez" },
    rows: [{ SKU: "I-1", ...IKAS_MARKS, "Stok:Mağaza": "4" }],
    reads: [{ product_code: "I-1" }],
    must: "refused",
    code: /^E_COLUMN_UNSURE$/u,
  },
  {
    name: "an export of Shopify without codes",
    renamed: { [CODE]: "Variant SKU", [TITLE]: "Title", [PRICE]: "Variant Price" },
    rows: [{ "Variant SKU": "", Handle: "oak-chair", "Image Src": "" }],
    reads: [{ product_code: "oak-chair" }],
    must: "refused",
    code: /^E_COLUMN_UNSURE$/u,
  },
];

function toKind({ name, renamed, rows, reads, must = "sent", code }: PlatformKind): Kind {
  const filled = rows.map((cells): Row => {
    const base = Object.entries(rowOf()).map(([header, cell]) => [renamed[header] ?? header, cell]);
    return { ...Object.fromEntries(base), ...cells };
  });
  return { name, file: "a.csv", content: () => csvOf(filled), reads, must, ...(code && { code }) };
}

export const PLATFORM_KINDS: readonly Kind[] = KINDS.map(toKind);
