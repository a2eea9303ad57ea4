/** Drafts and their rows as the store has them, and their counts in words. */

import { randomBytes } from "node:crypto";

import type { Connection } from "@catalog/connection";
import type { Localized } from "@catalog/i18n";
import type { MappedRow } from "@catalog/mapping";
import { createRunId } from "@catalog/runs";
import { z } from "zod";

import { nameSource } from "../pricing/source-names.ts";
import type { DraftCountsView, DraftDetails } from "./draft-views.ts";

export type DraftRepository = Connection["memory"]["drafts"];

/** What a transaction does with drafts, as steps; a step that is not yielded does nothing. */
export type DraftTables = Parameters<Parameters<DraftRepository["transact"]>[0]>[0];

const ID_BYTES = 4;

/** Nobody types it; eight more letters keep two drafts of one minute apart. */
export const createDraftId = ({ now }: Pick<Connection["clock"], "now">): string =>
  `${createRunId(now()).replace(/^r/u, "d")}${randomBytes(ID_BYTES).toString("hex")}`;

/** A draft without its rows. */
export type DraftRecord = NonNullable<Awaited<ReturnType<DraftRepository["read"]>>>;

const sourceSchema = z.array(z.string());

const sourceKey = (id: string): string => `source of draft ${id}`;

/** Stores by which names price rules know the feed whose products are in the draft. */
export const saveDraftSource = async (
  { memory: { feedState } }: Pick<Connection, "memory">,
  id: string,
  names: readonly string[],
): Promise<void> => await feedState.saveNotes({ [sourceKey(id)]: names });

/** The names of the feed whose products are in the draft, or those of its file. */
export const readDraftSource = async (
  { memory: { feedState } }: Pick<Connection, "memory">,
  { id, name }: Pick<DraftRecord, "id" | "name">,
): Promise<readonly string[]> =>
  (await feedState.readNote(sourceKey(id), sourceSchema)) ?? nameSource({ file: name });

/** What a person says about reading the file; a missing setting is decided by the file. */
export type DraftReading = DraftRecord["reading"];

/** What a person says about the columns. */
export type DraftColumns = DraftRecord["columns"];

/** A column that the file does not have; its cells are edits. */
export type AddedDraftColumn = NonNullable<DraftColumns["added"]>[number];

/** Parts of a draft that can be changed. */
export type DraftChange = Parameters<DraftRepository["update"]>[1];

export type DraftRow = Awaited<ReturnType<DraftRepository["readRows"]>>[number];

/** A row as the file has it. */
export type DraftFileRow = Omit<Parameters<DraftRepository["appendRows"]>[1][number], "folded">;

/** Cells of a person by column; an empty text empties the cell, a number stays a number cell. */
export type RowEdits = DraftRow["edits"];

/** What a check has found of a row. */
export type RowFindings = Parameters<DraftRepository["saveFindings"]>[1][number];

/** What the rows are grouped by before they are checked. */
export type RowKeys = Parameters<DraftRepository["saveKeys"]>[1][number];

/** A line of the log of edits. `column` is -1 where a row was left out or taken in again. */
export type DraftEdit = Awaited<ReturnType<DraftRepository["readBatch"]>>[number];

type DraftRowCounts = Awaited<ReturnType<DraftRepository["counts"]>>;

/** The counts as a page shows them. */
export function toCountsView(counts: DraftRowCounts): DraftCountsView {
  const { ok, warn, error, excluded, edited, kinds } = counts;
  return {
    rows: ok + warn + error,
    sound: ok + warn,
    warnings: warn,
    errors: error,
    excluded,
    edited,
    kinds: kinds.map((kind) => Object.assign({ label: labelOf(kind.code) }, kind)),
  };
}

/** The run that was planned from a draft, and whether the draft is still as it was. */
export const toRunView = ({
  run,
  version,
}: Pick<DraftRecord, "run" | "version">): DraftDetails["run"] =>
  run === null ? null : { id: run.id, isCurrent: run.version === version };

/** Issues that rows of a draft have besides those of mapping. */
type DraftIssueCode =
  | "E_CODE_ABSENT"
  | "E_CODE_DUPLICATE"
  | "E_COLUMN_COUNT"
  | "E_ID_CODE_MISMATCH"
  | "E_ROW_UNCHANGED"
  | "W_ROW_LEFT_OUT"
  | "W_UNPUBLISHED_ROWS";

