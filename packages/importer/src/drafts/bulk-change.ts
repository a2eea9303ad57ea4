/**
 * Changes of many cells at once. One search finds the new cells, for the preview and for writing them,
 * so that both are the same.
 */

import { setImmediate } from "node:timers/promises";

import { CatalogError } from "@catalog/connection";
import type { Lang, Localized } from "@catalog/i18n";
import type { AmountReader, RowAmounts, SourceRow } from "@catalog/mapping";
import { rowAddress, toPaidPrice } from "@catalog/runs";

import {
  type AmountRow,
  type Changed,
  copyAmount,
  createDiscountChange,
  createPriceChange,
  createStockChange,
  isLeft,
  type Left,
  type NewCell,
  readTypedAmount,
  REASONS,
  writeTyped,
} from "./bulk-amounts.ts";
import {
  createTextReplacement,
  fillTemplate,
  type NamedProduct,
  parseTemplate,
  toListedName,
} from "./bulk-texts.ts";
import { cellToText, createTextFold, type DraftSheet } from "./draft-rows.ts";
import type { BulkChange, BulkInput, BulkPreview } from "./draft-views.ts";
import { applyLines, type ChangedRows, type EditContext, toLine } from "./edit-draft.ts";
import type { RowChecker } from "./row-checker.ts";
import {
  type DraftEdit,
  type DraftRecord,
  type DraftRepository,
  type DraftRow,
  labelOf,
} from "./stored-draft.ts";

/** Cells that one change may have, which bounds its transaction and its place in the log. */
export const MAX_BULK_CELLS = 100_000;

/** Rows that are read at a time. */
const BATCH_ROWS = 500;

const SAMPLES = 20;
const EXAMPLES = 3;

/** What a bulk change works on. */
export interface BulkContext {
  readonly drafts: DraftRepository;
  readonly sheet: DraftSheet;
  readonly checker: Pick<
    RowChecker,
    "amounts" | "isWhole" | "mapping" | "numbers" | "toKeys" | "toSource"
  >;
  readonly lang: Lang;
  /** Whether the draft was made of products of the store. */
  readonly isOfStore: boolean;
}

/** A row, its cells, and what the change makes of it. */
interface BulkRow extends AmountRow {
  readonly stored: DraftRow;
  /** With the cells that the row takes from others. */
  readonly source: SourceRow;
  /** The product of the store that the row was made of, where the change asks for its names. */
  readonly product: NamedProduct;
}

type MakeChange = (row: BulkRow) => Changed;

/** What was found for a row. */
interface Found {
  readonly row: BulkRow;
  readonly cells: readonly NewCell[];
  /** The row after the change; `undefined` where no amount changes. */
  readonly after: RowAmounts | undefined;
}

interface FoundLeft extends Left {
  readonly row: BulkRow;
}

/** Changes whose results are computed: a row that they would make wrong stays. */
const COMPUTED: ReadonlySet<BulkChange["kind"]> = new Set(["price", "stock", "discount"]);

function createChange(context: BulkContext, change: BulkChange): MakeChange {
  const { checker, lang, isOfStore } = context;
  const { mapping, amounts: reader } = checker;
  const tools = { reader, lang, columns: mapping.columns, isOfStore };
  switch (change.kind) {
    case "price":
      return createPriceChange(tools, change);
    case "stock":
      return createStockChange(tools, change);
    case "discount":
      return createDiscountChange(tools, change);
    case "set":
      return createSet(context, change);
    case "copy":
      return createCopy(context, change);
    case "replace":
      return createReplace(change);
    case "affix":
      return ({ own }) => {
        const text = cellToText(own.cells[change.column]);
        if (text === "") return { reason: REASONS.empty, text: "" };
        return [{ column: change.column, value: change.before + text + change.after }];
      };
    case "template":
      break;
  }
  return createTemplate(context, change);
}

type Kind<Name extends BulkChange["kind"]> = Extract<BulkChange, { readonly kind: Name }>;

function createSet({ checker, lang }: BulkContext, { column, value }: Kind<"set">): MakeChange {
  const tools = { reader: checker.amounts, lang };
  const typed = readTypedAmount(value, lang);
  return (row) => {
    const cell = row.amounts.cells.find((each) => each.column === column);
    return cell === undefined ? [{ column, value }] : writeTyped(tools, row, { cell, typed });
  };
}

