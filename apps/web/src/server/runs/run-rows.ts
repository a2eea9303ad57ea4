/** Rows of a run by filter, page by page. */

import type { Connection } from "@catalog/connection";
import type { Lang } from "@catalog/i18n";
import { isFeedRun } from "@catalog/importer";
import { readRowViews } from "@catalog/report";
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
  const { show, guard, ...rest } = filter;
  const shown = show === undefined ? {} : SHOWN[show];
  const found = await readRowViews(connection, run, {
    filter: { ...shown, ...rest, group: guard },
    after,
    limit: PAGE_ROWS,
    lang,
  });
  const source = run.progress.draft === undefined ? "file" : "draft";
  const advice = GUARD_ADVICE[lang][run.state === "planned" ? "plan" : "report"][source];
  const states = isFeedRun(run) ? FEED_STATES[lang] : {};
  const views = found.rows.map((row) => toView(row, { lang, advice, states }));
  const issues = await nameRunsIn(
    connection,
    views.map((view) => view.issues),
    lang,
  );
  const rows = views.map((view, at) => Object.assign({}, view, { issues: issues[at] ?? [] }));
  return { rows, next: found.next };
}

interface RowsQuery {
  readonly filter: RunRowFilter;
  /** What the page before named as `next`; 0 for the first page. */
  readonly after: number;
  readonly lang: Lang;
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

type FoundRow = Awaited<ReturnType<typeof readRowViews>>["rows"][number];

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
