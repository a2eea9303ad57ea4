/**
 * Guards over a whole run for what cannot be undone by arithmetic: titles and descriptions that
 * become alike, short or strange, brands and categories that move, images that are removed, values
 * that other products have, as in rows that have slipped. One such row is an edit; a large share of a
 * file is a column that was taken for another.
 */

import type { Journal } from "../ports/journal.ts";
import type { IssueLocation } from "../row/issues.ts";
import type { GuardedColumn, FieldChange, RowDecision, RowRecord } from "../row/row-record.ts";
import { guardOf, PRICE_UNIT_CODE, toContentIssue, toWaitingIssue } from "./guard-issue.ts";
import {
  ALL_GUARDS,
  type ContentCounts,
  type ContentGuard,
  type GuardSettings,
  type WatchedField,
} from "./guard-settings.ts";
import {
  createMovedValues,
  type MovedFinding,
  NUMBERS,
  type TextChange,
  TEXTS,
  type ValueChanges,
} from "./moved-values.ts";

/** Watches the updates of one plan, in the order of the sheet. */
export interface ContentWatch {
  observe(decision: RowDecision): void;
  /** The rows of each guard and field whose share is beyond the limits. */
  findings(guards: GuardSettings): readonly ContentFinding[];
}

interface ContentFinding extends ContentCounts {
  /** Numbers of the rows, in the order of the sheet. */
  readonly watched: readonly number[];
  readonly column: GuardedColumn;
}

/** A text is shared when at least this many products get it that had different ones. */
const MIN_SHARING = 3;

/** Texts below this length are no measure: `Cup` may become `Mug`. */
const MIN_LENGTH = 12;

/**
 * Creates the watch of one plan. Updates that wait for the unit of prices count, as they go later.
 * The watch stores numbers and no texts, as every row of a large file may change its description.
 */
export function createContentWatch(): ContentWatch {
  const updated = { rows: 0 };
  const moved = createMovedValues();
  const watched = new Map<string, WatchedRows>();
  const watch = (guard: ContentGuard, field: WatchedField, row: number): void => {
    const key = `${guard} ${field}`;
    const found = watched.get(key) ?? { guard, field, rows: [] };
    watched.set(key, found);
    found.rows.push(row);
  };
  const noteText = (field: WatchedField, row: number, { old, new: next }: TextChange): void => {
    moved.noteText(field, row, { old, new: next });
    if (old.trim().length < MIN_LENGTH) return;
    if (next.trim().length * 3 < old.trim().length) watch("short-text", field, row);
    if (field === "title" && !sharesWord(old, next)) watch("other-text", field, row);
  };
  return {
    observe(decision) {
      // Values that a guard holds show that rows have slipped as well as those that pass.
      moved.noteRow(decision);
      if (decision.action !== "update" || !isLeaving(decision)) return;
      const { row } = decision;
      updated.rows += 1;
      for (const change of decision.changes) {
        const field = WATCHED_FIELDS.find((each) => each === change.field);
        if (field === undefined) continue;
        if (TEXT_FIELDS.has(field)) {
          if (isTextChange(change)) noteText(field, row, change);
        } else if (field === "images") {
          if (isRemoval(change)) watch("no-images", field, row);
          else if (isListChange(change)) moved.noteText(field, row, toImages(change));
        } else if (isMove(change)) watch("brand-change", field, row);
      }
    },
    findings({ limits, allowed }) {
      const values = moved.changes();
      const all: Found[] = [];
      for (const found of moved.findings()) {
        const { changing } = found;
        // Where rows have slipped, those that look right by chance are wrong as well.
        all.push({ ...found, guard: "moved-values", held: changing, total: changing.length });
      }
      for (const [field, changes] of values) {
        if (NUMBERS.has(field)) continue;
        const rows = findShared(changes);
        all.push({ guard: "same-text", field, rows, held: rows, total: changes.rows.length });
      }
      for (const found of watched.values()) {
        const { guard, field, rows } = found;
        const changing = guard === "no-images" ? undefined : values.get(field)?.rows;
        const held = guard === "other-text" ? (changing ?? rows) : rows;
        all.push({ ...found, held, total: changing?.length ?? updated.rows });
      }
      const beyond = all.filter(
        ({ guard, rows, total, isEvident = false }) =>
          !allowed.has(guard) &&
          (isEvident || total >= limits.contentRows) &&
          rows.length > (total * limits.contentPercent) / 100,
      );
      return CONTENT_GUARDS.flatMap((guard) => beyond.filter((found) => found.guard === guard)).map(
        ({ guard, field, column = COLUMNS[field], rows, total, held, cause }) => {
          return { guard, field, column, rows: total, changed: rows.length, watched: held, cause };
        },
      );
    },
  };
}

/** Rows that a guard has found, with those that it would hold and the number they are out of. */
interface Found extends Omit<MovedFinding, "changing"> {
  readonly guard: ContentGuard;
  readonly held: readonly number[];
  readonly total: number;
}

interface WatchedRows {
  readonly guard: ContentGuard;
  readonly field: WatchedField;
  readonly rows: number[];
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

const TEXT_FIELDS: ReadonlySet<string> = new Set(TEXTS);

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
  discount_value: "discount_value",
  warranty_type: "warranty_type",
  warranty_period: "warranty_period",
  shipping_template_id: "shipping_template",
  // Each property has a column of its own.
  properties: "product_code",
};

/** A held row leaves by itself once the unit is known; of any other held row a person decides. */
const isLeaving = ({ state, issues }: RowDecision): boolean =>
  state === "ready" || issues.some((issue) => issue.code === PRICE_UNIT_CODE || isContent(issue));

const isContent = (issue: RowDecision["issues"][number]): boolean =>
  CONTENT_GUARDS.some((guard) => guard === guardOf(issue));

/** The old value is known and was there; a first text is no loss. */
const isTextChange = (change: FieldChange): change is FieldChange & TextChange =>
  typeof change.old === "string" && typeof change.new === "string" && change.old.trim() !== "";

const isListChange = ({ old, new: next }: FieldChange): boolean =>
  Array.isArray(old) && old.length > 0 && Array.isArray(next);

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
  for (const { watched, column, ...counts } of watch.findings(guards)) {
    const { field } = counts;
    for (const row of watched) {
      const [record] = await journal.readRows(runId, { after: row - 1, limit: 1 });
      if (record?.row !== row) throw new Error(`row ${row} was planned and is gone`);
      const change = record.changes.find((each) => each.field === field);
      const texts = { old: toText(change?.old), new: toText(change?.new) };
      const location = locationOf(record, column);
      const waiting = record.issues.map(toWaitingIssue);
      const issues = [...waiting, toContentIssue(counts, texts, location)];
      const from = record.state === "held" ? "held" : "ready";
      await journal.recordOutcome({ runId, row, from }, { to: "held", cause: "guard", issues });
      held.add(row);
    }
  }
  return held.size;
}
