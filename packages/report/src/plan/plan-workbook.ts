/**
 * The whole plan as a workbook, made from the database alone: every row with its decision, each
 * change from old to new, the biggest changes, the values of each new product, the fields that are
 * sent, and which column became which field.
 */

import { join } from "node:path";

import { type Connection, fieldLabel } from "@catalog/connection";
import { type Lang, type Localized, makeFolder } from "@catalog/i18n";
import { columnLetter, findField } from "@catalog/mapping";
import {
  capabilityOf,
  isUnsendable,
  readAllRows,
  type RowRecord,
  type RunRecord,
  type PaidPrices,
  toCountedAction,
} from "@catalog/runs";
import { type OutCell, writeXlsx, type XlsxColumn, type XlsxRow } from "@catalog/sheets";

import { findColumn, listWordsOf, type ListWords, rowWordsOf } from "../action-words.ts";
import { MINOR_UNITS, payloadBefore, PRICE_LABELS } from "../field-values.ts";
import { describeGuard, openNamelessFile } from "../result-texts.ts";
import { columnsOf, placeCell, toLines } from "../sheet-cells.ts";
import {
  type ChangeRanking,
  createFieldCount,
  createRankedChanges,
  type FieldCount,
  listChanges,
  type ListedChange,
  type RankedChanges,
  type SentField,
} from "./biggest-changes.ts";
import {
  createNewProducts,
  createShowValue,
  isNewProduct,
  NEW_PRODUCT_FROZEN,
  newProductColumns,
  type NewProducts,
  type ShowValue,
} from "./new-products.ts";

type LearnedFields = Parameters<typeof capabilityOf>[0];

/** The columns of the sheet of changes, in their order. */
const PLAN_HEADERS: readonly Localized[] = [
  { tr: "Satır", en: "Row" },
  { tr: "Ürün Kodu", en: "Product Code" },
  { tr: "Başlık", en: "Title" },
  { tr: "Plan", en: "Plan" },
  { tr: "Alan", en: "Field" },
  { tr: "Eski Değer", en: "Old Value" },
  { tr: "Yeni Değer", en: "New Value" },
  { tr: "Pazaryeri Alıyor mu?", en: "Taken by the Store?" },
  { tr: "Koruma", en: "Guard" },
  { tr: "Açıklama", en: "Remarks" },
];

/** The columns of a list of actions, of which the second and third depend on what it is about. */
const toActionHeaders = ({ subject, about }: ListWords): readonly Localized[] => [
  { tr: "Satır", en: "Row" },
  subject,
  about,
  { tr: "Plan", en: "Plan" },
  { tr: "Alan", en: "Field" },
  { tr: "Şimdi", en: "Now" },
  { tr: "Sonra", en: "After" },
  { tr: "Varsayım mı?", en: "Assumed?" },
  { tr: "Açıklama", en: "Remarks" },
];

/** Where a value after an action is taken from that the marketplace has not promised. */
const ASSUMED: Localized = {
  tr: "evet: öncekiler buna dönüştü",
  en: "yes: earlier ones became this",
};

/** The columns of the sheet of the biggest changes. */
const BIGGEST_HEADERS: readonly Localized[] = [
  { tr: "Alan", en: "Field" },
  { tr: "Değişen Satır Sayısı", en: "Rows That Change" },
  { tr: "Satır", en: "Row" },
  { tr: "Ürün Kodu", en: "Product Code" },
  { tr: "Eski Değer", en: "Old Value" },
  { tr: "Yeni Değer", en: "New Value" },
  { tr: "Değişim (%)", en: "Change (%)" },
  { tr: "Plan", en: "Plan" },
];

/** The columns of the sheet of fields. */
const FIELD_HEADERS: readonly Localized[] = [
  { tr: "İstek", en: "Call" },
  { tr: "Alan", en: "Field" },
  { tr: "Pazaryeri Alıyor mu?", en: "Taken by the Store?" },
  { tr: "Satır Sayısı", en: "Rows" },
];

