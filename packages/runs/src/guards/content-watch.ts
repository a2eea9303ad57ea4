/**
 * Guards over a whole run for what cannot be undone by arithmetic: titles and descriptions that
 * become alike, short or strange, brands and categories that move, images that are removed, values
 * that other products have, as in rows that have slipped. One such row is an edit; a large share of a
 * file is a column that was taken for another.
 */

import type { GuardedColumn } from "../plan/decide-row.ts";
import type { Journal } from "../ports/journal.ts";
import type { IssueLocation } from "../row/issue-texts.ts";
import type { FieldChange, RowDecision } from "../row/row-decision.ts";
import type { RowRecord } from "../row/row-record.ts";
import { guardOf, PRICE_UNIT_CODE, toContentIssue, toWaitingIssue } from "./guard-issue.ts";
import {
  ALL_GUARDS,
  type ContentCounts,
  type ContentGuard,
  type GuardSettings,
  type WatchedField,
} from "./guard-settings.ts";

/** Watches the updates of one plan, in the order of the sheet. */
export interface ContentWatch {
  observe(decision: RowDecision): void;
  /** The rows of each guard and field whose share is beyond the limits. */
  findings(guards: GuardSettings): readonly ContentFinding[];
}

interface ContentFinding extends ContentCounts {
  /** Numbers of the rows, in the order of the sheet. */
  readonly watched: readonly number[];
}

/** A text is shared when at least so many products get it that had different ones. */
const MIN_SHARING = 3;

/** Texts below this length are no measure: `Cup` may become `Mug`. */
const MIN_LENGTH = 12;

/**
 * Creates the watch of one plan. Updates that wait for the unit of prices count, as they go later.
 * The watch stores numbers and no texts, as every row of a large file may change its description.
 */
export function createContentWatch(): ContentWatch {
  const updated = { rows: 0 };
  const values = new Map<WatchedField, ValueChanges>();
  const watched = new Map<string, WatchedRows>();
  const foreign: ForeignNumbers = { swapped: [], withoutTax: [], scaled: [] };
  const watch = (guard: ContentGuard, field: WatchedField, row: number): void => {
    const key = `${guard} ${field}`;
    const found = watched.get(key) ?? { guard, field, rows: [] };
    watched.set(key, found);
    found.rows.push(row);
  };
  const noteNumber = (field: WatchedField, row: number, [old, next]: [number, number]): void => {
    const changes = values.get(field) ?? { rows: [], old: [], new: [] };
    values.set(field, changes);
    changes.rows.push(row);
    changes.old.push(old);
    changes.new.push(next);
  };
  const noteValue = (field: WatchedField, row: number, { old, new: next }: TextChange): void =>
    noteNumber(field, row, [hashText(old.trim()), hashText(next.trim())]);
  const noteText = (field: WatchedField, row: number, { old, new: next }: TextChange): void => {
    noteValue(field, row, { old, new: next });
    if (old.trim().length < MIN_LENGTH) return;
    if (next.trim().length * 3 < old.trim().length) watch("short-text", field, row);
    if (field === "title" && !sharesWord(old, next)) watch("other-text", field, row);
  };
  // Numbers that a guard holds show that rows have slipped as well as those that pass.
  const noteNumbers = ({ row, changes }: RowDecision): void => {
    if (isSwapped(changes)) foreign.swapped.push(row);
    if (losesTax(changes)) foreign.withoutTax.push(row);
    if (isScaled(changes)) foreign.scaled.push(row);
    for (const field of NUMBERS) {
      const change = changes.find((each) => each.field === field);
      if (isNumberChange(change)) noteNumber(field, row, [Number(change.old), Number(change.new)]);
    }
  };
  return {
    observe(decision) {
      if (decision.action !== "update") return;
      const { row } = decision;
      noteNumbers(decision);
      if (!isLeaving(decision)) return;
      updated.rows += 1;
      for (const change of decision.changes) {
        const field = WATCHED_FIELDS.find((each) => each === change.field);
        if (field === undefined) continue;
        if (TEXT_FIELDS.has(field)) {
          if (isTextChange(change)) noteText(field, row, change);
        } else if (field === "images") {
          if (isRemoval(change)) watch("no-images", field, row);
          else if (isListChange(change)) noteValue(field, row, toImages(change));
        } else if (isMove(change)) watch("brand-change", field, row);
      }
    },
    findings({ limits, allowed }) {
      const compared = [...values].flatMap(([field, changes]): readonly WatchedRows[] => [
        { guard: "moved-values", field, ...findMoved(field, changes, foreign) },
        { guard: "same-text", field, rows: NUMBERS.has(field) ? [] : findShared(changes) },
      ]);
      const all = [...compared, ...watched.values()].map(
        ({ guard, field, rows: found, ...each }) => {
          const changing = guard === "no-images" ? undefined : values.get(field)?.rows;
          const rows = changing?.length ?? updated.rows;
          // Where rows have slipped, those that look right by chance are wrong as well.
          const isOfAll = guard === "moved-values" || guard === "other-text";
          const rowsToHold = isOfAll ? (changing ?? found) : found;
          const isEnough = each.isEvident === true || rows >= limits.contentRows;
          return { guard, field, rows, changed: found.length, watched: rowsToHold, isEnough };
        },
      );
      return CONTENT_GUARDS.flatMap((guard) =>
        all.filter(
          ({ guard: each, rows, changed, isEnough }) =>
            each === guard &&
            !allowed.has(guard) &&
            isEnough &&
            changed > (rows * limits.contentPercent) / 100,
        ),
      );
    },
  };
}

