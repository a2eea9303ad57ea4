/**
 * A workbook of the held rows, in which a person decides which of them are released; and how an
 * import finds its added columns again.
 */

import { type Connection, fieldLabel } from "@catalog/connection";
import {
  formatNumber,
  formatPercentChange,
  type Lang,
  type Localized,
  roundPercentChange,
} from "@catalog/i18n";
import {
  ACTIONS,
  guardOf,
  isAction,
  isBlocking,
  type Payload,
  type RowIssue,
  type RowRecord,
  type RunRecord,
} from "@catalog/runs";
import { type OutCell, writeXlsx, type XlsxRow } from "@catalog/sheets";

import { findColumn, formatActionValue, listWordsOf, rowWordsOf } from "./action-words.ts";
import {
  createReadIdNames,
  findWord,
  formatFieldValue,
  type IdNames,
  isIdValue,
  isMoney,
  MINOR_UNITS,
  nameSent,
  payloadBefore,
  UNKNOWN_VALUE,
} from "./field-values.ts";
import { createRefusalRecordWriter } from "./refusal-record.ts";
import { describeGuard, RESULT_TEXTS } from "./result-texts.ts";
import {
  type AddedColumn,
  cellMarks,
  columnsOf,
  createLayout,
  inputRow,
  placeCell,
  type SheetLayout,
  toLines,
} from "./sheet-cells.ts";

/** What each added column is for. */
export type HeldColumn =
  | "approve"
  | "name"
  | "old"
  | "new"
  | "percent"
  | "guard"
  | "reason"
  | "place"
  | "key"
  | "record";

export const HELD_HEADERS: Readonly<Record<HeldColumn, Localized>> = {
  approve: { tr: "Onay", en: "Approve" },
  name: { tr: "Mağazadaki Ürün", en: "Product in Store" },
  old: { tr: "Eski Değer", en: "Old Value" },
  new: { tr: "Yeni Değer", en: "New Value" },
  percent: { tr: "Değişim (%)", en: "Change (%)" },
  guard: { tr: "Koruma", en: "Guard" },
  reason: { tr: "Neden", en: "Reason" },
  place: { tr: RESULT_TEXTS.tr.columns.place, en: RESULT_TEXTS.en.columns.place },
  key: { tr: "Bekleyen Satır", en: "Held Row" },
  record: { tr: RESULT_TEXTS.tr.columns.record, en: RESULT_TEXTS.en.columns.record },
};

/** Words that a cell offers for a person's decision; an import reads their first letters as well. */
export const APPROVE_TEXTS: Readonly<Record<Lang, readonly [yes: string, no: string]>> = {
  tr: ["Evet", "Hayır"],
  en: ["Yes", "No"],
};

const ALL_HEADERS: ReadonlySet<string> = new Set(
  Object.values(HELD_HEADERS).flatMap(({ tr, en }) => [tr, en]),
);
const { key: KEY, approve: APPROVE } = HELD_HEADERS;

/**
 * Indexes of the file's own columns: those that are added to a held file are written anew where such
 * a file is imported. Any other file may have columns of the same names.
 */
export function ownColumns(header: readonly string[]): readonly number[] {
  const isHeldFile = [KEY, APPROVE].every(
    ({ tr, en }) => header.includes(tr) || header.includes(en),
  );
  return [...header.keys()].filter((index) => !isHeldFile || !ALL_HEADERS.has(header[index] ?? ""));
}

/** Whether a row is held for its values or its code, which the file shows to the person. */
export const isForApproval = ({ issues }: Pick<RowRecord, "issues">): boolean =>
  issues.some((issue) => guardOf(issue) !== undefined || APPROVED_CODES.has(issue.code));

const APPROVED_CODES: ReadonlySet<string> = new Set([
  "E_ANSWERED",
  "E_ACTION_FILLED",
  "E_ACTION_CHANGED",
  "E_ACTION_DONE",
  "E_ACTION_GONE",
  "E_CHANGED",
  "E_CODE_SUSPECT",
  "E_PRICE_BASE",
]);

/** Key of a row of a run, such as `r-261121-0930-4f2a#7`. */
const toHeldKey = (runId: string, row: number): string => `${runId}#${row}`;

/** The run and the row that a key names; `undefined` for any other text. */
export function parseHeldKey(
  text: string,
): { readonly runId: string; readonly row: number } | undefined {
  const match = /^(?<runId>\S+)#(?<row>[1-9]\d{0,9})$/u.exec(text.trim());
  const { runId, row } = match?.groups ?? {};
  return runId === undefined || row === undefined ? undefined : { runId, row: Number(row) };
}