/** The columns of the sheet of columns. */
const COLUMN_HEADERS: readonly Localized[] = [
  { tr: "Sütun", en: "Column" },
  { tr: "Dosyadaki Başlık", en: "Header in File" },
  { tr: "Alan", en: "Field" },
  { tr: "Örnek Değer", en: "Sample" },
];

/** Stands for the field of a column that is not used. */
const NOT_USED: Localized = { tr: "kullanılmadı", en: "not used" };

const PLAN_SHEETS: Readonly<
  Record<"changes" | "biggest" | "products" | "fields" | "columns", Localized>
> = {
  changes: { tr: "Plan", en: "Plan" },
  biggest: { tr: "En Büyük Değişimler", en: "Biggest Changes" },
  products: { tr: "Yeni Ürünler", en: "New Products" },
  fields: { tr: "Alanlar", en: "Fields" },
  columns: { tr: "Sütunlar", en: "Columns" },
};

/** Stands for the changes of a new product, which has its own row on another sheet. */
const SEE_PRODUCTS: Localized = {
  tr: "Bütün alanlar “Yeni Ürünler” sayfasında",
  en: "All fields are on the sheet “New Products”",
};

/** What the plan does with a row. */
type PlannedKind =
  | "add"
  | "update"
  | "unchanged"
  | "skipped"
  | "unsendable"
  | "held"
  | "invalid"
  | "duplicate";

const PLAN_TEXTS: Readonly<Record<PlannedKind, Localized>> = {
  add: { tr: "Eklenecek", en: "Add" },
  update: { tr: "Güncellenecek", en: "Update" },
  unchanged: { tr: "Değişmeyecek", en: "Unchanged" },
  skipped: { tr: "Atlanacak", en: "Skip" },
  unsendable: { tr: "Gönderilemeyecek", en: "Cannot be sent" },
  held: { tr: "Bekletilecek", en: "Hold" },
  invalid: { tr: "Hatalı", en: "Invalid" },
  duplicate: { tr: "Tekrar", en: "Duplicate" },
};

const CAPABILITY_TEXTS: Readonly<Record<LearnedFields[number]["state"], Localized>> = {
  documented: { tr: "evet, belgesinde var", en: "yes, documented" },
  assumed: { tr: "henüz denenmedi", en: "not tried yet" },
  proven: { tr: "evet, denendi", en: "yes, tried" },
  refused: { tr: "hayır, denendi", en: "no, tried" },
};

/** Text for a value that the listing does not show. */
const NOT_SHOWN: Localized = {
  tr: "(mağaza listesi göstermiyor)",
  en: "(not shown by the store's listing)",
};

/** One column, or one value that holds for rows without a column of their own. */
export interface ColumnUse {
  /** Such as `C`; empty for a value that stands in no column. */
  readonly letter: string;
  /** As it stands in the file; where the value comes from, where it stands in no column. */
  readonly header: string;
  /** The field, as people read it; empty for a column that is not used. */
  readonly field: string;
  /** The first value that is not empty. */
  readonly sample: string;
}

/** Collects a sample of each column, row by row. */
interface ColumnUses {
  observe(row: Pick<RowRecord, "cells">): void;
  /** Whether every column has a sample. */
  isComplete(): boolean;
  /** Empty for a run whose columns are not known. */
  list(): readonly ColumnUse[];
}

const MAX_SAMPLE_CHARS = 60;

