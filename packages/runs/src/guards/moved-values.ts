/**
 * Finds values of a plan that belong to other rows or other columns: rows that have slipped, a column
 * that was sorted alone or filled by a spreadsheet, columns that were swapped, prices without tax.
 */

import { NO_DISCOUNT } from "../plan/compare.ts";
import type { Choice, FieldChange, RowDecision } from "../row/row-record.ts";
import type { MovedCause, WatchedField } from "./guard-settings.ts";

/** Collects the values that the updates of one plan replace, in the order of the sheet. */
interface MovedValues {
  /** Notes the numbers and the choices of a row, which may be held for one of them. */
  noteRow(decision: RowDecision): void;
  /** Notes a text that a row replaces; only its hash is stored. */
  noteText(field: WatchedField, row: number, change: TextChange): void;
  /** Fields with the changes that were noted, choices apart. */
  changes(): ReadonlyMap<WatchedField, ValueChanges>;
  findings(): Iterable<MovedFinding>;
}

/** The rows of one field that get what is not their own. */
export interface MovedFinding {
  readonly field: WatchedField;
  /** The column of the sheet, where it is not that of the field. */
  readonly column?: Choice["column"];
  readonly rows: readonly number[];
  /** Rows that change the field, which are all wrong where some are. */
  readonly changing: readonly number[];
  /** They prove it, however few they are. */
  readonly isEvident?: boolean;
  readonly cause?: MovedCause;
}

export interface TextChange {
  readonly old: string;
  readonly new: string;
}

/**
 * The changes of one field: numbers of rows and values, at the same positions. A number stands for
 * itself, and a text is its hash.
 */
export interface ValueChanges {
  readonly rows: number[];
  readonly old: number[];
  readonly new: number[];
}

export function createMovedValues(): MovedValues {
  const values = new Map<WatchedField, ValueChanges>();
  const choices = new Map<string, ChoiceColumn>();
  const foreign: ForeignValues = { swapped: new Map(), withoutTax: [], scaled: [] };
  const note = (field: WatchedField, row: number, [old, next]: [number, number]): void => {
    const changes = values.get(field) ?? { rows: [], old: [], new: [] };
    values.set(field, changes);
    changes.rows.push(row);
    changes.old.push(old);
    changes.new.push(next);
  };
  const noteChoice = (choice: Choice, { row, changes, issues }: RowDecision): void => {
    const { field, key, column: at, old, new: next } = choice;
    const created = { field, column: at, rows: [], old: [], new: [], changing: [], refused: 0 };
    const column: ChoiceColumn = choices.get(key) ?? created;
    choices.set(key, column);
    if (issues.some(({ code }) => code === REFUSALS[field])) column.refused += 1;
    column.rows.push(row);
    column.old.push(old === undefined ? Number.NaN : hashText(old));
    column.new.push(next === undefined ? Number.NaN : hashText(next));
    const isChanged = old !== undefined && next !== undefined && old !== next;
    // A discount that ends is sent without its value.
    const sent = field === "discount_value" ? "has_discount" : field;
    if (isChanged && changes.some((change) => change.field === sent)) column.changing.push(row);
  };
  return {
    noteRow(decision) {
      for (const choice of decision.choices ?? []) noteChoice(choice, decision);
      if (decision.action !== "update") return;
      const { row, changes } = decision;
      for (const field of findSwapped(changes)) {
        const rows = foreign.swapped.get(field) ?? [];
        foreign.swapped.set(field, rows);
        rows.push(row);
      }
      if (losesTax(changes)) foreign.withoutTax.push(row);
      if (isScaled(changes)) foreign.scaled.push(row);
      for (const field of NUMBERS) {
        const change = changes.find((each) => each.field === field);
        if (isNumberChange(change)) note(field, row, [Number(change.old), Number(change.new)]);
      }
    },
    noteText: (field, row, { old, new: next }) =>
      note(field, row, [hashText(old.trim()), hashText(next.trim())]),
    changes: () => values,
    *findings() {
      for (const [field, changes] of values) {
        yield { field, changing: changes.rows, ...findMoved(field, changes, foreign) };
      }
      for (const column of choices.values()) {
        const { field, column: at, changing } = column;
        yield { field, column: at, changing, ...findMovedChoices(column) };
      }
    },
  };
}