/** A number that is copied into a text is written as the page shows it. */
function createCopy({ checker, lang }: BulkContext, { from, to }: Kind<"copy">): MakeChange {
  const tools = { reader: checker.amounts, lang };
  return (row) => {
    const { own, amounts } = row;
    if (cellToText(own.cells[from]) === "") return { reason: REASONS.noSource, text: "" };
    const cell = amounts.cells.find((each) => each.column === to);
    if (cell !== undefined) return copyAmount(tools, row, { from, cell });
    return [{ column: to, value: shownText(checker, own, from)[lang] }];
  };
}

/** A number cell whose text is a number again stays a number cell. */
function createReplace({ columns, ...options }: Kind<"replace">): MakeChange {
  const wanted = columns && new Set(columns);
  const replaceIn = createTextReplacement(options);
  return ({ own }) =>
    own.cells.flatMap((cell, column) => {
      if (cell === null || wanted?.has(column) === false) return [];
      const before = cellToText(cell);
      const after = replaceIn(before);
      if (after === before) return [];
      const isNumber = typeof cell === "number" && String(Number(after)) === after;
      return [{ column, value: isNumber ? Number(after) : after }];
    });
}

function createTemplate(
  { checker, lang, isOfStore }: BulkContext,
  { column, template }: Kind<"template">,
): MakeChange {
  const parts = parseTemplate(template, checker.mapping, { isOfStore });
  return ({ source, own, product }) => {
    const textAt = (at: number): string => {
      const taken = source.joined?.cells?.[at]?.value;
      return taken === undefined ? shownText(checker, own, at)[lang] : cellToText(taken);
    };
    const text = fillTemplate(parts, ({ column: at, named }) => {
      const cell = at === undefined ? "" : textAt(at);
      return named === undefined ? cell : toListedName(cell, named, product);
    });
    return text === undefined
      ? { reason: REASONS.noTemplate, text: "" }
      : [{ column, value: text }];
  };
}

/** The text of a cell as the page shows it. */
function shownText(
  { numbers }: Pick<RowChecker, "numbers">,
  row: Pick<SourceRow, "cells">,
  column: number,
): Localized {
  const cell = row.cells[column];
  const text = cellToText(cell);
  const found =
    typeof cell === "number" ? numbers(row).find((each) => each.column === column) : undefined;
  return found?.text ?? { tr: text, en: text };
}

/** Finds the new cells of all rows of the scope, in the order of the sheet. */
async function* findChanges(
  context: BulkContext,
  { change, scope }: BulkInput,
): AsyncGenerator<{
  readonly found: readonly Found[];
  readonly left: readonly FoundLeft[];
  readonly same: number;
}> {
  const { drafts, sheet, checker } = context;
  const make = createChange(context, change);
  const asksForNames = context.isOfStore && change.kind === "template";
  const numbers = await listRows(context, { change, scope });
  for (let at = 0; at < numbers.length; at += BATCH_ROWS) {
    const batch = numbers.slice(at, at + BATCH_ROWS);
    const stored = await drafts.readRowsAt(sheet.draft, batch);
    const products = asksForNames ? await drafts.readBasis(sheet.draft, batch) : undefined;
    const found: Found[] = [];
    const left: FoundLeft[] = [];
    let same = 0;
    for (const each of stored) {
      const row = toBulkRow(checker, sheet, each, products?.get(each.row));
      const result = changeRow(context, { make, isComputed: COMPUTED.has(change.kind) }, row);
      if ("reason" in result) left.push(result);
      else if (result.cells.length > 0) found.push(result);
      else same += 1;
    }
    yield { found, left, same };
    await setImmediate();
  }
}

/** Of a text with letters, the folded texts of the rows hold its folded form. */
async function listRows(
  { drafts, sheet }: BulkContext,
  { change, scope: { filter = {}, rows } }: BulkInput,
): Promise<readonly number[]> {
  const { show, code, text } = filter;
  const fold = createTextFold();
  const folded = text === undefined ? undefined : fold(text);
  const numbers = [...(await drafts.order(sheet.draft, { show, code, folded }))];
  const asked = rows && new Set(rows);
  const inScope = asked === undefined ? numbers : numbers.filter((row) => asked.has(row));
  if (change.kind !== "replace" || !/[\p{L}\p{N}]/u.test(change.find)) return inScope;
  const having = new Set(await drafts.order(sheet.draft, { folded: fold(change.find) }));
  return inScope.filter((row) => having.has(row));
}