const label = (tr: string, en: string): Localized => ({ tr, en });

const LABELS: Readonly<Record<MappedRow["issues"][number]["code"] | DraftIssueCode, Localized>> = {
  E_BRAND_AMBIGUOUS: label("Birden çok marka uyuyor", "Several brands match"),
  E_BRAND_NEEDS_CATEGORY: label("Marka için kategori gerekli", "Brand without a category"),
  E_BRAND_UNKNOWN: label("Bilinmeyen marka", "Unknown brand"),
  E_CATEGORY_AMBIGUOUS: label("Birden çok kategori uyuyor", "Several categories match"),
  E_CATEGORY_NOT_LEAF: label("Alt kategori seçilmemiş", "Category has subcategories"),
  E_CATEGORY_UNKNOWN: label("Bilinmeyen kategori", "Unknown category"),
  E_CELL_DATE: label("Tarihe dönüşmüş hücre", "Cell turned into a date"),
  E_CELL_ERROR: label("Hücrede formül hatası", "Formula error in the cell"),
  E_CELL_FORMAT: label("Görünenden farklı değer", "Value other than displayed"),
  E_CLEAR: label("Boşaltılamayan alan", "Field that cannot be emptied"),
  E_CLEAR_REQUIRED: label("Zorunlu alan boşaltılmış", "Required field emptied"),
  E_CODE_ABSENT: label("Mağazada görünmeyen kod", "Code that the store does not show"),
  E_CODE_DUPLICATE: label("Aynı ürün kodu", "Same product code"),
  E_CODE_LIST: label("Tek hücrede birden çok kod", "Several codes in one cell"),
  E_CODE_NOT_TEXT: label("Sayıya dönüşmüş ürün kodu", "Product code turned into a number"),
  E_CODE_SUSPECT: label("Kuşkulu ürün kodu", "Suspect product code"),
  E_COLUMN_COUNT: label("Hücre sayısı farklı", "Wrong number of cells"),
  E_COLUMN_CURRENCY: label("Okunmayan para birimi sütunu", "Currency column that is not read"),
  E_COLUMN_MISSING: label("Eksik sütun", "Missing column"),
  E_COLUMN_NUMBERS: label("Anlamı belirsiz numara sütunu", "Column of unclear numbers"),
  E_COLUMN_PRICE: label("İkinci fiyat sütunu", "Second price column"),
  E_COLUMN_STORE: label("Mağaza sütunu okunmadı", "Column of a store is not read"),
  E_COLUMN_TWICE: label("Aynı alana iki sütun", "Two columns for one field"),
  E_COLUMN_UNSURE: label("Anlamı belirsiz sütun", "Unclear column"),
  E_DESCRIPTION_EMPTY: label("Açıklamada metin yok", "Description without text"),
  E_DISCOUNT: label("İndirim tutarsız", "Inconsistent discount"),
  E_FILE_EXPORT: { tr: "Ürün listesi değil", en: "Not a list of products" },
  E_FORMULA: label("Sonucu olmayan formül", "Formula without a result"),
  E_HEADER_CURRENCY: label("Başlıkta başka para birimi", "Other currency in the header"),
  E_HEADER_DUP: label("Yinelenen başlık", "Repeated header"),
  E_HEADER_NAME: label("Kullanılamayan başlık", "Unusable header"),
  E_ID_CODE_MISMATCH: label("Ürün ID ile kod uyuşmuyor", "Product id and code differ"),
  E_IMAGE_FILE: label("Bulunamayan görsel dosyası", "Image file that is not found"),
  E_IMAGE_URL: label("Geçersiz görsel adresi", "Invalid image address"),
  E_KEY_MISSING: label("Ürün kodu yok", "No product code"),
  E_MAP_FIELD: label("Olmayan alana eşlenmiş sütun", "Column mapped to no field"),
  E_MODEL_AMBIGUOUS: label("Birden çok model uyuyor", "Several models match"),
  E_MODEL_UNKNOWN: label("Bilinmeyen model ID", "Unknown model ID"),
  E_NOT_A_NUMBER: label("Sayı değil", "Not a number"),
  E_NOT_INTEGER: label("Tam sayı değil", "Not a whole number"),
  E_NUMBER_AMBIGUOUS: label("Binlik mi ondalık mı belli değil", "Unclear decimal sign"),
  E_NUMBER_MIXED: label("Sütundan farklı sayı yazımı", "Number written unlike its column"),
  E_NUMBER_TOO_LARGE: label("Çok büyük sayı", "Number too large"),
  E_OPTION_AMBIGUOUS: label("Birden çok seçenek uyuyor", "Several options match"),
  E_OPTION_UNKNOWN: label("Bilinmeyen seçenek", "Unknown option"),
  E_PATH: label("Bilgisayardaki bir yol", "Path of a computer"),
  E_PRICE_CURRENCY: label("Para birimi uyuşmuyor", "Currencies differ"),
  E_PRICE_NOT_POSITIVE: label("Fiyat sıfır ya da eksi", "Price of zero or less"),
  E_PRICE_PRECISION: label("İkiden çok ondalık basamak", "More than two decimals"),
  E_PRODUCT_ID: label("Geçersiz ürün ID", "Invalid product ID"),
  E_PROPERTY_AMBIGUOUS: label("Birden çok özellik uyuyor", "Several properties match"),
  E_PROPERTY_NEEDS_CATEGORY: label("Özellik için kategori gerekli", "Property without a category"),
  E_PROPERTY_UNKNOWN: label("Bilinmeyen özellik", "Unknown property"),
  E_REQUIRED: label("Zorunlu hücre boş", "Required cell is empty"),
  E_ROW_UNCHANGED: label("Geri çevrilmiş, değişmemiş satır", "Refused before and not changed"),
  E_RULE_TARGET: label("Geçersiz kural", "Invalid rule"),
  E_SET_FIELD: label("Olmayan alanın sabit değeri", "Fixed value of no field"),
  E_SET_PLACEHOLDER: label("Doldurulmamış sabit değer", "Fixed value left unfilled"),
  E_SET_TWICE: label("İki ayrı sabit değer", "Two fixed values"),
  E_STOCK_NEGATIVE: label("Stok eksi", "Stock below zero"),
  E_STOCK_STATE: label("Stok sayısı belli değil", "Stock without a number"),
  E_TEMPLATE_AMBIGUOUS: label("Birden çok şablon uyuyor", "Several templates match"),
  E_TEMPLATE_UNKNOWN: label("Bilinmeyen teslimat şablonu", "Unknown shipping template"),
  E_VALUE_UNKNOWN: label("Listede olmayan değer", "Value that is not allowed"),
  E_VARIANT_PARENT: label("Ana satırı bulunamayan varyant", "Variant without its parent row"),
  E_WARRANTY: label("Garanti tutarsız", "Inconsistent warranty"),
  W_COLUMN_NOT_SENT: label("Gönderilmeyen sütun", "Column that is not sent"),
  W_COLUMN_OTHER_ID: label("Başka sistemin numarası", "Numbers of another system"),
  W_COLUMN_UNKNOWN: label("Tanınmayan sütun", "Unknown column"),
  W_COLUMN_UNUSED: label("Kullanılmayan sütun", "Unused column"),
  W_FORMULA: label("Formülün son değeri", "Last value of a formula"),
  W_IMAGE_ROW: label("Yalnızca görsel olan satır", "Row with an image only"),
  W_IMAGE_TWICE: label("Yinelenen görsel", "Repeated image"),
  W_MAP_HEADER: label("Dosyada olmayan başlık", "Header that is not in the file"),
  W_MODEL_UNKNOWN: label("Serbest metin model", "Model as free text"),
  W_PARENT_ROW: label("Ana satır", "Parent row"),
  W_SALE_PERIOD: label("Süreli indirim", "Reduced price with dates"),
  E_PRICE_TAX: label("KDV hariç fiyat", "Price without tax"),
  E_SALE_DATE: label("Okunamayan indirim tarihi", "Unclear date of a reduced price"),
  W_ROW_LEFT_OUT: label("Ürün sayılmayan satır", "Row that is no product"),
  W_TEXT_CODES: label("Metinde HTML kodu", "HTML code in a text"),
  W_UNPUBLISHED_ROWS: label("Satışta olmayan ürün", "Product not on sale"),
};

const BY_CODE: ReadonlyMap<string, Localized> = new Map(Object.entries(LABELS));

/** A kind of issue in a few words; a code that has none is named by its severity. */
export function labelOf(code: string): Localized {
  const known = BY_CODE.get(code);
  if (known !== undefined) return known;
  return code.startsWith("W_") ? label("Uyarı", "Warning") : label("Hatalı değer", "Wrong value");
}
