/** How a shared file stands in one of its stores, and what its plan there does with rows. */

import type { Connection } from "@catalog/connection";
import { formatDuration, type Lang } from "@catalog/i18n";
import { type OutcomeKind, readOutcomes, type RowOutcome } from "@catalog/report";
import type { NamedPerson, RunRecord } from "@catalog/runs";
import { allows, type Role } from "@catalog/team";

import type { DraftView } from "../../api/drafts.ts";
import type { RunRowView, RunView } from "../../api/runs.ts";
import type {
  SharedCellView,
  SharedRunView,
  SharedStep,
  SharedStoreView,
} from "../../api/shared-files.ts";
import { describeApproval } from "../runs/four-eyes.ts";
import { openRun } from "../runs/run-decisions.ts";
import { estimateSending } from "../runs/run-jobs.ts";
import { readRunRows } from "../runs/run-rows.ts";
import { toPlanHash } from "../runs/run-view.ts";
import type { EnteredStore } from "./store-sites.ts";

/** A store of the file in which the person who asks has a role. */
export interface OwnDraft {
  readonly store: string;
  readonly role: Role;
  readonly draft: string;
  /** The person who asks. */
  readonly by: NamedPerson;
}

/** A store with its plan. */
export interface PlannedStore {
  readonly store: string;
  /** `null` where it has none. */
  readonly plan: StorePlan | null;
}

/** A store with all that is shown of it. */
export interface ReadStore extends PlannedStore {
  readonly view: SharedStoreView;
  /** How long sending takes, in seconds; `null` where nothing is known of it. */
  readonly seconds: number | null;
}

export interface StorePlan {
  /** Changes with what becomes of the rows; while they are sent, that is what the plan says. */
  readonly key: string;
  readonly read: () => AsyncIterable<readonly RowOutcome[]>;
  /** Reads those of the rows that the plan has, by their numbers. */
  readonly readRows: (rows: readonly number[]) => Promise<ReadonlyMap<number, PlannedRow>>;
}

/** What a plan does with a row, and what is said of the row itself. */
interface PlannedRow extends Pick<RunRowView, "name" | "code" | "title"> {
  readonly cell: SharedCellView;
}

export async function readStore(
  { site, drafts, desk }: EnteredStore,
  own: OwnDraft,
  lang: Lang,
): Promise<ReadStore> {
  const draft = await drafts.view(own.draft, lang);
  const planned = draft.run && (await openRun(site, draft.run.id));
  const run = planned && (await desk.readView(planned.connection, planned.run, lang));
  const view = (shown: SharedRunView | null): SharedStoreView => ({
    store: own.store,
    role: own.role,
    draft: draft.id,
    version: draft.version,
    ...describeStep(draft, run),
    errors: draft.counts?.errors ?? null,
    openNames: draft.openNames,
    sheet: readSheet(draft),
    problem: draft.problem,
    run: shown,
  });
  const { store } = own;
  if (run === null || planned === null || run.state === "planning") {
    return { store, view: view(null), seconds: null, plan: null };
  }
  const { connection } = planned;
  const isCurrent = draft.run?.isCurrent === true;
  const approval = await describeApproval({ site, connection, run: planned.run, by: own.by });
  const seconds = await estimateSending(connection, run.plan.calls);
  const refusal = findRefusal(run, { isCurrent, role: own.role, ...approval });
  return {
    store,
    view: view({ ...toRunView(run), isCurrent, refusal }),
    seconds: isCurrent && run.state === "planned" ? seconds : null,
    plan: toPlan({ connection, run: planned.run, hash: run.planHash, store, lang }),
  };
}

/** Reads the plan alone, which rows are asked of again and again. */
export async function readPlan(
  { site }: EnteredStore,
  { store, draft }: OwnDraft,
  lang: Lang,
): Promise<PlannedStore> {
  const connection = await site.store.connection();
  const id = (await connection.memory.drafts.read(draft))?.run?.id;
  const run = id === undefined ? undefined : await connection.runs.read(id);
  if (run === undefined || run.state === "planning") return { store, plan: null };
  const hash = toPlanHash(run, await connection.journal.countRows(run.id));
  return { store, plan: toPlan({ connection, run, hash, store, lang }) };
}