/** Values of one column from a short list, at the same positions; `NaN` where a row has none. */
interface ChoiceColumn extends ValueChanges, Pick<Choice, "column"> {
  readonly field: WatchedField;
  /** Rows that change it. */
  readonly changing: number[];
  /** Rows that are refused because it does not fit another column. */
  refused: number;
}

const REFUSALS: Partial<Readonly<Record<WatchedField, string>>> = {
  discount_value: "E_DISCOUNT",
  warranty_type: "E_WARRANTY",
  warranty_period: "E_WARRANTY",
};

/** Texts of a product, whose columns may be swapped. */
export const TEXTS: readonly ["title", "sub_title", "description"] = [
  "title",
  "sub_title",
  "description",
];

/** Numbers of a product that are compared with those of other rows. */
export const NUMBERS: ReadonlySet<WatchedField> = new Set(["price", "stock_count"]);

/**
 * Share, in percent, of new prices or stocks that are those of other products, beyond which rows
 * have slipped; a few common ones, such as 99.90, may be on many products.
 */
const MOVED_NUMBERS_PERCENT = 70;
const MIN_NUMBERS = 20;

/** Fewer rows prove it where nearly all of them get the different value of a row at one distance. */
const MIN_SLIPPED = 4;
/** Rows whose new value is the old one of another column of theirs, which is hardly chance. */
const MIN_SWAPPED = 3;

/** Rows that a column may have slipped by. */
const MAX_SLIP = 10;
const SLIPS = Array.from({ length: 2 * MAX_SLIP + 1 }, (_, at) => at - MAX_SLIP);

/** Fields whose new value is the old one of another column of their row. */
function findSwapped(changes: readonly FieldChange[]): readonly WatchedField[] {
  const of = (name: WatchedField): FieldChange | undefined =>
    changes.find(({ field }) => field === name);
  const [stock, price] = [of("stock_count"), of("price")];
  const isPriceStock =
    isNumberChange(stock) && isNumberChange(price) && price.new === Number(stock.old) * MINOR_UNITS;
  const texts = TEXTS.filter((name) => {
    const text = toPlain(of(name)?.new);
    return text !== "" && TEXTS.some((other) => other !== name && toPlain(of(other)?.old) === text);
  });
  return isPriceStock ? [...NUMBERS, ...texts] : texts;
}

const toPlain = (value: unknown): string => (typeof value === "string" ? value.trim() : "");

const isNumberChange = (change: FieldChange | undefined): change is FieldChange =>
  typeof change?.old === "number" && typeof change.new === "number";

const MINOR_UNITS = 100;

/** Rows whose values are those of another column of theirs, or lack a part. */
interface ForeignValues {
  readonly swapped: Map<WatchedField, number[]>;
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
): Moved | undefined {
  const { rows, old, new: next } = changes;
  const isVaried = new Set(old).size >= MIN_NUMBERS;
  if (isVaried && isShuffled(field, changes)) return { rows, isEvident: true, cause: "sorted" };
  if (!NUMBERS.has(field)) return undefined;
  const [step, series] = findStep(rows, next);
  const isFilled = Math.abs(step) === (field === "price" ? MINOR_UNITS : 1);
  // Values that were as regular before are no accident.
  const isSeries = isFilled && series.length >= MIN_SERIES && isMost(series);
  if (isSeries && !isMost(findStep(rows, old)[1]))
    return { rows, isEvident: true, cause: "series" };
  const alike = field === "price" ? findAlike(changes) : [];
  return isVaried && isMost(alike) ? { rows: alike, cause: "alike" } : undefined;
}

/**
 * Share of the values that are on other rows, where a column was sorted without the others; some
 * may have been edited since, or their rows deleted.
 */
const REARRANGED_PERCENT = 85;

/** Whether the same values are on other rows; numbers that follow the old ones are a count. */
function isShuffled(field: WatchedField, { rows, old, new: next }: ValueChanges): boolean {
  if (countCommon(old, next) === rows.length) return true;
  if (!isRearranged(old, next)) return false;
  if (!NUMBERS.has(field)) return true;
  // Few different stocks are those of other products by chance.
  const isTelling = new Set(old).size * 2 >= rows.length || isInOrder(next);
  return isTelling && correlate(old, next) <= MAX_CORRELATION;
}