/** Writes a workbook of the rows that are held. */
export async function writeHeldWorkbook(
  connection: Connection,
  run: RunRecord,
  { path, rows: all }: HeldFile,
): Promise<void> {
  const { verificationLog } = connection;
  const input = ownColumns(run.file.header);
  const layout = layOut(run, input);
  const { columns, header, sources, frozenColumns } = layout;
  const toRecord = createRefusalRecordWriter(connection, run, { header, columns: sources });
  const readNames = createReadIdNames(connection, run);
  async function* rows(): AsyncGenerator<XlsxRow> {
    for await (const record of all) {
      if (record.state !== "held") continue;
      const row = inputRow(sources, record);
      const before = await verificationLog.readBefore(run.id, [record.row]);
      const names = await readNames(record);
      const added = {
        ...heldCells(run, record, names),
        name: before.get(record.row)?.title ?? null,
        record: run.progress.actions === undefined ? await toRecord(record, row) : null,
      };
      const cells = layout.fill(row.cells, added);
      const formats = {
        ...row.formats,
        ...valueFormats(layout, compareValues(run, record, names)),
      };
      yield { ...row, cells, formats, ...cellMarks(sources, run, record) };
    }
  }
  const name = listWordsOf(run)?.sheet[run.lang] ?? RESULT_TEXTS[run.lang].sheet;
  await writeXlsx({ path, sheets: [{ name, columns, frozenColumns, rows: rows() }] });
}

/** What a person needs to decide stands first: the product, both values, and the reason. */
function layOut(run: RunRecord, input: readonly number[]): SheetLayout<HeldColumn> {
  const { lang } = run;
  const column = (
    name: HeldColumn,
    how: Omit<AddedColumn<HeldColumn>, "name" | "header"> = {},
  ): AddedColumn<HeldColumn> => ({ name, header: HELD_HEADERS[name][lang], ...how });
  const [title] = columnsOf(run, "title", input);
  const words = listWordsOf(run);
  if (words !== undefined) return layOutList(run, input, { column, about: words.about });
  return createLayout<HeldColumn>(run, {
    frozen: [
      column("approve", { width: 10, choices: APPROVE_TEXTS[lang] }),
      ...columnsOf(run, "product_code", input),
      // A sync keeps no titles of the store.
      ...(title === undefined && run.file.feed !== undefined
        ? []
        : [title ?? column("name", { width: 40 })]),
    ],
    next: [
      ...(["old", "new"] as const).map((name) => column(name, { width: 28, wraps: true })),
      column("percent", { width: 14 }),
      column("guard", { width: 22, wraps: true }),
      column("reason", { width: 60, wraps: true }),
    ],
    input,
    last: [
      column("place", { width: 18 }),
      column("key", { width: 26 }),
      column("record", { width: 16 }),
    ],
  });
}

interface ListLayout {
  readonly column: (
    name: HeldColumn,
    how?: Omit<AddedColumn<HeldColumn>, "name" | "header">,
  ) => AddedColumn<HeldColumn>;
  readonly about: Localized;
}

/** A list of actions names no product and compares no numbers. */
function layOutList(
  run: RunRecord,
  input: readonly number[],
  { column, about }: ListLayout,
): SheetLayout<HeldColumn> {
  const at = findColumn(run, about);
  return createLayout<HeldColumn>(run, {
    frozen: [
      column("approve", { width: 10, choices: APPROVE_TEXTS[run.lang] }),
      ...(at !== undefined && input.includes(at) ? [at] : []),
    ],
    next: [
      ...(["old", "new"] as const).map((name) => column(name, { width: 34, wraps: true })),
      column("reason", { width: 60, wraps: true }),
    ],
    input,
    last: [column("place", { width: 18 }), column("key", { width: 26 })],
  });
}

interface HeldFile {
  readonly path: string;
  /** All rows of the run. */
  readonly rows: AsyncIterable<RowRecord>;
}

type AddedHere = Exclude<HeldColumn, "name" | "record">;

function heldCells(
  run: RunRecord,
  record: RowRecord,
  names: IdNames,
): Readonly<Record<AddedHere, OutCell>> {
  const { lang } = run;
  const shown = toShown(record);
  const guards = shown.map((issue) => describeGuard(issue)).filter((text) => text !== undefined);
  return {
    approve: null,
    ...heldValues(run, record, names),
    guard: toLines(guards.map((text) => text[lang])),
    reason: toLines(shown.map((issue) => issue.message[lang])),
    place: placeCell(run, record),
    key: toHeldKey(run.id, record.row),
  };
}

