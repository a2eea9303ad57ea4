/**
 * Guards over a whole run for what cannot be undone by arithmetic: titles and descriptions that
 * become alike, short or strange, brands and categories that move, images that are removed. One such
 * row is an edit; a large share of a file is a column that was taken for another.
 */

import type { CandidateRow, GuardedColumn } from "../plan/decide-row.ts";
import type { Journal } from "../ports/journal.ts";
import type { IssueLocation } from "../row/issue-texts.ts";
import type { FieldChange, RowDecision } from "../row/row-decision.ts";
import { guardOf, PRICE_UNIT_CODE, toContentIssue } from "./guard-issue.ts";
import { ALL_GUARDS, type ContentGuard, type GuardSettings } from "./guard-settings.ts";

/** A row whose change one of these guards may hold. */
interface WatchedRow {
  readonly location: IssueLocation;
  readonly guard: ContentGuard;
  readonly old: string;
  readonly new: string;
}

/** The changes of one guard that count, out of how many. */
export interface ContentCounts {
  readonly guard: ContentGuard;
  /** Rows that change the fields of the guard, or that update anything. */
  readonly rows: number;
  readonly changed: number;
}

/** Watches the updates of one plan, in the order of the sheet. */
export interface ContentWatch {
  observe(row: Pick<CandidateRow, "locationOf">, decision: RowDecision): void;
  /** The rows of each guard whose share is beyond the limits. */
  findings(guards: GuardSettings): readonly ContentFinding[];
}

interface ContentFinding extends ContentCounts {
  readonly watched: readonly WatchedRow[];
}

const TEXT_FIELDS: ReadonlySet<string> = new Set(["title", "description"]);

/** A text is shared when at least so many products get it that had different ones. */
const MIN_SHARING = 3;

/** Texts below this length are no measure: `Cup` may become `Mug`. */
const MIN_LENGTH = 12;

/** Creates the watch of one plan. Updates that wait for the unit of prices count, as they go later. */
export function createContentWatch(): ContentWatch {
  const updated = { rows: 0 };
  const textRows = new Map<string, number>();
  const watched: WatchedRow[] = [];
  const texts: TextChange[] = [];
  return {
    observe(row, decision) {
      if (decision.action !== "update" || !isLeaving(decision)) return;
      updated.rows += 1;
      for (const change of decision.changes) {
        const location = (): IssueLocation => row.locationOf(COLUMNS.get(change.field) ?? "title");
        if (TEXT_FIELDS.has(change.field) && isTextChange(change)) {
          textRows.set(change.field, (textRows.get(change.field) ?? 0) + 1);
          texts.push({ ...change, location: location() });
        }
        if (CLASS_FIELDS.has(change.field) && isMove(change)) {
          watched.push({ ...toWatched("brand-change", change), location: location() });
        }
        if (change.field === "images" && isRemoval(change)) {
          watched.push({ ...toWatched("no-images", change), location: location() });
        }
      }
    },
    findings({ limits, allowed }) {
      const all = [...watched, ...texts.flatMap(judgeText), ...findShared(texts)];
      return CONTENT_GUARDS.flatMap((guard) => {
        const found = all.filter((each) => each.guard === guard);
        const rows = OF_TEXTS.has(guard) ? Math.max(0, ...textRows.values()) : updated.rows;
        const isTripped =
          !allowed.has(guard) &&
          rows >= limits.contentRows &&
          found.length > (rows * limits.contentPercent) / 100;
        return isTripped ? [{ guard, rows, changed: found.length, watched: found }] : [];
      });
    },
  };
}

const CONTENT_GUARDS: readonly ContentGuard[] = [
  "same-text",
  "short-text",
  "other-text",
  "brand-change",
  "no-images",
];

const OF_TEXTS: ReadonlySet<ContentGuard> = new Set(["same-text", "short-text", "other-text"]);

