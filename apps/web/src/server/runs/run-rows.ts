/** Rows of a run by filter, page by page. */

import { setImmediate } from "node:timers/promises";

import type { Connection } from "@catalog/connection";
import { formatMinor, type Lang } from "@catalog/i18n";
import { isFeedRun } from "@catalog/importer";
import { fold } from "@catalog/mapping";
import {
  createRowViews,
  keptOf,
  readHeldGroups,
  readReportedPage,
  readStoreTitles,
  type ReportedRow,
  type ViewedRow,
} from "@catalog/report";
import {
  guardOf,
  PRICE_UNIT_CODE,
  type RowIssue,
  type RowState,
  type RunRecord,
  type WriteAction,
} from "@catalog/runs";

import type { RunRowFilter, RunRows, RunRowView } from "../../api/runs.ts";
import { nameFields, plainAdvice, plainText } from "../plain-advice.ts";
import { nameRunsIn } from "./run-summary.ts";

const PAGE_ROWS = 100;
const BATCH_ROWS = 500;

interface Shown {
  readonly states?: readonly RowState[];
  readonly action?: WriteAction;
}

const SHOWN: Readonly<Record<NonNullable<RunRowFilter["show"]>, Shown>> = {
  add: { action: "add", states: ["ready", "sending", "ambiguous", "done"] },
  update: { action: "update", states: ["ready", "sending", "ambiguous", "done"] },
  unchanged: { states: ["unchanged", "skipped"] },
  held: { states: ["held"] },
  failed: { states: ["invalid", "duplicate", "rejected"] },
  done: { states: ["done"] },
};

/** Reads a page of rows, after the row with the number `after`. */
export async function readRunRows(
  connection: Connection,
  run: RunRecord,
  { filter, after, lang }: RowsQuery,
): Promise<RunRows> {
  const found =
    filter.sort === "changes"
      ? await readBiggest(connection, run, { filter, after })
      : await readMatching(connection, run, { filter, after });
  const views = await createRowViews(connection, run, lang)(found.rows);
  const source = run.progress.draft === undefined ? "file" : "draft";
  const advice = GUARD_ADVICE[lang][run.state === "planned" ? "plan" : "report"][source];
  const states = isFeedRun(run) ? FEED_STATES[lang] : {};
  const shown = views.map((view, at) => toView(view, found.rows[at], { lang, advice, states }));
  const issues = await nameRunsIn(
    connection,
    shown.map((row) => row.issues),
    lang,
  );
  const rows = shown.map((row, at) => Object.assign({}, row, { issues: issues[at] ?? [] }));
  return { rows, next: found.next };
}

interface RowsQuery {
  readonly filter: RunRowFilter;
  /** What the page before named as `next`; 0 for the first page. */
  readonly after: number;
  readonly lang: Lang;
}

interface FoundRows {
  readonly rows: readonly ReportedRow[];
  readonly next: number | null;
}

async function readMatching(
  connection: Connection,
  run: RunRecord,
  { filter, after }: Pick<RowsQuery, "filter" | "after">,
): Promise<FoundRows> {
  const rows: ReportedRow[] = [];
  for await (const row of scan(connection, run, { filter, after })) {
    if (rows.length === PAGE_ROWS) return { rows, next: rows.at(-1)?.row ?? null };
    rows.push(row);
  }
  return { rows, next: null };
}

async function* scan(
  connection: Connection,
  run: RunRecord,
  { filter, after }: Pick<RowsQuery, "filter" | "after">,
): AsyncGenerator<ReportedRow> {
  const matches = createMatch(filter);
  const isFound = createSearch(connection, filter.text);
  const shown = filter.show === undefined ? {} : SHOWN[filter.show];
  let from = after;
  for (;;) {
    const batch = await readReportedPage(connection, run, {
      ...shown,
      after: from,
      limit: BATCH_ROWS,
    });
    yield* await isFound(batch.filter(matches));
    const last = batch.at(-1);
    if (last === undefined || batch.length < BATCH_ROWS) return;
    from = last.row;
    await setImmediate();
  }
}