/** Creates the table of a run. */
function createColumnUses({ file, facts, progress, lang }: RunRecord): ColumnUses {
  const reading = facts?.reading?.columns;
  const used = reading?.used ?? [];
  const samples: string[] = used.map(() => "");
  let missing = used.length;
  return {
    observe({ cells }) {
      for (const [index, sample] of samples.entries()) {
        const text = sample === "" ? String(cells[index] ?? "").trim() : "";
        if (text === "") continue;
        samples[index] = text;
        missing -= 1;
      }
    },
    isComplete: () => missing === 0,
    list: () => [
      ...used.flatMap((target, index) => {
        const header = file.header[index] ?? "";
        if (header === "") return [];
        const field = nameTarget(target, lang);
        return [{ letter: columnLetter(index), header, field, sample: shorten(samples[index]) }];
      }),
      ...Object.entries(reading?.constants ?? {}).map(([key, value]) =>
        toFixed(key, value, ALL_ROWS[lang]),
      ),
      ...(progress.reading?.defaults ?? []).map(([key, value]) =>
        toFixed(key, value, NEW_PRODUCTS[lang]),
      ),
    ],
  };

  function toFixed(key: string, value: string, header: string): ColumnUse {
    return { letter: "", header, field: nameTarget(key, lang), sample: shorten(value) };
  }
}

/** Rows that are read for samples; a column that is empty in all of them is shown without one. */
const MAX_SAMPLED_ROWS = 1_000;

/** Reads the columns of a run's file; empty for a run whose columns are not known. */
export async function readColumnUses(
  { journal }: Pick<Connection, "journal">,
  run: RunRecord,
): Promise<readonly ColumnUse[]> {
  const uses = createColumnUses(run);
  let rows = 0;
  for await (const records of readAllRows(journal, run.id)) {
    for (const record of records) uses.observe(record);
    rows += records.length;
    if (rows >= MAX_SAMPLED_ROWS || uses.isComplete()) break;
  }
  return uses.list();
}

const ALL_ROWS: Localized = { tr: "(bütün satırlar)", en: "(all rows)" };
const NEW_PRODUCTS: Localized = {
  tr: "(yeni ürünlerde varsayılan)",
  en: "(default of new products)",
};

const shorten = (text: string = ""): string =>
  text.length > MAX_SAMPLE_CHARS ? `${text.slice(0, MAX_SAMPLE_CHARS - 1)}…` : text;

/** The use of a column, and whether it is one of this store or of another one. */
function nameTarget(target: string, lang: Lang): string {
  const { whose, use = target } = OF_STORE.exec(target)?.groups ?? {};
  const name = nameUse(use, lang);
  if (whose === undefined) return name;
  return `${name} ${(whose === "only" ? THIS_STORE : OTHER_STORE)[lang]}`.trim();
}

const OF_STORE = /^(?<whose>only|other):(?<use>.*)$/su;

function nameUse(target: string, lang: Lang): string {
  if (target === "-" || target === "?") return "";
  if (target === "variants") return VARIANTS[lang];
  if (target === "rules") return PRICE_RULES[lang];
  const property = /^property:(?<name>.*)$/su.exec(target)?.groups?.["name"];
  if (property !== undefined) return `${PROPERTY[lang]}: ${property}`;
  return findField(target)?.header[lang] ?? fieldLabel(target, lang);
}

const THIS_STORE: Localized = { tr: "(yalnız bu mağaza)", en: "(this store only)" };
const OTHER_STORE: Localized = { tr: "(başka mağaza)", en: "(another store)" };
const VARIANTS: Localized = { tr: "(varyantlar)", en: "(variants)" };
const PRICE_RULES: Localized = { tr: "(fiyat kuralları)", en: "(price rules)" };
const PROPERTY: Localized = { tr: "Özellik", en: "Property" };

/** Widths in characters. */
const WIDTHS = [22, 14, 8, 20, 40, 40, 12, 16];
/** Old and new values may be long texts. */
const FIRST_WRAPPED_CHANGE = 4;
const LAST_WRAPPED = 5;

/** The formats of the old and the new value where they are amounts. */
const AMOUNTS: Readonly<Record<number, string>> = { 4: "#,##0.00", 5: "#,##0.00" };

interface BiggestSheet {
  readonly show: ShowValue;
  readonly changes: RankedChanges;
}

