/** Drafts and their rows as they are stored, and as a page shows them. */

import type { StoreMemory } from "@catalog/connection";
import type { Localized } from "@catalog/i18n";
import type { IssueCode } from "@catalog/mapping";

export type DraftRepository = StoreMemory["drafts"];

/** What a transaction does with drafts, as steps; a step that is not yielded does nothing. */
export type DraftTables = Parameters<Parameters<DraftRepository["transact"]>[0]>[0];

/** A draft without its rows. */
export type DraftRecord = NonNullable<Awaited<ReturnType<DraftRepository["read"]>>>;

type StoredDraftState = DraftRecord["state"];

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

/** Texts of a person by column; an empty text empties the cell. */
export type RowEdits = DraftRow["edits"];

/** Something that is wrong with a row of a draft. */
export type DraftIssue = DraftRow["issues"][number];

/** A value that may stand in a cell instead; a word of the program stands in both languages. */
export type DraftFix = DraftIssue["fixes"][number];

/** What a check has found of a row. */
export type RowFindings = Parameters<DraftRepository["saveFindings"]>[1][number];

/** What the rows are grouped by before they are checked. */
export type RowKeys = Parameters<DraftRepository["saveKeys"]>[1][number];

/** A line of the log of edits. `column` is -1 where a row was left out or taken in again. */
export type DraftEdit = Awaited<ReturnType<DraftRepository["readBatch"]>>[number];

/** Which rows are listed; all parts hold together. */
type DraftRowFilter = Parameters<DraftRepository["order"]>[1];

type DraftRowCounts = Awaited<ReturnType<DraftRepository["counts"]>>;

/** A failure, with the next step. */
export interface DraftProblem {
  readonly code: string;
  readonly message: Localized;
}

/** A setting of the file, and whether it was guessed. */
interface DraftSetting<Value> {
  readonly value: Value;
  readonly isGuessed: boolean;
}

/** A sheet of a workbook to choose from. */
export interface DraftSheetChoice {
  readonly name: string;
  /** Number of filled rows; `null` where they were not counted. */
  readonly rows: number | null;
  /** Whether counting ended before the last row. */
  readonly hasMoreRows: boolean;
  /** Whether its headers are those of products; `null` where it was not looked at. */
  readonly hasProducts: boolean | null;
}

/** How the file of a draft is read. */
export interface DraftReadingView {
  readonly kind: "csv" | "xlsx" | "xls" | "ods";
  readonly sheets: readonly DraftSheetChoice[];
  /** The sheets that are read; `null` where they must be chosen. */
  readonly sheet: DraftSetting<readonly string[]> | null;
  readonly encoding: DraftSetting<string> | null;
  /**
   * Encodings to choose from, each with words of the file as they read in it, where they differ.
   * Empty for workbooks, and for a file with the mark of UTF-8.
   */
  readonly encodings: readonly { readonly encoding: string; readonly sample: string }[];
  readonly delimiter: DraftSetting<string> | null;
  readonly headerRow: DraftSetting<number> | null;
  readonly decimal: "comma" | "point" | null;
  readonly preview: readonly { readonly row: number; readonly cells: readonly string[] }[];
  /** Why the file cannot be read yet. */
  readonly problem: DraftProblem | null;
  /** Whether no setting can make it readable, as it is empty or no table. */
  readonly isUnusable: boolean;
}

/** A field that a column can be. */
export interface DraftField {
  readonly key: string;
  readonly label: Localized;
  readonly isRequired: boolean;
  /** Whether one text may hold for all rows. */
  readonly isForAll: boolean;
  /** Whether the store may keep a default for it, which only new products take. */
  readonly isForNew: boolean;
}

/** A column of the file, and what it is taken for. */
export interface DraftColumn {
  readonly index: number;
  readonly letter: string;
  readonly header: string;
  /** Key of the field; `-` for a column that is left out; `null` where nothing is known. */
  readonly field: string | null;
  readonly label: Localized;
  readonly reason: Localized;
  readonly confidence: "sure" | "likely" | "open";
  /** Key of the field that the cells of an unknown header may be; `null` for none. */
  readonly guess: string | null;
  /** Whether a person chose the field for this draft. */
  readonly isChosen: boolean;
  /** Up to five different filled cells. */
  readonly samples: readonly string[];
  readonly problem: DraftProblem | null;
  /** Numbers that can be read in two ways, where only a person can tell which; `null` for none. */
  readonly unclear: DraftUnclearNumbers | null;
}

/** The question how the numbers of a column are read. */
interface DraftUnclearNumbers {
  readonly cells: number;
  /** The text of the first cell, and what it is with each decimal sign. */
  readonly example: string;
  readonly readings: Readonly<Record<"comma" | "point", Localized>>;
  /** What a person has answered for this draft. */
  readonly answer: "comma" | "point" | null;
}