const CLASS_FIELDS: ReadonlySet<string> = new Set(["brand_id", "category_id"]);

/** The column of the sheet that gives each field. */
const COLUMNS: ReadonlyMap<string, GuardedColumn> = new Map([
  ["title", "title"],
  ["description", "description"],
  ["brand_id", "brand"],
  ["category_id", "category"],
  ["images", "image_1"],
]);

/** A held row leaves by itself once the unit is known; of any other held row a person decides. */
const isLeaving = ({ state, issues }: RowDecision): boolean =>
  state === "ready" || issues.some((issue) => issue.code === PRICE_UNIT_CODE || isContent(issue));

const isContent = (issue: RowDecision["issues"][number]): boolean =>
  CONTENT_GUARDS.some((guard) => guard === guardOf(issue));

interface TextChange {
  readonly field: string;
  readonly old: string;
  readonly new: string;
  readonly location: IssueLocation;
}

/** The old value is known and was there; a first text is no loss. */
const isTextChange = (
  change: FieldChange,
): change is FieldChange & { readonly old: string; readonly new: string } =>
  typeof change.old === "string" && typeof change.new === "string" && change.old.trim() !== "";

const isMove = ({ old, new: next }: FieldChange): boolean =>
  old !== undefined && old !== null && old !== "" && old !== next;

const isRemoval = ({ old, new: next }: FieldChange): boolean =>
  Array.isArray(next) && next.length === 0 && !(Array.isArray(old) && old.length === 0);

const toWatched = (
  guard: ContentGuard,
  { old, new: next }: FieldChange,
): Pick<WatchedRow, "guard" | "old" | "new"> => ({ guard, old: toText(old), new: toText(next) });

const toText = (value: unknown): string => (typeof value === "string" ? value : "");

/** Texts that shrink to under a third, and titles that keep no word of their own. */
function judgeText(change: TextChange): readonly WatchedRow[] {
  const { field, old, new: next, location } = change;
  if (old.trim().length < MIN_LENGTH) return [];
  const found: ContentGuard[] = [];
  if (next.trim().length * 3 < old.trim().length) found.push("short-text");
  if (field === "title" && !sharesWord(old, next)) found.push("other-text");
  return found.map((guard) => ({ guard, old, new: next, location }));
}

/** Different texts of at least three products that become one. */
function findShared(texts: readonly TextChange[]): readonly WatchedRow[] {
  const groups = new Map<string, TextChange[]>();
  for (const change of texts) {
    const key = `${change.field} ${change.new.trim()}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [change]);
    else group.push(change);
  }
  return [...groups.values()]
    .filter(
      (group) => group.length >= MIN_SHARING && group.some(({ old }) => old !== group[0]?.old),
    )
    .flatMap((group) =>
      group.map(({ old, new: next, location }) => ({
        guard: "same-text" as const,
        old,
        new: next,
        location,
      })),
    );
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
  /** @default every guard, at its default */
  readonly guards?: GuardSettings | undefined;
}

/**
 * Holds the rows of every guard whose share is beyond its limits. A run that is being planned sends
 * nothing, so it may stop at any row without harm. Returns how many rows it held.
 */
export async function holdContent(
  watch: ContentWatch,
  { runId, journal, guards = ALL_GUARDS }: HoldContentOptions,
): Promise<number> {
  const held = new Set<number>();
  for (const { watched, ...counts } of watch.findings(guards)) {
    for (const { location, old, new: next } of watched) {
      const { row } = location;
      const [record] = await journal.readRows(runId, { after: row - 1, limit: 1 });
      if (record === undefined) throw new Error(`row ${row} was planned and is gone`);
      const issues = [...record.issues, toContentIssue(counts, { old, new: next }, location)];
      const from = record.state === "held" ? "held" : "ready";
      await journal.recordOutcome({ runId, row, from }, { to: "held", cause: "guard", issues });
      held.add(row);
    }
  }
  return held.size;
}