interface WatchedRows {
  readonly guard: ContentGuard;
  readonly field: WatchedField;
  readonly rows: number[];
  /** They prove it, however few they are. */
  readonly isEvident?: boolean;
}

/**
 * The changes of one field: numbers of rows and values, at the same positions. A number stands for
 * itself, and a text is its hash.
 */
interface ValueChanges {
  readonly rows: number[];
  readonly old: number[];
  readonly new: number[];
}

const CONTENT_GUARDS: readonly ContentGuard[] = [
  "moved-values",
  "same-text",
  "short-text",
  "other-text",
  "brand-change",
  "no-images",
];

const WATCHED_FIELDS: readonly WatchedField[] = [
  "title",
  "sub_title",
  "description",
  "brand_id",
  "category_id",
  "images",
];

const TEXT_FIELDS: ReadonlySet<WatchedField> = new Set(["title", "sub_title", "description"]);

/** The column of the sheet that gives each field. */
const COLUMNS: Readonly<Record<WatchedField, GuardedColumn>> = {
  title: "title",
  sub_title: "sub_title",
  description: "description",
  brand_id: "brand",
  category_id: "category",
  images: "image_1",
  price: "price",
  stock_count: "stock",
};

/** A held row leaves by itself once the unit is known; of any other held row a person decides. */
const isLeaving = ({ state, issues }: RowDecision): boolean =>
  state === "ready" || issues.some((issue) => issue.code === PRICE_UNIT_CODE || isContent(issue));

const isContent = (issue: RowDecision["issues"][number]): boolean =>
  CONTENT_GUARDS.some((guard) => guard === guardOf(issue));

interface TextChange {
  readonly old: string;
  readonly new: string;
}

/** The old value is known and was there; a first text is no loss. */
const isTextChange = (change: FieldChange): change is FieldChange & TextChange =>
  typeof change.old === "string" && typeof change.new === "string" && change.old.trim() !== "";

const isListChange = ({ old, new: next }: FieldChange): boolean =>
  Array.isArray(old) && old.length > 0 && Array.isArray(next);

const isNumberChange = (change: FieldChange | undefined): change is FieldChange =>
  typeof change?.old === "number" && typeof change.new === "number";

/** A first image that changes is what buyers see, whatever the others do. */
function toImages({ old, new: next }: FieldChange): TextChange {
  const first = { old: firstOf(old), new: firstOf(next) };
  return first.old === first.new ? { old: JSON.stringify(old), new: JSON.stringify(next) } : first;
}

const firstOf = (list: unknown): string => (Array.isArray(list) ? String(list[0] ?? "") : "");

const isMove = ({ old, new: next }: FieldChange): boolean =>
  old !== undefined && old !== null && old !== "" && old !== next;

const isRemoval = ({ old, new: next }: FieldChange): boolean =>
  Array.isArray(next) && next.length === 0 && !(Array.isArray(old) && old.length === 0);

const toText = (value: unknown): string => (typeof value === "string" ? value : "");

/**
 * Rows whose different texts become one, at least three. Texts count as equal by their hash: three
 * of one plan that are equal by chance alone are not to be expected.
 */
function findShared({ rows, old, new: next }: ValueChanges): number[] {
  const groups = new Map<number, { count: number; readonly old: number; differs: boolean }>();
  for (const [index, hash] of next.entries()) {
    const was = old[index] ?? 0;
    const group = groups.get(hash) ?? { count: 0, old: was, differs: false };
    groups.set(hash, group);
    group.count += 1;
    group.differs ||= was !== group.old;
  }
  return rows.filter((_, index) => {
    const { count = 0, differs = false } = groups.get(next[index] ?? 0) ?? {};
    return count >= MIN_SHARING && differs;
  });
}

const NUMBERS: ReadonlySet<WatchedField> = new Set(["price", "stock_count"]);

