/** Rows of a run: which are listed in which order, and rows by their numbers. */

import type { Connection } from "@catalog/connection";
import type { Lang } from "@catalog/i18n";
import { isFeedRun } from "@catalog/importer";
import { indexRows, readRowViews, type RowIndex, type RowsFilter } from "@catalog/report";
import {
  guardOf,
  PRICE_UNIT_CODE,
  type RowIssue,
  type RunRecord,
  toCountedAction,
} from "@catalog/runs";

import type { RunRowFilter, RunRowSort, RunRowView } from "../../api/runs.ts";
import { nameFields, plainAdvice, plainText } from "../plain-advice.ts";
import { nameRunsIn } from "./run-summary.ts";
import { toPlanHash } from "./run-view.ts";

const SHOWN: Readonly<Record<NonNullable<RunRowFilter["show"]>, RowsFilter>> = {
  add: { action: "add", states: ["ready", "sending", "ambiguous", "done"] },
  update: { action: "update", states: ["ready", "sending", "ambiguous", "done"] },
  unchanged: { states: ["unchanged", "skipped"] },
  held: { states: ["held"] },
  failed: { states: ["invalid", "duplicate", "rejected"] },
  done: { states: ["done"] },
};

const OPEN: Readonly<Record<NonNullable<RunRowFilter["can"]>, RowsFilter>> = {
  send: { states: ["ready"] },
  release: { states: ["held"], isFree: true },
  stock: { states: ["held"], sendsStock: true },
};

function toRowsFilter({ show, can, guard, ...rest }: RunRowFilter): RowsFilter {
  const shown = show === undefined ? {} : SHOWN[show];
  const open = can === undefined ? {} : OPEN[can];
  const states =
    open.states === undefined || shown.states === undefined
      ? (open.states ?? shown.states)
      : shown.states.filter((state) => open.states?.includes(state));
  return { ...rest, ...shown, ...open, states, group: guard };
}

interface Listing {
  readonly filter: RunRowFilter;
  /** @default the order of the sheet */
  readonly sort: RunRowSort | undefined;
}

/** Lists the numbers of the rows of a run. */
type ReadRunOrder = (
  connection: Connection,
  run: RunRecord,
  listing: Listing,
) => Promise<Uint32Array>;

/** A row of the index takes some 300 bytes. */
const MAX_INDEXES = 2;

interface KeptIndex {
  readonly hash: string;
  readonly index: Promise<RowIndex>;
}

/** The indexes of the runs that were shown last are kept while nothing changes. */
export function createReadRunOrder(): ReadRunOrder {
  // Another connection is that of another store.
  const known = new WeakMap<Connection, Map<string, KeptIndex>>();
  const readIndex = async (connection: Connection, run: RunRecord): Promise<RowIndex> => {
    const hash = toPlanHash(run, await connection.journal.countRows(run.id));
    const indexes = known.get(connection) ?? new Map<string, KeptIndex>();
    known.set(connection, indexes);
    const kept = indexes.get(run.id);
    const index = kept?.hash === hash ? kept.index : indexRows(connection, run);
    indexes.delete(run.id);
    indexes.set(run.id, { hash, index });
    index.catch(() => indexes.delete(run.id));
    const [oldest] = indexes.keys();
    if (indexes.size > MAX_INDEXES && oldest !== undefined) indexes.delete(oldest);
    return await index;
  };
  return async (connection, run, { filter, sort }) => {
    const index = await readIndex(connection, run);
    return await index.list({ filter: toRowsFilter(filter), sort });
  };
}

/** Reads the rows with these numbers, in their order. */
export async function readRunRows(
  connection: Connection,
  run: RunRecord,
  { rows, lang }: { readonly rows: readonly number[]; readonly lang: Lang },
): Promise<readonly RunRowView[]> {
  const found = await readRowViews(connection, run, { rows, lang });
  const source = run.progress.draft === undefined ? "file" : "draft";
  const advice = GUARD_ADVICE[lang][run.state === "planned" ? "plan" : "report"][source];
  const states = isFeedRun(run) ? FEED_STATES[lang] : {};
  const views = found.map((row) => toView(row, { lang, advice, states }));
  const issues = await nameRunsIn(
    connection,
    views.map((view) => view.issues),
    lang,
  );
  return views.map((view, at) => Object.assign({}, view, { issues: issues[at] ?? [] }));
}

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

type FoundRow = Awaited<ReturnType<typeof readRowViews>>[number];

function toView(view: FoundRow, { lang, advice, states }: RowWords): RunRowView {
  const isHeld = view.state === "held";
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
    canSend: view.state === "ready",
    isHeld,
    action: toCountedAction(view.action),
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