function createMatch({ guard, field, code }: RunRowFilter): (row: ReportedRow) => boolean {
  const tests: ((row: ReportedRow) => boolean)[] = [];
  if (guard !== undefined) {
    tests.push((row) => [...readHeldGroups(row).keys()].some((group) => group === guard));
  }
  if (field !== undefined) tests.push((row) => row.changes.some((one) => one.field === field));
  if (code !== undefined) tests.push((row) => row.issues.some((one) => one.code === code));
  return (row) => tests.every((test) => test(row));
}

/** Keeps the rows in which the screen shows the text: their cells, the product, changes and issues. */
function createSearch(
  connection: Connection,
  text: string | undefined,
): (rows: readonly ReportedRow[]) => Promise<readonly ReportedRow[]> {
  const folded = text === undefined ? "" : fold(text);
  if (folded === "") return async (rows) => rows;
  return async (rows) => {
    const titles = await readStoreTitles(connection, rows);
    return rows.filter((row) => {
      const title = titles.get(row.codeKey ?? "") ?? "";
      return fold(`${title}\n${textOf(row)}`).includes(folded);
    });
  };
}

/** A value as the page shows it; nothing for one that it shows by a name. */
function showValue(field: string, value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "number") return [];
  return field === "price" ? [formatMinor(value, "tr"), formatMinor(value, "en")] : [String(value)];
}

/** Both languages count, as a person may remember either. */
const textOf = ({ code, cells, productId, changes, issues, payload, paid }: ReportedRow): string =>
  [
    code,
    productId,
    payload?.title,
    ...cells,
    ...changes.flatMap(({ field, old, new: next }) => [
      ...showValue(field, old),
      ...showValue(field, next),
    ]),
    ...showValue("price", paid?.old),
    ...showValue("price", paid?.new),
    ...issues.flatMap(({ message }) => [message.tr, message.en]),
  ]
    .filter((part) => part !== null && part !== undefined)
    .join("\n");

/**
 * Ranks prices by the factor of their change, or of what buyers pay where that changes more, among
 * them products that are no longer sold, and then stocks by pieces; the other rows follow in the
 * order of the sheet. Here `after` is the number of rows of the pages before.
 */
async function readBiggest(
  connection: Connection,
  run: RunRecord,
  { filter, after }: Pick<RowsQuery, "filter" | "after">,
): Promise<FoundRows> {
  const max = after + PAGE_ROWS + 1;
  let top: { readonly row: ReportedRow; readonly size: number }[] = [];
  for await (const row of scan(connection, run, { filter, after: 0 })) {
    top.push({ row, size: sizeOf(row) });
    if (top.length >= 2 * max) top = best(top, max);
  }
  const ranked = best(top, max);
  const next = ranked.length === max ? after + PAGE_ROWS : null;
  return { rows: ranked.slice(after, after + PAGE_ROWS).map(({ row }) => row), next };
}

const best = <Ranked extends { readonly size: number }>(
  all: readonly Ranked[],
  max: number,
): Ranked[] => all.toSorted((a, b) => b.size - a.size).slice(0, max);

/**
 * A price counts by its factor, far above the pieces of a stock; any other value by the share of it
 * that is lost, at most like a price that is halved.
 */
function sizeOf({ changes, paid }: ReportedRow): number {
  const sizes = changes.map(({ field, old, new: next }) => {
    const isNumber = typeof old === "number" && typeof next === "number";
    if (field !== "price" && field !== "stock_count") {
      return old === undefined ? 0 : (1 - keptOf({ old, new: next })) * HALVED;
    }
    if (!isNumber) return 0;
    if (field === "stock_count") return sizeOfStock(old, next);
    return sizeOfPrice(old, next);
  });
  return Math.max(0, ...sizes, paid?.new === undefined ? 0 : sizeOfPrice(paid.old, paid.new));
}