/** Whether nearly all values rise, or fall, from row to row. */
function isInOrder(values: readonly number[]): boolean {
  const steps = values.slice(1).map((value, at) => value - (values[at] ?? 0));
  const [rising, falling] = [steps.filter((step) => step >= 0), steps.filter((step) => step <= 0)];
  return isNearlyAll(rising, steps) || isNearlyAll(falling, steps);
}

/** Whether the values are those that were there, but for some where they are many. */
function isRearranged(old: readonly number[], next: readonly number[]): boolean {
  const all = Math.max(old.length, next.length);
  const common = countCommon(old, next);
  return common === all || (all >= MIN_NUMBERS && common * 100 >= all * REARRANGED_PERCENT);
}

/** The number of values that both lists have, each as often as in both. */
function countCommon(one: readonly number[], other: readonly number[]): number {
  const left = new Map<number, number>();
  for (const value of one) left.set(value, (left.get(value) ?? 0) + 1);
  let common = 0;
  for (const value of other) {
    const count = left.get(value) ?? 0;
    if (count > 0) common += 1;
    left.set(value, count - 1);
  }
  return common;
}

/** Correlation of ranks above which new numbers follow the old ones, as those of a count do. */
const MAX_CORRELATION = 0.5;

/** Spearman's correlation of ranks. */
function correlate(old: readonly number[], next: readonly number[]): number {
  const mean = (old.length - 1) / 2;
  const x = toRanks(old).map((rank) => rank - mean);
  const y = toRanks(next).map((rank) => rank - mean);
  const spread = Math.sqrt(multiply(x, x) * multiply(y, y));
  return spread === 0 ? 0 : multiply(x, y) / spread;
}

const multiply = (one: readonly number[], other: readonly number[]): number =>
  one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);