/**
 * Share, in percent, of new prices or stocks that are those of other products, beyond which rows
 * have slipped; a few common ones, such as 99.90, may be on many products.
 */
const MOVED_NUMBERS_PERCENT = 70;
const MIN_NUMBERS = 20;

/** Fewer rows prove it where nearly all of them get the different value of a row at one distance. */
const MIN_SLIPPED = 4;
/** Rows whose old stock is the new price, which is hardly chance. */
const MIN_SWAPPED = 3;

/** Rows that a stock may have slipped by. */
const MAX_SLIP = 3;
const SLIPS = Array.from({ length: 2 * MAX_SLIP + 1 }, (_, at) => at - MAX_SLIP);

/** Whether the new price is the old stock, in whole units of its currency. */
function isSwapped(changes: readonly FieldChange[]): boolean {
  const [stock, price] = ["stock_count", "price"].map((name) =>
    changes.find(({ field }) => field === name),
  );
  if (!isNumberChange(stock) || !isNumberChange(price)) return false;
  return price.new === Number(stock.old) * MINOR_UNITS;
}

const MINOR_UNITS = 100;

/** Rows whose numbers are those of another column of theirs, or lack a part. */
interface ForeignNumbers {
  readonly swapped: number[];
  readonly withoutTax: number[];
  readonly scaled: number[];
}

/** Stocks that grow by the same power of ten, which is hardly chance. */
const MIN_SCALED = 5;
const SCALES: readonly number[] = [10, 100, 1000];

/** Whether the new stock is the old one with a decimal sign lost. */
function isScaled(changes: readonly FieldChange[]): boolean {
  const stock = changes.find(({ field }) => field === "stock_count");
  if (!isNumberChange(stock)) return false;
  const old = Number(stock.old);
  return old > 0 && SCALES.some((scale) => stock.new === old * scale);
}

/** Prices that fall by exactly their tax, which is hardly chance. */
const MIN_WITHOUT_TAX = 5;
const TAX_FACTORS: readonly number[] = [1.2, 1.1];

/** Whether the new price is the old one without its tax, to the minor unit. */
function losesTax(changes: readonly FieldChange[]): boolean {
  const price = changes.find(({ field }) => field === "price");
  if (!isNumberChange(price)) return false;
  const [old, next] = [Number(price.old), Number(price.new)];
  return next > MINOR_UNITS && TAX_FACTORS.some((factor) => Math.abs(next - old / factor) <= 1);
}

/** Rows of a column that was sorted without the others, or filled by a spreadsheet. */
function findFilled(
  field: WatchedField,
  changes: ValueChanges,
  isMost: (found: readonly number[]) => boolean,
): Pick<WatchedRows, "rows" | "isEvident"> | undefined {
  const { rows, old, new: next } = changes;
  const isVaried = new Set(old).size >= MIN_NUMBERS;
  if (isVaried && isShuffled(changes)) return { rows, isEvident: true };
  if (!NUMBERS.has(field)) return undefined;
  const [step, series] = findStep(rows, next);
  const isFilled = Math.abs(step) === (field === "price" ? MINOR_UNITS : 1);
  // Values that were as regular before are no accident.
  const isSeries = isFilled && series.length >= MIN_SERIES && isMost(series);
  if (isSeries && !isMost(findStep(rows, old)[1])) return { rows, isEvident: true };
  const alike = field === "price" ? findAlike(changes) : [];
  return isVaried && isMost(alike) ? { rows: alike } : undefined;
}

/** Whether the same values are on other rows, as where one column was sorted without the others. */
function isShuffled({ old, new: next }: ValueChanges): boolean {
  const [before, after] = [old.toSorted(byNumber), next.toSorted(byNumber)];
  return before.every((value, index) => value === after[index]);
}

const byNumber = (a: number, b: number): number => a - b;

/** Rows of a series, below which it may be chance. */
const MIN_SERIES = 10;

/** The step that most values have to the one above, with their rows. */
function findStep(
  rows: readonly number[],
  values: readonly number[],
): readonly [step: number, rows: readonly number[]] {
  const steps = rows.map((_, at) => (values[at] ?? 0) - (values[at - 1] ?? 0));
  const groups = [...Map.groupBy(rows.keys(), (at) => steps[at] ?? 0)];
  const [[step, found] = [0, []]] = groups.toSorted(([, x], [, y]) => y.length - x.length);
  return [step, found];
}

/** The rows that get the one price that most get; many shops give all products one stock. */
function findAlike({ rows, new: next }: ValueChanges): number[] {
  const groups = Map.groupBy(rows.keys(), (index) => next[index]);
  const [most = []] = [...groups.values()].toSorted((a, b) => b.length - a.length);
  return most.flatMap((index) => rows[index] ?? []);
}