/** Returns the sheet; `undefined` where nothing changes. */
function toBiggestSheet(
  connection: Pick<Connection, "journal">,
  run: RunRecord,
  { show, changes }: BiggestSheet,
) {
  const listed = listChanges(changes);
  if (listed.length === 0) return undefined;
  return {
    name: PLAN_SHEETS.biggest[run.lang],
    columns: BIGGEST_HEADERS.map((header, index) => ({
      header: header[run.lang],
      width: WIDTHS[index] ?? 20,
      wraps: index >= FIRST_WRAPPED_CHANGE && index <= LAST_WRAPPED,
    })),
    rows: toRows(connection, run, { show, listed }),
  };
}

async function* toRows(
  { journal }: Pick<Connection, "journal">,
  run: RunRecord,
  { show, listed }: { readonly show: ShowValue; readonly listed: readonly ListedChange[] },
): AsyncGenerator<XlsxRow> {
  const { lang } = run;
  for (const { field, rows, row, code, old, new: next, percent, isHeld, paid } of listed) {
    // The ranking keeps no bodies, which name the ids of a row and the kind of its discount.
    const [record] = await journal.readRows(run.id, { after: row - 1, limit: 1 });
    if (record?.row !== row) continue;
    const before = await show({ ...record, payload: payloadBefore(record) }, field, old);
    const after = await show(record, field, next);
    const plan = PLAN_TEXTS[isHeld ? "held" : "update"][lang];
    const place = [rows, placeCell(run, record), code];
    const formats = after.isAmount === true ? AMOUNTS : {};
    if (paid === undefined) {
      const cells = [fieldLabel(field, lang), ...place, before.cell, after.cell, percent, plan];
      yield { cells, formats };
      continue;
    }
    const paidAfter = paid.new === null ? PRICE_LABELS.unsure[lang] : paid.new / MINOR_UNITS;
    const prices = [paid.old / MINOR_UNITS, paidAfter, paid.percent];
    yield { cells: [PRICE_LABELS.paid[lang], ...place, ...prices, plan], formats };
    const list = [before.cell, after.cell, null];
    yield { cells: [PRICE_LABELS.list[lang], ...place, ...list, plan], formats };
  }
}

/** Widths in characters: columns of the plan, of its fields and of the columns of the file. */
const PLAN_WIDTHS = [8, 20, 34, 16, 20, 24, 24, 26, 32, 60];
const ACTION_WIDTHS = [8, 28, 40, 22, 18, 30, 40, 28, 60];
const FIELD_WIDTHS = [16, 24, 22, 14];
const COLUMN_WIDTHS = [8, 36, 24, 60];
/** Columns of the plan that hold sentences. */
const FIRST_WRAPPED = 5;
/** Row, code and title stay visible. */
const FROZEN = 3;

/** A row as it is stored, with what buyers pay where a discount makes it differ from the price. */
export interface PlannedRow extends RowRecord {
  readonly paid?: PaidPrices | undefined;
}

/**
 * Writes `plan.xlsx` with the rows as they are stored into the run's report folder; returns its
 * path.
 */