/**
 * What the store has and what the row would send, as the file of held rows shows it. Only the old
 * values use `names`, as the new ones must be the same when the file is read again.
 */
export function heldValues(
  run: RunRecord,
  record: RowRecord,
  names?: IdNames,
): Readonly<Record<"old" | "new" | "percent", OutCell>> {
  const fields = compareValues(run, record, names);
  return {
    old: toValues(fields, "old", run.lang),
    new: toValues(fields, "new", run.lang),
    percent: toValues(fields, "percent", run.lang),
  };
}

/** What the issues of a row compare, each field once, as two guards may compare the same one. */
function compareValues(
  run: RunRecord,
  record: RowRecord,
  names: IdNames | undefined,
): readonly ComparedValue[] {
  if (isAction(record.action) && ACTIONS[record.action].subject !== "template") {
    return compareActions(run, record, names);
  }
  const issues = toShown(record);
  // A row is approved as a whole, so its price and stock are shown, whichever the guard compares.
  const isGuarded = issues.some((issue) => guardOf(issue) !== undefined);
  const costly = record.changes.filter(({ field }) => isGuarded && COSTLY_FIELDS.has(field));
  const before = payloadBefore(record);
  const compared = [
    ...toChanged(run, { ...record, changes: costly }, { before, names }),
    ...issues.flatMap((issue) => toCompared(run, record, { issue, before, names })),
  ];
  return [...new Map(compared.map((each) => [each.label, each])).values()];
}

/** The store's value now, and what would be done, which is the same whenever the file is read. */
function compareActions(
  { lang }: RunRecord,
  { action, changes, issues }: RowRecord,
  names: IdNames | undefined,
): readonly ComparedValue[] {
  const isThere = issues.some(({ code }) => code === "E_ACTION_DONE");
  const show = (field: string, value: unknown): string =>
    value === undefined ? UNKNOWN_VALUE[lang] : formatActionValue(field, value, { lang, names });
  return changes.slice(0, 1).map(({ field, old, new: wanted }) => ({
    label: fieldLabel(field, lang),
    old: show(field, isThere ? wanted : old),
    new:
      field === "answer"
        ? formatActionValue(field, wanted, { lang })
        : (rowWordsOf(action)?.plan[lang] ?? ""),
    percent: null,
    isAmount: false,
  }));
}

const toShown = ({ issues }: RowRecord): readonly RowIssue[] =>
  issues.some(isBlocking) ? issues.filter(isBlocking) : issues;

/** A number where one field has numbers, else a line for each field. */
function toValues(
  fields: readonly ComparedValue[],
  part: "old" | "new" | "percent",
  lang: Lang,
): OutCell {
  const [only, ...others] = fields;
  if (only === undefined) return null;
  if (others.length === 0 && typeof only.new === "number") {
    return only[part] ?? (part === "old" ? UNKNOWN_VALUE[lang] : null);
  }
  const lines = fields.flatMap((field) => {
    const { label, [part]: value } = field;
    if (value === null) return part === "old" ? [`${label}: ${UNKNOWN_VALUE[lang]}`] : [];
    const text = typeof value === "number" ? formatPart(value, field, { part, lang }) : value;
    return [`${label}: ${text}`];
  });
  return lines.length === 0 ? null : lines.join("\n");
}

function formatPart(
  value: number,
  { isAmount, wasAmount = isAmount }: ComparedValue,
  { part, lang }: { readonly part: "old" | "new" | "percent"; readonly lang: Lang },
): string {
  if (part === "percent") return formatPercentChange(value, lang);
  const minDecimals = (part === "old" ? wasAmount : isAmount) ? MAX_DECIMALS : 0;
  return formatNumber(value, lang, { minDecimals, maxDecimals: MAX_DECIMALS });
}

/** A store may show a rate with a fraction. */
const MAX_DECIMALS = 2;

const [MONEY_FORMAT, WHOLE_FORMAT, PARTS_FORMAT] = ["#,##0.00", "#,##0", "#,##0.0#####"];