/** Rows whose new value another row of the plan replaces, or another column of their own. */
function findMoved(
  field: WatchedField,
  changes: ValueChanges,
  { swapped, withoutTax, scaled }: ForeignNumbers,
): Pick<WatchedRows, "rows" | "isEvident"> {
  const isMost = ({ length }: readonly number[]): boolean =>
    length > (changes.rows.length * MOVED_NUMBERS_PERCENT) / 100;
  if (NUMBERS.has(field)) {
    if (isMost(swapped)) return { rows: swapped, isEvident: swapped.length >= MIN_SWAPPED };
    const [own, min] = field === "price" ? [withoutTax, MIN_WITHOUT_TAX] : [scaled, MIN_SCALED];
    if (isMost(own) && countOld(changes, own) >= min) return { rows: own, isEvident: true };
  }
  return findOthers(field, changes, isMost);
}

/** Different values that these rows had; one that all products had says nothing. */
const countOld = ({ rows, old }: ValueChanges, found: readonly number[]): number => {
  const taken = new Set(found);
  return new Set(old.filter((_, at) => taken.has(rows[at] ?? 0))).size;
};

/** Rows that get what other rows have, or all of them one price. */
function findOthers(
  field: WatchedField,
  changes: ValueChanges,
  isMost: (found: readonly number[]) => boolean,
): Pick<WatchedRows, "rows" | "isEvident"> {
  const { rows, old, new: next } = changes;
  const slipped = findSlipped(changes);
  const nextOf = new Map(rows.map((row, index) => [row, next[index]]));
  const given = new Set(slipped.map((row) => nextOf.get(row)));
  const isTelling = given.size >= Math.max(MIN_SLIPPED, slipped.length / 2);
  if (isMost(slipped) && isTelling) return { rows: slipped, isEvident: true };
  const replaced = new Set(old);
  const isVaried = replaced.size >= MIN_NUMBERS;
  const filled = findFilled(field, changes, isMost);
  if (filled !== undefined) return filled;
  // Many products have the same stock by chance, but hardly that of the row above.
  const moved =
    field === "stock_count" ? slipped : rows.filter((_, index) => replaced.has(next[index] ?? 0));
  const isMoved = !NUMBERS.has(field) || (isMost(moved) && isVaried);
  return { rows: isMoved ? moved : [] };
}

/** The rows that get the value of the row so far above or below, for the distance that most have. */
function findSlipped({ rows, old, new: next }: ValueChanges): number[] {
  const oldOf = new Map(rows.map((row, index) => [row, old[index]]));
  const found = SLIPS.map((by) =>
    rows.filter((row, index) => by !== 0 && oldOf.get(row - by) === next[index]),
  );
  return found.toSorted((a, b) => b.length - a.length)[0] ?? [];
}

/** FNV-1a of the code units, in 32 bits. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash;
}

const WORD = /[\p{L}\p{N}]{2,}/gu;

function sharesWord(old: string, next: string): boolean {
  const words = new Set(toWords(old));
  return toWords(next).some((word) => words.has(word));
}

const toWords = (text: string): readonly string[] => text.toLocaleLowerCase("tr").match(WORD) ?? [];

interface HoldContentOptions {
  readonly runId: string;
  readonly journal: Journal;
  /** The cell that a field of the row came from. */
  readonly locationOf: (record: RowRecord, field: GuardedColumn) => IssueLocation;
  /** @default every guard, at its default */
  readonly guards?: GuardSettings | undefined;
}

/**
 * Holds the rows of every guard whose share is beyond its limits. A run that is being planned sends
 * nothing, so it may stop at any row without harm. Returns how many rows it held.
 */
export async function holdContent(
  watch: ContentWatch,
  { runId, journal, locationOf, guards = ALL_GUARDS }: HoldContentOptions,
): Promise<number> {
  const held = new Set<number>();
  for (const { watched, ...counts } of watch.findings(guards)) {
    const { field } = counts;
    for (const row of watched) {
      const [record] = await journal.readRows(runId, { after: row - 1, limit: 1 });
      if (record?.row !== row) throw new Error(`row ${row} was planned and is gone`);
      const change = record.changes.find((each) => each.field === field);
      const texts = { old: toText(change?.old), new: toText(change?.new) };
      const location = locationOf(record, COLUMNS[field]);
      const waiting = record.issues.map(toWaitingIssue);
      const issues = [...waiting, toContentIssue(counts, texts, location)];
      const from = record.state === "held" ? "held" : "ready";
      await journal.recordOutcome({ runId, row, from }, { to: "held", cause: "guard", issues });
      held.add(row);
    }
  }
  return held.size;
}