function toBulkRow(
  checker: BulkContext["checker"],
  sheet: DraftSheet,
  stored: DraftRow,
  product: NamedProduct = {},
): BulkRow {
  const own = sheet.effective(stored);
  const source = stored.joined === null ? own : checker.toSource(stored);
  return { stored, own, source, product, amounts: checker.amounts.read(own) };
}

const EXCLUDED: Localized = { tr: "Çıkarılmış satır", en: "Row left out" };

function changeRow(
  { checker, sheet }: BulkContext,
  { make, isComputed }: { readonly make: MakeChange; readonly isComputed: boolean },
  row: BulkRow,
): Found | FoundLeft {
  const { stored, own } = row;
  if (stored.status === "excluded") return { row, reason: EXCLUDED, text: "" };
  // The cells of such a row may have slipped, and an edit would make it count as whole.
  if (!checker.isWhole(own)) return { row, reason: labelOf("E_COLUMN_COUNT"), text: "" };
  const changed = make(row);
  if (isLeft(changed)) return { row, ...changed };
  const cells = changed.filter(({ column, value }) => !isSame(own, column, value));
  if (!cells.some(({ column }) => checker.amounts.columns.has(column))) {
    return { row, cells, after: undefined };
  }
  const edits = Object.fromEntries(cells.map(({ column, value }) => [column, value]));
  const edited = sheet.effective({ ...stored, edits: { ...stored.edits, ...edits } });
  const after = checker.amounts.read(edited);
  const fresh = isComputed ? findFresh(row.amounts, after) : undefined;
  return fresh === undefined
    ? { row, cells, after }
    : { row, reason: labelOf(fresh.code), text: fresh.value };
}

const isSame = (own: SourceRow, column: number, value: string | number): boolean => {
  const before = own.cells[column] ?? null;
  return before === value || (typeof value === "string" && cellToText(before) === value);
};

/** A mistake that the row did not have before. */
function findFresh(
  before: RowAmounts,
  after: RowAmounts,
): RowAmounts["issues"][number] | undefined {
  const known = new Set(before.issues.map(({ code, column }) => `${code} ${column}`));
  return after.issues.find(({ code, column }) => !known.has(`${code} ${column}`));
}

/** Writes the change as one step. Throws `E_DRAFT_CELLS` where it has too many cells. */
export async function writeBulk(
  edit: EditContext,
  context: BulkContext,
  draft: DraftRecord,
  input: BulkInput,
): Promise<ChangedRows> {
  const log: DraftEdit[] = [];
  for await (const { found } of findChanges(context, input)) {
    for (const { row, cells } of found) {
      for (const cell of cells) log.push(...toLine(edit, row.stored, cell));
    }
    if (log.length > MAX_BULK_CELLS)
      throw new CatalogError("E_DRAFT_CELLS", String(MAX_BULK_CELLS));
  }
  return await applyLines(edit, draft, draft.version, log);
}

/** Finds what a change would do; changes nothing. */
export async function previewBulk(context: BulkContext, input: BulkInput): Promise<BulkPreview> {
  const { checker, sheet } = context;
  const samples: BulkPreview["samples"][number][] = [];
  const left = new Map<
    string,
    { reason: Localized; rows: number; examples: { name: string; text: string }[] }
  >();
  const prices = createExtremes();
  const paid = createExtremes();
  let [cells, rows, same, unchanged] = [0, 0, 0, 0];
  for await (const batch of findChanges(context, input)) {
    same += batch.same;
    for (const { row, reason, text } of batch.left) {
      const entry = left.get(reason.tr) ?? { reason, rows: 0, examples: [] };
      entry.rows += 1;
      if (entry.examples.length < EXAMPLES) {
        entry.examples.push({ name: rowAddress(sheet, row.stored.row), text });
      }
      left.set(reason.tr, entry);
    }
    for (const found of batch.found) {
      rows += 1;
      cells += found.cells.length;
      for (const cell of found.cells) {
        if (samples.length < SAMPLES) samples.push(toSample(context, found, cell));
      }
      const name = { row: found.row.stored.row, name: rowAddress(sheet, found.row.stored.row) };
      noteAmounts(found, (before, after) => prices.note(before, after, name));
      const { before, after } = readPaid(found, checker.amounts);
      if (before === undefined || after === undefined) continue;
      if (before === after) unchanged += 1;
      paid.note(before, after, name);
    }
  }
  return {
    cells: Math.min(cells, MAX_BULK_CELLS),
    rows,
    isTooMany: cells > MAX_BULK_CELLS,
    samples,
    left: [...left.values()].toSorted((a, b) => b.rows - a.rows),
    same,
    prices: prices.take(),
    paid: paid.isUsed() ? { fall: null, rise: null, ...paid.take(), unchanged } : null,
  };
}