export async function writePlanWorkbook(
  connection: Connection,
  run: RunRecord,
  rows: AsyncIterable<PlannedRow>,
): Promise<string> {
  // Capabilities learned after the plan are left out, so that the workbook is the same whenever it
  // is written.
  const learned = run.facts?.capabilities ?? (await connection.verificationLog.readCapabilities());
  makeFolder(run.reportDir);
  const path = join(run.reportDir, "plan.xlsx");
  await using file = await openNamelessFile();
  const show = createShowValue(connection, run);
  const counts = createFieldCount();
  const uses = createColumnUses(run);
  const added = createNewProducts(run, show, file);
  const about = listWordsOf(run)?.about;
  const [productTitleAt] = columnsOf(run, "title", [...run.file.header.keys()]);
  const titleAt = about === undefined ? productTitleAt : findColumn(run, about);
  const ranking = createRankedChanges();
  const notes = { learned, counts, uses, show, added, titleAt, ranking };
  const changes = {
    name: PLAN_SHEETS.changes[run.lang],
    columns: toPlanColumns(run),
    frozenColumns: FROZEN,
    rows: planCells(run, rows, notes),
  };
  const products = {
    name: PLAN_SHEETS.products[run.lang],
    columns: newProductColumns(run),
    frozenColumns: NEW_PRODUCT_FROZEN,
    rows: added.rows(),
  };
  const fields = {
    name: PLAN_SHEETS.fields[run.lang],
    columns: toColumns(run, FIELD_HEADERS, FIELD_WIDTHS),
    rows: fieldCells(run, () => counts.list(learned)),
  };
  const columns = {
    name: PLAN_SHEETS.columns[run.lang],
    columns: toColumns(run, COLUMN_HEADERS, COLUMN_WIDTHS),
    rows: columnCells(run, () => uses.list()),
  };
  function* sheets() {
    yield changes;
    // The plan of a list of actions says all of it.
    if (run.progress.actions !== undefined) return;
    const biggest = toBiggestSheet(connection, run, { show, changes: ranking.list() });
    if (biggest !== undefined) yield biggest;
    if (added.count > 0) yield products;
    yield fields;
    // Undos have no columns.
    if (run.facts?.reading?.columns.used !== undefined) yield columns;
  }
  await writeXlsx({ path, sheets: sheets() });
  return path;
}

function toPlanColumns(run: RunRecord): readonly XlsxColumn[] {
  const words = listWordsOf(run);
  return words === undefined
    ? toColumns(run, PLAN_HEADERS, PLAN_WIDTHS, FIRST_WRAPPED)
    : toColumns(run, toActionHeaders(words), ACTION_WIDTHS, FIRST_WRAPPED);
}

const toColumns = (
  { lang }: RunRecord,
  headers: typeof PLAN_HEADERS,
  widths: readonly number[],
  firstWrapped = Infinity,
): readonly XlsxColumn[] =>
  headers.map((header, index) => ({
    header: header[lang],
    width: widths[index] ?? 20,
    wraps: index >= firstWrapped,
  }));

interface PlanNotes {
  readonly learned: LearnedFields;
  readonly counts: FieldCount;
  readonly uses: ColumnUses;
  readonly show: ShowValue;
  readonly added: NewProducts;
  readonly titleAt: number | undefined;
  readonly ranking: ChangeRanking;
}

async function* planCells(
  run: RunRecord,
  rows: AsyncIterable<PlannedRow>,
  notes: PlanNotes,
): AsyncGenerator<XlsxRow> {
  for await (const record of rows) {
    notes.counts.observe(record);
    notes.uses.observe(record);
    if (CHANGING.has(toWord(record))) notes.ranking.observe(record, record.paid);
    if (isNewProduct(record)) await notes.added.observe(record);
    yield* toPlanCells(run, record, notes);
  }
}

async function* toPlanCells(
  run: RunRecord,
  record: PlannedRow,
  { learned, show, titleAt }: PlanNotes,
): AsyncGenerator<XlsxRow> {
  const { lang } = run;
  const { code, payload, changes, cells, paid } = record;
  const title = payload?.title ?? cells[titleAt ?? -1] ?? null;
  const isList = run.progress.actions !== undefined;
  const head = [placeCell(run, record), code, title, planWord(run, record)];
  const rest = toRemarks(run, record);
  if (changes.length === 0) {
    yield [...head, isNewProduct(record) ? SEE_PRODUCTS[lang] : null, null, null, null, ...rest];
  }
  if (paid !== undefined) {
    yield { cells: [...head, ...toPaidCells(paid, lang), ...rest], formats: CHANGE_FORMATS };
  }
  for (const change of changes.filter(({ field }) => !UNPLANNED.has(field))) {
    const { field } = change;
    const before =
      "old" in change
        ? await show({ ...record, payload: payloadBefore(record) }, field, change.old)
        : { cell: NOT_SHOWN[lang] };
    const after = await show(record, field, change.new);
    const known = CAPABILITY_TEXTS[capabilityOf(learned, { action: "update", field })][lang];
    const capability = isList ? describeAssumed(change, lang) : known;
    const shown = [labelOf(field, record, lang), before.cell, after.cell, capability];
    const formats = after.isAmount === true ? CHANGE_FORMATS : {};
    yield { cells: [...head, ...shown, ...rest], formats };
  }
}