/** The rank of each value from 0 on; equal values share the mean of theirs. */
function toRanks(values: readonly number[]): readonly number[] {
  const order = [...values.keys()].toSorted((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
  const ranks: number[] = [];
  for (let first = 0; first < order.length;) {
    let last = first;
    while (values[order[last + 1] ?? -1] === values[order[first] ?? -1]) last += 1;
    for (let at = first; at <= last; at += 1) ranks[order[at] ?? 0] = (first + last) / 2;
    first = last + 1;
  }
  return ranks;
}

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

type Moved = Pick<MovedFinding, "rows" | "isEvident" | "cause">;

/** Rows whose new value another row of the plan replaces, or another column of their own. */
function findMoved(
  field: WatchedField,
  changes: ValueChanges,
  { swapped, withoutTax, scaled }: ForeignValues,
): Moved {
  const isMost = ({ length }: readonly number[]): boolean =>
    length > (changes.rows.length * MOVED_NUMBERS_PERCENT) / 100;
  const other = swapped.get(field) ?? [];
  if (other.length >= MIN_SWAPPED && isMost(other)) {
    return { rows: other, isEvident: true, cause: "swapped" };
  }
  if (NUMBERS.has(field)) {
    const isPrice = field === "price";
    const [own, min] = isPrice ? [withoutTax, MIN_WITHOUT_TAX] : [scaled, MIN_SCALED];
    const cause = isPrice ? "untaxed" : "scaled";
    if (isMost(own) && countOld(changes, own) >= min) return { rows: own, isEvident: true, cause };
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
): Moved {
  const { rows, old, new: next } = changes;
  const slipped = findSlipped(changes);
  const nextOf = new Map(rows.map((row, index) => [row, next[index]]));
  const given = new Set(slipped.map((row) => nextOf.get(row)));
  const isTelling = given.size >= Math.max(MIN_SLIPPED, slipped.length / 2);
  if (isMost(slipped) && isTelling) return { rows: slipped, isEvident: true, cause: "slipped" };
  const replaced = new Set(old);
  const isVaried = replaced.size >= MIN_NUMBERS;
  const filled = findFilled(field, changes, isMost);
  if (filled !== undefined) return filled;
  // Many products have the same stock by chance, but hardly that of the row above.
  const moved =
    field === "stock_count" ? slipped : rows.filter((_, index) => replaced.has(next[index] ?? 0));
  const isMoved = !NUMBERS.has(field) || (isMost(moved) && isVaried);
  return { rows: isMoved ? moved : [], cause: field === "stock_count" ? "slipped" : "taken" };
}

/** The rows that get the value of the row so far above or below, for the distance that most have. */
function findSlipped({ rows, old, new: next }: ValueChanges): number[] {
  const oldOf = new Map(rows.map((row, index) => [row, old[index]]));
  const found = SLIPS.map((by) =>
    rows.filter((row, index) => by !== 0 && oldOf.get(row - by) === next[index]),
  );
  return found.toSorted((a, b) => b.length - a.length)[0] ?? [];
}

/** Changed choices, below which the same ones on other rows may be chance. */
const MIN_MOVED_CHOICES = 10;
const NEARLY_ALL_PERCENT = 90;

/** Refused choices for each one that fits, where one of two columns has slipped. */
const MISFITS = 3;

/** Rows that get the choice of a row at one distance, or of a column that was sorted alone. */
function findMovedChoices(column: ChoiceColumn): Moved {
  const { changing, refused } = column;
  // The few that fit by chance are as wrong as those that do not.
  const isMisfit = refused >= MIN_MOVED_CHOICES && refused > MISFITS * changing.length;
  if (isMisfit) return { rows: changing, isEvident: true, cause: "slipped" };
  if (changing.length < MIN_SLIPPED) return { rows: [] };
  const slipped = findSlippedChoices(column);
  if (slipped.length > 0) return { rows: slipped, isEvident: true, cause: "slipped" };
  const isSorted = changing.length >= MIN_MOVED_CHOICES && hasSameChoices(column);
  return isSorted ? { rows: changing, isEvident: true, cause: "sorted" } : { rows: [] };
}

/**
 * As many products share a choice, rows whose choice differs from that of the row above must get it
 * whether they change or not: what all get, or only some, is a decision.
 */
function findSlippedChoices({ rows, old, new: next, changing }: ChoiceColumn): readonly number[] {
  const [first, last] = [changing.at(0) ?? 0, changing.at(-1) ?? 0];
  const oldOf = new Map(rows.map((row, index) => [row, old[index]]));
  const nextOf = new Map(rows.map((row, index) => [row, next[index]]));
  const named = rows.filter((row) => row >= first && row <= last && isGiven(nextOf.get(row)));
  for (const by of SLIPS) {
    const isCompared = (row: number): boolean => isGiven(oldOf.get(row - by));
    const hasSlipped = (row: number): boolean => oldOf.get(row - by) === nextOf.get(row);
    const changed = changing.filter(isCompared);
    const found = changed.filter(hasSlipped);
    const given = new Set(found.map((row) => nextOf.get(row)));
    const isEnough = found.length >= (given.size > 1 ? MIN_SLIPPED : MIN_MOVED_CHOICES);
    if (by === 0 || !isEnough || !isNearlyAll(found, changed)) continue;
    const telling = named.filter(
      (row) => isCompared(row) && oldOf.get(row - by) !== oldOf.get(row),
    );
    if (isNearlyAll(telling.filter(hasSlipped), telling)) return found;
  }
  return [];
}

/** Whether different rows have the same choices; an empty cell may stand for no discount. */
function hasSameChoices({ old, new: next }: ChoiceColumn): boolean {
  const others = [...old.keys()].filter((at) => old[at] !== next[at]);
  const given = others.map((at) => next[at] ?? Number.NaN).filter(isGiven);
  const known = others.filter((at) => isGiven(old[at]));
  const named = known.filter((at) => isGiven(next[at])).map((at) => old[at] ?? 0);
  const chosen = known.map((at) => old[at] ?? 0).filter((value) => value !== NO_DISCOUNT_HASH);
  const isSame = (values: readonly number[]): boolean => isRearranged(values, given);
  return new Set(given).size > 1 && (isSame(named) || isSame(chosen));
}

const isNearlyAll = (found: readonly number[], all: readonly number[]): boolean =>
  found.length >= (all.length * NEARLY_ALL_PERCENT) / 100;

const isGiven = (value: number | undefined): boolean => value !== undefined && !Number.isNaN(value);

const NO_DISCOUNT_HASH = hashText(NO_DISCOUNT);

/** FNV-1a of the code units, in 32 bits. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash;
}