function toSample(
  { checker, sheet }: BulkContext,
  { row: { stored, own } }: Found,
  { column, value }: NewCell,
): BulkPreview["samples"][number] {
  const after = sheet.effective({ ...stored, edits: { ...stored.edits, [column]: value } });
  const codes = checker.mapping.columns.find(
    ({ target }) => target.kind === "field" && target.field === "product_code",
  );
  return {
    row: stored.row,
    name: rowAddress(sheet, stored.row),
    code: codes === undefined ? "" : cellToText(own.cells[codes.index]),
    column,
    before: shownText(checker, own, column),
    after: shownText(checker, after, column),
  };
}

/** A discount is a price where it is stated as one, before the change and after it. */
const isPriceTag = (of: RowAmounts | undefined): boolean => of?.changes.discount_type === 3;

/** The prices of a row that a change makes others. */
function noteAmounts(
  { row: { amounts }, cells, after }: Found,
  note: (before: number, after: number) => void,
): void {
  if (after === undefined) return;
  for (const { column } of cells) {
    const before = amounts.cells.find((cell) => cell.column === column);
    const next = after.cells.find((cell) => cell.column === column);
    if (before?.kind !== "money" || next?.kind !== "money") continue;
    const isDiscount = before.field === "discount_value";
    if (isDiscount && !(isPriceTag(amounts) && isPriceTag(after))) continue;
    if (before.amount !== undefined && next.amount !== undefined) note(before.amount, next.amount);
  }
}

/** What the buyer pays by a row that is sent. */
function readPaid(
  { row: { amounts, source, own }, cells, after }: Found,
  reader: AmountReader,
): { readonly before?: number | undefined; readonly after?: number | undefined } {
  const isMoney = cells.some(({ column }) =>
    amounts.cells.some((cell) => cell.column === column && cell.field !== "stock"),
  );
  const { joined } = source;
  const isSent = joined === undefined || joined.role === "product" || joined.role === "variant";
  if (after === undefined || !isMoney || !isSent) return {};
  if (source === own)
    return { before: toPaidPrice(amounts.changes), after: toPaidPrice(after.changes) };
  const edited = { ...source, cells: withCells(own.cells, cells) };
  return {
    before: toPaidPrice(reader.read(source).changes),
    after: toPaidPrice(reader.read(edited).changes),
  };
}

function withCells(cells: SourceRow["cells"], changed: readonly NewCell[]): SourceRow["cells"] {
  const after = [...cells];
  for (const { column, value } of changed) after[column] = value === "" ? null : value;
  return after;
}

type Extreme = NonNullable<NonNullable<BulkPreview["prices"]>["fall"]>;

interface Extremes {
  note(before: number, after: number, at: Pick<Extreme, "row" | "name">): void;
  take(): BulkPreview["prices"];
  isUsed(): boolean;
}

/** Remembers the biggest fall and the biggest rise. */
function createExtremes(): Extremes {
  let fall: Extreme | null = null;
  let rise: Extreme | null = null;
  let isUsed = false;
  return {
    note(before, after, at) {
      isUsed = true;
      if (before <= 0 || before === after) return;
      const percent = ((after - before) / before) * 100;
      if (percent < (fall?.percent ?? 0)) fall = { percent, ...at };
      if (percent > (rise?.percent ?? 0)) rise = { percent, ...at };
    },
    take: () => (fall === null && rise === null ? null : { fall, rise }),
    isUsed: () => isUsed,
  };
}