/** Fields that only the answer to an action gives, which no plan has. */
const UNPLANNED: ReadonlySet<string> = new Set(["order_discount_code"]);

/** The guards that hold a row, which a list of actions has none of, and what is said of it. */
function toRemarks(
  { lang, progress }: RunRecord,
  { issues }: PlannedRow,
): readonly (string | null)[] {
  const remarks = toLines(issues.map((issue) => issue.message[lang]));
  if (progress.actions !== undefined) return [remarks];
  const guards = issues.map((issue) => describeGuard(issue)).filter((text) => text !== undefined);
  return [toLines(guards.map((text) => text[lang])), remarks];
}

const describeAssumed = (
  { isAssumed = false }: RowRecord["changes"][number],
  lang: Lang,
): string | null => (isAssumed ? ASSUMED[lang] : null);

function toPaidCells({ old, new: next }: PaidPrices, lang: Lang): readonly OutCell[] {
  const after = next === undefined ? PRICE_LABELS.unsure[lang] : next / MINOR_UNITS;
  return [PRICE_LABELS.paid[lang], old / MINOR_UNITS, after, null];
}

/** The price of a product with a discount is called the price before it. */
const labelOf = (field: string, { paid }: PlannedRow, lang: Lang): string =>
  field === "price" && paid !== undefined ? PRICE_LABELS.list[lang] : fieldLabel(field, lang);

/** Decisions for rows whose changes are sent, at once or after a person's approval. */
const CHANGING: ReadonlySet<PlannedKind> = new Set(["update", "held"]);

/** The formats of the old and the new value where they are amounts. */
const CHANGE_FORMATS: Readonly<Record<number, string>> = { 5: "#,##0.00", 6: "#,##0.00" };

/** Cells of the columns, read after the rows, when each column has its sample. */
async function* columnCells(
  { lang }: RunRecord,
  listUses: () => readonly ColumnUse[],
): AsyncGenerator<readonly OutCell[]> {
  for (const { letter, header, field, sample } of listUses()) {
    yield [letter, header, field === "" ? NOT_USED[lang] : field, sample];
  }
}

/** The decision in words; a row of a list says what will be done with its subject. */
function planWord(run: RunRecord, record: RowRecord): string {
  const word = toWord(record);
  const own = word === "update" ? rowWordsOf(record.action)?.plan : LIST_TEXTS[word];
  const isList = run.progress.actions !== undefined;
  return (isList ? (own ?? PLAN_TEXTS[word]) : PLAN_TEXTS[word])[run.lang];
}

const LIST_TEXTS: Readonly<Partial<Record<PlannedKind, Localized>>> = {
  unchanged: { tr: "Zaten yapılmış", en: "Done already" },
  skipped: { tr: "İstenmedi", en: "Not asked for" },
};

/** Decision of the plan for a row, whatever has happened to it since. */
function toWord(record: RowRecord): PlannedKind {
  const { state, action } = record;
  if (state === "parsed") return "skipped";
  if (isUnsendable(record)) return "unsendable";
  const isFinal =
    state === "held" ||
    state === "invalid" ||
    state === "duplicate" ||
    state === "skipped" ||
    state === "unchanged";
  return isFinal ? state : (toCountedAction(action) ?? "skipped");
}

/** Cells of the fields, read after the rows, when every field is counted. */
async function* fieldCells(
  { lang }: RunRecord,
  listFields: () => readonly SentField[],
): AsyncGenerator<readonly OutCell[]> {
  for (const { action, field, capability, rows } of listFields()) {
    const known = CAPABILITY_TEXTS[capability][lang];
    yield [PLAN_TEXTS[action][lang], fieldLabel(field, lang), known, rows];
  }
}