/** The columns of a draft. */
export interface DraftColumnsView {
  readonly columns: readonly DraftColumn[];
  readonly fields: readonly DraftField[];
  readonly missing: readonly DraftField[];
  readonly constants: Readonly<Record<string, string>>;
  /** By field, what new products take where their cell is empty: given here, or by the store. */
  readonly defaults: Readonly<Record<string, string>>;
  /** Those of them that a person gave for this draft alone. */
  readonly forNew: Readonly<Record<string, string>>;
  readonly platform: Localized | null;
  readonly problems: readonly DraftProblem[];
  readonly notes: readonly Localized[];
}

/** Numbers of rows. */
export interface DraftCountsView {
  readonly rows: number;
  readonly sound: number;
  readonly warnings: number;
  readonly errors: number;
  readonly excluded: number;
  readonly edited: number;
  readonly kinds: readonly (DraftRowCounts["kinds"][number] & { readonly label: Localized })[];
}

/** Which rows a view shows. */
export interface DraftFilter extends Pick<DraftRowFilter, "show" | "code"> {
  /** Text in any cell; case, accents and the Turkish i do not count. */
  readonly text?: string | undefined;
  /** @default the order of the sheet */
  readonly sort?: DraftSort | undefined;
}

/** The rows by the cells of a column. */
export interface DraftSort {
  /** Index of the column. */
  readonly column: number;
  readonly isDescending: boolean;
}

/** A number cell in words. */
export interface ShownNumber {
  /** Index of the column. */
  readonly column: number;
  /** As the preview writes it: 3.448,10 in Turkish. */
  readonly text: Localized;
  /** Without marks of thousands, so that a changed digit leaves only one reading. */
  readonly typed: Localized;
}

/** A row of a draft. */
export interface DraftRowView {
  readonly row: number;
  readonly name: string;
  readonly cells: readonly string[];
  readonly edited: readonly number[];
  readonly isExcluded: boolean;
  /** What cells are read as because of a remembered answer. */
  readonly readAs: readonly { readonly column: number; readonly text: string }[];
  /** The number cells, as a person reads and types them. */
  readonly numbers: readonly ShownNumber[];
  readonly issues: readonly DraftIssue[];
}

/** Progress of a check. */
export interface DraftCheckProgress {
  readonly step: "read" | "check";
  readonly done: number;
  /** `null` where the number is not known. */
  readonly total: number | null;
}

/** A draft in a list. */
export interface DraftSummaryView extends Pick<
  DraftRecord,
  "id" | "name" | "state" | "createdAtMs" | "updatedAtMs" | "createdBy"
> {
  readonly rows: number | null;
  readonly errors: number | null;
  readonly run: string | null;
  /** Whether no setting can make its file readable. */
  readonly isUnusable: boolean;
}

/** A whole draft but for its rows. */
export interface DraftDetails {
  readonly id: string;
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly state: StoredDraftState;
  readonly version: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly reading: DraftReadingView;
  readonly columns: DraftColumnsView | null;
  readonly counts: DraftCountsView | null;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly openNames: number;
  /**
   * Whether it was known which rows are new to the store when they were checked. Only looked up where
   * the file lacks fields that a new product needs.
   */
  readonly isStoreKnown: boolean;
  readonly run: { readonly id: string; readonly isCurrent: boolean } | null;
}

/** The draft after a change. */
export interface DraftEditResult extends Pick<
  DraftDetails,
  "version" | "canUndo" | "canRedo" | "openNames" | "run"
> {
  readonly counts: DraftCountsView;
  /** Rows whose cells or issues may be new. */
  readonly rows: readonly DraftRowView[];
  /** Whether no other row may have changed. */
  readonly isAll: boolean;
}

/** A name of the store that an open name may mean. */
export interface DraftNameChoice {
  readonly target: string;
  readonly label: string;
  /** What speaks for the choice, or against it. */
  readonly hint?: Localized | undefined;
}

/** The category to which a brand, a model or a property belongs. */
interface DraftNameCategory {
  readonly path: string;
  /** Index of its column; `null` where no column has it. */
  readonly column: number | null;
  /** Whether a person's answer made it the row's category. */
  readonly isAnswered: boolean;
  /** Other categories that the text of the file may mean. */
  readonly choices: readonly DraftNameChoice[];
}

/** A text that is no name of the store, once for all its rows. */
export interface DraftName {
  readonly field: string;
  readonly label: Localized;
  readonly value: string;
  readonly rows: number;
  /** The first row that has the name. */
  readonly row: number;
  /** Index of its column; `null` where no column has the name. */
  readonly column: number | null;
  /** The product of the first row, as its cells name it. */
  readonly product: { readonly code: string | null; readonly title: string | null };
  readonly choices: readonly DraftNameChoice[];
  /** The category of the first row; `null` for names that belong to none. */
  readonly category: DraftNameCategory | null;
}

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

const LABELS: Readonly<Record<IssueCode | DraftIssueCode, Localized>> = {
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