const sizeOfPrice = (old: number, next: number): number =>
  old > 0 && next > 0 ? 1 + Math.abs(Math.log(next / old)) : Infinity;

/** A stock that falls to 0 ends the sale of its product, and counts like a price that is halved. */
const sizeOfStock = (old: number, next: number): number =>
  next === 0 && old > 0 ? HALVED : Math.abs(next - old) / STOCK_SCALE;

const STOCK_SCALE = 1e12;

/** Size of a price that is halved. */
const HALVED = 1 + Math.LN2;

/** What a person can do on the page about a row that is held for its values or its code. */
const GUARD_ADVICE: Readonly<Record<Lang, Readonly<Record<"plan" | "report", Advice>>>> = {
  tr: {
    plan: {
      draft: "Doğruysa işaretleyin; yanlışsa Düzelt adımında düzeltin.",
      file: "Doğruysa işaretleyin; yanlışsa dosyanızda düzeltip dosyayı yeniden yükleyin.",
    },
    report: {
      draft:
        "Doğruysa karar bekleyen satırlarda seçip gönderin; yanlışsa vazgeçin, Düzelt adımında düzeltip yeniden gönderin.",
      file: "Doğruysa karar bekleyen satırlarda seçip gönderin; yanlışsa vazgeçin, dosyanızda düzeltip dosyayı yeniden yükleyin.",
    },
  },
  en: {
    plan: {
      draft: "If it is right, tick it; if not, correct it in the step Correct.",
      file: "If it is right, tick it; if not, correct it in your file and upload that again.",
    },
    report: {
      draft:
        "If it is right, choose and send it among the rows that wait; if not, give it up, correct it in the step Correct and send it again.",
      file: "If it is right, choose and send it among the rows that wait; if not, give it up, correct it in your file and upload that again.",
    },
  },
};

/** What becomes of rows of a sync that a person has released; the next sync closes them. */
const FEED_STATES: Readonly<Record<Lang, RowWords["states"]>> = {
  tr: {
    pending: "Onaylandı; sıradaki eşitleme gönderir",
    cancelled: "Kapandı; sonraki eşitlemeye geçti ya da vazgeçildi",
  },
  en: {
    pending: "Approved; the next sync sends it",
    cancelled: "Closed: taken over by a later sync, or given up",
  },
};

/** Advice by what the run was planned from. */
type Advice = Readonly<Record<"draft" | "file", string>>;

interface RowWords {
  readonly lang: Lang;
  /** Advice on rows that a guard holds. */
  readonly advice: string;
  /** Words for results that differ from the usual ones. */
  readonly states: Readonly<Record<string, string>>;
}

/** Whether a person can tell if the value is right; the unit of prices is asked for first. */
const isForPerson = (issue: RowIssue): boolean =>
  issue.code === "E_CODE_SUSPECT" ||
  (guardOf(issue) !== undefined && issue.code !== PRICE_UNIT_CODE);

function toView(
  view: ViewedRow,
  row: ReportedRow | undefined,
  { lang, advice, states }: RowWords,
): RunRowView {
  const isHeld = row?.state === "held";
  const adviseOn = (issue: RowIssue): string | null => {
    if (isHeld && isForPerson(issue)) return advice;
    return issue.suggestion === undefined ? null : plainAdvice(issue.suggestion[lang]);
  };
  return {
    row: view.row,
    name: view.name,
    code: view.code,
    title: view.title,
    state: view.resultClass,
    stateText: states[view.resultClass] ?? view.resultText,
    canSend: row?.state === "ready",
    isHeld,
    action: view.action,
    changes: view.changes,
    issues: view.issues.map((issue) => ({
      code: issue.code,
      message: nameFields(plainText(issue.message[lang]), lang),
      suggestion: adviseOn(issue),
      guard: guardOf(issue) ?? null,
    })),
    productId: view.productId,
    link: view.link,
    image: view.image,
  };
}