/** What the sheets of a file are called tells whether its rows have the same numbers in all stores. */
const readSheet = ({ reading: { sheet, sheets } }: DraftView): string | null =>
  sheets.length < 2 || sheet === null ? null : sheet.value.join(", ");

function describeStep(
  draft: DraftView,
  run: RunView | null,
): Pick<SharedStoreView, "step" | "stepText"> {
  const { progress } = draft;
  // A plan stays the draft's while its rows are only checked once more.
  const isPlanned = draft.run?.isCurrent === true && progress?.step !== "plan";
  if (progress !== null && !isPlanned) return { step: "working", stepText: progress.text };
  if (run === null || !isPlanned) return describeOpen(draft);
  const { state, stateText: stepText } = run;
  return { step: state === "planning" ? "working" : state, stepText };
}

/** What a draft without a plan waits for. */
function describeOpen({
  state,
  reading,
  columns,
}: DraftView): Pick<SharedStoreView, "step" | "stepText"> {
  if (reading.problem !== null) return { step: "file", stepText: reading.problem.message };
  const isAsked = (columns?.problems.length ?? 0) > 0;
  return { step: isAsked ? "columns" : STEPS[state], stepText: null };
}

const STEPS: Readonly<Record<DraftView["state"], SharedStep>> = {
  reading: "file",
  columns: "columns",
  checking: "working",
  ready: "ready",
};

const toRunView = ({
  id,
  planHash,
  plan,
  period,
}: RunView): Omit<SharedRunView, "isCurrent" | "refusal"> => ({
  id,
  planHash,
  adds: plan.adds,
  updates: plan.updates,
  unchanged: plan.unchanged,
  held: plan.held,
  stock: plan.stock,
  failed: plan.invalid + plan.duplicate,
  calls: plan.calls,
  duration: plan.duration,
  hasPeriod: period !== null,
});

interface Approving {
  readonly isCurrent: boolean;
  readonly role: Role;
  readonly needsAnother: boolean;
}

/** The same checks are made again where the plan is approved. */
function findRefusal(
  { state, plan, can, period }: RunView,
  { isCurrent, role, needsAnother }: Approving,
): SharedRunView["refusal"] {
  if (!isCurrent) return "stale";
  if (state !== "planned") return "done";
  if (plan.adds + plan.updates + plan.stock === 0) return "nothing";
  if (!can.send) return "stale";
  if (!allows(role, "approver")) return "role";
  if (needsAnother) return "four-eyes";
  return period === null ? null : "period";
}

interface PlanParts {
  readonly connection: Connection;
  readonly run: RunRecord;
  readonly hash: string;
  readonly store: string;
  readonly lang: Lang;
}

function toPlan({ connection, run, hash, store, lang }: PlanParts): StorePlan {
  const isSettled = run.state === "planned" || run.state === "finished";
  return {
    key: isSettled ? `${run.id} ${hash}` : run.id,
    read: () => readOutcomes(connection, run, lang),
    async readRows(rows) {
      const found = await readRunRows(connection, run, { rows, lang });
      return new Map(found.map((row) => [row.row, toPlannedRow(store, row)]));
    },
  };
}

const toPlannedRow = (store: string, row: RunRowView): PlannedRow => ({
  name: row.name,
  code: row.code,
  title: row.title,
  cell: {
    store,
    kind: KINDS[row.state] ?? row.action ?? "unchanged",
    stateText: row.stateText,
    isHeld: row.isHeld,
    action: row.action,
    changes: row.changes,
    issues: row.issues,
  },
});

/** By the classes of results; of all others, the action says it. */
const KINDS: Readonly<Record<string, OutcomeKind>> = {
  held: "held",
  unchanged: "unchanged",
  skipped: "unchanged",
  invalid: "failed",
  duplicate: "failed",
  rejected: "failed",
  cancelled: "cancelled",
};

/** The longest of several times, in words. */
export function describeLongest(seconds: readonly (number | null)[], lang: Lang): string | null {
  const known = seconds.filter((each) => each !== null);
  return known.length === 0 ? null : formatDuration(Math.max(...known), lang);
}
