/** A sheet of 20 new products with 37 mistakes; the other cells of a row come from `GOOD`. */

import type { CellValue } from "../../src/source-row.ts";
import { id } from "./catalog.ts";

const COLUMNS = {
  A: ["Ürün Kodu", "K"],
  B: ["Başlık", "Kaşık"],
  C: ["Alt Başlık", "El yapımı"],
  D: ["Kategori", "Ev > Mutfak > Kaşık"],
  E: ["Marka", "Kuzey Ahşap"],
  F: ["Model", "Klasik 30"],
  G: ["Açıklama", "Kayın ağacı"],
  H: ["Para Birimi", "TL"],
  I: ["Fiyat", "129,90"],
  J: ["Piyasa Fiyatı", ""],
  K: ["İndirim Tipi", ""],
  L: ["İndirim Değeri", ""],
  M: ["Stok", "5"],
  N: ["Garanti Tipi", "Garantisiz"],
  O: ["Garanti Süresi", "0"],
  P: ["Teslimat Şablonu", "Standart Kargo"],
  Q: ["Görsel 1", "https://example.com/a.jpg"],
  R: ["Görseller", ""],
  S: ["Renk", "Siyah"],
  T: ["Ürün ID", ""],
} as const;

type Letter = keyof typeof COLUMNS;
type Row = Readonly<Partial<Record<Letter, CellValue>>>;

/** The mistakes of a row, and the columns and codes that they get. */
const MISTAKEN: readonly (readonly [row: Row, found: string])[] = [
  [{ A: "" }, "A E_KEY_MISSING"],
  [{ A: "8,69E+12", B: "" }, "A E_CODE_NOT_TEXT, B E_REQUIRED"],
  [{ C: "<SİL>", G: "#N/A" }, "C E_CLEAR_REQUIRED, G E_CELL_ERROR"],
  [{ D: "Kaşk" }, "D E_CATEGORY_UNKNOWN"],
  [{ D: "Aksesuar", M: "-1" }, "D E_CATEGORY_AMBIGUOUS, M E_STOCK_NEGATIVE"],
  [{ D: "Mutfak", P: "Ekspres" }, "D E_CATEGORY_NOT_LEAF, P E_TEMPLATE_UNKNOWN"],
  [{ D: "" }, "D E_REQUIRED, E E_BRAND_NEEDS_CATEGORY"],
  [{ E: "Bosch", S: "Mor" }, "E E_BRAND_AMBIGUOUS, S E_OPTION_UNKNOWN"],
  [{ E: "Kuzay", F: id(9) }, "E E_BRAND_UNKNOWN"],
  [{ F: id(9), M: "12,5" }, "F E_MODEL_UNKNOWN, M E_NOT_INTEGER"],
  [{ H: "GBP", I: "19,99 $" }, "H E_VALUE_UNKNOWN"],
  [{ H: "USD", I: "19,99 €" }, "I E_PRICE_CURRENCY"],
  [{ I: "1,299.90" }, "I E_NUMBER_MIXED"],
  [{ I: "0", J: "x" }, "I E_PRICE_NOT_POSITIVE, J E_NOT_A_NUMBER"],
  [{ I: 1.005, T: "12" }, "I E_PRICE_PRECISION, T E_PRODUCT_ID"],
  [{ J: "100", O: "18" }, "J E_DISCOUNT, O E_VALUE_UNKNOWN"],
  [{ K: "Oran", L: "100", N: "Servis" }, "L E_DISCOUNT, O E_WARRANTY"],
  [{ K: "bedava", N: "Ömürlük", O: "" }, "K E_VALUE_UNKNOWN, N E_VALUE_UNKNOWN, O E_REQUIRED"],
  [{ Q: "kasik.jpg", R: "http://x.y/1;b.png" }, "Q E_IMAGE_FILE, R E_IMAGE_URL, R E_IMAGE_FILE"],
  [{ Q: "", L: "10", S: "#REF!" }, "L E_DISCOUNT, Q E_REQUIRED, S E_CELL_ERROR"],
];

const isMissing = (code: string): boolean => code === "E_REQUIRED";

export interface MistakenRow {
  readonly cells: readonly CellValue[];
  /** As `F12 E_…`: wrong cells in the order of the columns, then missing ones. */
  readonly expected: readonly string[];
}

export const MISTAKES: { readonly header: string; readonly rows: readonly MistakenRow[] } = {
  header: Object.values(COLUMNS)
    .map(([header]) => header)
    .join("|"),
  rows: MISTAKEN.map(([row, found], index) => {
    const cells = Object.entries(COLUMNS).map(([letter, [, good]]): CellValue => {
      const given = Object.entries(row).find(([name]) => name === letter);
      if (given !== undefined) return given[1];
      return letter === "A" ? `${good}${index}` : good;
    });
    const all = found.split(", ").map((text) => {
      const [letter = "", code = ""] = text.split(" ");
      return { code, at: `${letter}${index + 2}` };
    });
    const wrong = all.filter(({ code }) => !isMissing(code));
    const missing = all.filter(({ code }) => isMissing(code));
    return { cells, expected: [...wrong, ...missing].map(({ code, at }) => `${at} ${code}`) };
  }),
};