/** The formats of amounts and percentages; a stock is written without decimals. */
function valueFormats(
  { columns }: SheetLayout<HeldColumn>,
  [only, ...others]: readonly ComparedValue[],
): Readonly<Record<number, string>> {
  const isAmount = others.length === 0 && only?.isAmount === true;
  const { old, new: after, percent } = HELD_HEADERS;
  const formats = new Map([
    ...[old, after].map((each) => [each, isAmount ? MONEY_FORMAT : undefined] as const),
    [percent, Number.isInteger(only?.percent ?? 0) ? WHOLE_FORMAT : PARTS_FORMAT] as const,
  ]);
  const found = [...formats].flatMap(([{ tr, en }, format]) =>
    columns.flatMap(({ header, isAdded }, at) =>
      isAdded === true && format !== undefined && (header === tr || header === en)
        ? [[at, format] as const]
        : [],
    ),
  );
  return Object.fromEntries(found);
}

/** The name of a new value, from the row alone. */
function nameNew(
  run: RunRecord,
  record: RowRecord,
  { field, value }: { readonly field: string; readonly value: unknown },
): IdNames | undefined {
  const name = isIdValue(field, value) ? nameSent(run, record, { field, id: value }) : undefined;
  return name === undefined ? undefined : new Map([[String(value), name]]);
}

/** How the old values of a row are read. */
interface OldValues {
  readonly before: Payload | null;
  readonly names: IdNames | undefined;
}

/** The values in the store now, and those that would replace them. */
function toChanged(
  run: RunRecord,
  record: RowRecord,
  { before, names }: OldValues,
): readonly ComparedValue[] {
  const { lang } = run;
  const { payload, changes } = record;
  return changes.map(({ field, old, new: next }) => {
    const label = fieldLabel(field, lang);
    if (typeof next !== "number" || findWord(field, next) !== undefined) {
      const describe = (value: unknown, known = names): string =>
        formatFieldValue(field, value, { payload, lang, names: known }) ||
        (value === undefined ? UNKNOWN_VALUE : EMPTY)[lang];
      const sent = describe(next, nameNew(run, record, { field, value: next }));
      return { label, old: describe(old), new: sent, percent: null, isAmount: false };
    }
    const [wasAmount, isAmount] = [isMoney(field, before), isMoney(field, payload)];
    const was = typeof old === "number" ? old / (wasAmount ? MINOR_UNITS : 1) : null;
    const compared = compare(was, isAmount ? next / MINOR_UNITS : next);
    // A rate and an amount are not compared.
    const percent = wasAmount === isAmount ? compared.percent : null;
    return Object.assign(compared, { label, percent, isAmount, wasAmount });
  });
}

const EMPTY: Localized = { tr: "boş", en: "empty" };

/** What a wrong value costs money in; the other changes of a row have nothing to do with guards. */
const COSTLY_FIELDS: ReadonlySet<string> = new Set([
  "stock_count",
  "price",
  "has_discount",
  "discount_type",
  "discount_value",
]);

interface ComparedValue {
  /** The field in words. */
  readonly label: string;
  /** `null` where it is not known. */
  readonly old: number | string | null;
  readonly new: number | string;
  readonly percent: number | null;
  /** Whether the new value is an amount of money. */
  readonly isAmount: boolean;
  /** Whether the old one is. @default as the new one */
  readonly wasAmount?: boolean;
}

const compare = (
  old: number | null,
  next: number,
): Pick<ComparedValue, "old" | "new" | "percent"> => ({
  old,
  new: next,
  percent: old === null || old === 0 ? null : roundPercentChange(((next - old) / old) * 100, 0),
});

/** The values that an issue compares; empty where the row's price and stock say all. */
function toCompared(
  run: RunRecord,
  record: RowRecord,
  { issue, ...old }: OldValues & { readonly issue: RowIssue },
): readonly ComparedValue[] {
  if (issue.code === "E_CHANGED") return toChanged(run, record, old);
  // The guard of discounts compares new prices with each other.
  const { guard: finding } = issue;
  return finding === undefined || finding.guard === "discount-price"
    ? []
    : [toPrices(finding, run.lang)];
}

function toPrices(finding: NonNullable<RowIssue["guard"]>, lang: Lang): ComparedValue {
  const { field, old, new: next, percent = null } = finding;
  return {
    label: field === "price" ? fieldLabel(field, lang) : PAID_PRICE[lang],
    old: old === undefined ? null : old / MINOR_UNITS,
    new: next / MINOR_UNITS,
    percent,
    isAmount: true,
  };
}

const PAID_PRICE: Localized = { tr: "İndirimli fiyat", en: "Discounted price" };
