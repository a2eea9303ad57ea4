/** One run in the history. */

import type { Connection } from "@catalog/connection";
import type { LockHolder } from "@catalog/database";
import type { Lang } from "@catalog/i18n";
import { CANCEL_REST, findUndo, isPartialUndo } from "@catalog/importer";
import { countFileRows, type Counts, type RunRecord, toCounts } from "@catalog/runs";

import type { RunCounts, RunState, RunSummaryView, RunUndoneView } from "../../api/runs.ts";
import { RUN_TEXTS } from "./run-texts.ts";

/**
 * A run that is stored as running, without a process that works on it, was cut off. A process that
 * works on a planned run still writes its files, or is about to send it, by its command. One that
 * gives up the rest of a run sends nothing. The queue of the workers is not looked at.
 */
export function toRunState(
  { state }: Pick<RunRecord, "state">,
  holder: Pick<LockHolder, "command"> | undefined,
): StoredState {
  if (holder?.command === CANCEL_REST) return STATES[state][1];
  if (state === "planned" && SENDS.has(holder?.command ?? "")) return "sending";
  return STATES[state][holder === undefined ? 1 : 0];
}

/** Commands that hold a run which was planned before, and the page while it takes an approval. */
const SENDS: ReadonlySet<string> = new Set([
  "catalog apply",
  "catalog resume",
  "catalog release",
  "catalog web",
]);

type StoredState = Exclude<RunState, "queued">;

const STATES: Readonly<
  Record<RunRecord["state"], readonly [underWay: StoredState, idle: StoredState]>
> = {
  planning: ["planning", "stopped"],
  planned: ["planning", "planned"],
  running: ["sending", "stopped"],
  stopped: ["sending", "stopped"],
  finished: ["finished", "finished"],
};

/** Rows of which nothing can be sent count as unchanged; those under way as waiting. */
const toRunCounts = (counts: Counts, { progress }: Pick<RunRecord, "progress">): RunCounts => ({
  rows: counts.rows,
  added: counts.added,
  updated: counts.updated,
  unchanged: counts.unchanged + counts.skipped,
  invalid: counts.invalid,
  duplicate: counts.duplicate,
  held: counts.held,
  rejected: counts.rejected,
  waiting: counts.pending + counts.unknown,
  cancelled: counts.cancelled,
  restCancelled: progress.restCancelled ?? 0,
  excluded: progress.draft?.excluded ?? 0,
});

interface StateFacts {
  readonly state: RunState;
  readonly counts: Counts;
  readonly lang: Lang;
}

/** Whether a sync was given up before it had a plan; its warnings say why. */
export const isRefusedSync = ({
  kind,
  state,
  facts,
  warnings,
}: Pick<RunRecord, "kind" | "state" | "facts" | "warnings">): boolean =>
  kind === "sync" && state === "stopped" && facts === null && warnings.length > 0;

/** The state of a run in words. */
export function describeState(run: RunRecord, { state, counts, lang }: StateFacts): string {
  const { rows, unchanged, skipped } = counts;
  const isNothing = state === "finished" && rows === unchanged + skipped;
  const texts = RUN_TEXTS[lang];
  if (state === "stopped" && isRefusedSync(run)) return texts.refused;
  return isNothing && toRunKind(run) === "undo" ? texts.nothingToUndo : texts.states[state];
}

/** What a run was made for. */
export function toRunKind({ kind, progress }: RunRecord): RunSummaryView["kind"] {
  if (kind === "sync") return "sync";
  if (progress.undoOf !== undefined) return "undo";
  return progress.retryOf === undefined ? "import" : "retry";
}

/** Who made the run, in words; `null` where it is not known. */
function describeMaker({ maker }: RunRecord, lang: Lang): string | null {
  if (maker === undefined) return null;
  const origin = RUN_TEXTS[lang].origins[maker.origin];
  return maker.user === null ? origin : `${origin} · ${maker.user}`;
}

const toFileHash = ({ file: { sha256 } }: RunRecord): string | null =>
  sha256 === "" ? null : sha256;

/** Whether an undo has taken back all rows of its run depends on them. */
type NamedCounts = Pick<Counts, "rows" | "updated" | "unchanged">;

/** The file, or what stands for it, in words. */
export async function nameRun(
  { runs }: Pick<Connection, "runs">,
  { file, progress, state }: RunRecord,
  { counts, lang }: { readonly counts: NamedCounts; readonly lang: Lang },
): Promise<string> {
  const { undoOf, retryOf } = progress;
  const of = undoOf ?? retryOf;
  if (of === undefined) return file.name;
  const first = (await runs.read(of))?.file.name ?? of;
  const texts = RUN_TEXTS[lang];
  if (undoOf === undefined) return texts.retryOf(first);
  if (state !== "finished") return texts.undoOf(first);
  if (counts.updated === 0) return texts.undoneNothing(first);
  const isPartial = counts.updated + counts.unchanged < counts.rows;
  return isPartial ? texts.undonePartly(first) : texts.undone(first);
}

/** How much of a run another one has taken back; `null` where none has. */
export async function readUndone(
  connection: Pick<Connection, "runs" | "journal">,
  run: RunRecord,
): Promise<RunUndoneView | null> {
  const undo = await findUndo(connection, run);
  if (undo === undefined) return null;
  const { restored, sent } = undo;
  return { run: undo.run.id, restored, sent, isPartial: isPartialUndo(undo) };
}

/** Reads one run for the history. `known` are the runs under way; they are read by default. */
export async function readRunSummary(
  connection: Connection,
  run: RunRecord,
  lang: Lang,
  known?: ReadonlySet<string>,
): Promise<RunSummaryView> {
  const counts = toCounts(await connection.journal.countRows(run.id));
  const all = run.kind === "sync" ? countFileRows(run, counts) : counts;
  const underWay = known ?? (await connection.locks.runsUnderWay());
  const holder = underWay.has(run.id) ? await connection.locks.holderOf(run.id) : undefined;
  const state = toRunState(run, holder);
  return {
    id: run.id,
    kind: toRunKind(run),
    name: await nameRun(connection, run, { counts, lang }),
    state,
    stateText: describeState(run, { state, counts, lang }),
    by: describeMaker(run, lang),
    fileSha256: toFileHash(run),
    createdAt: new Date(run.createdAtMs).toISOString(),
    updatedAt: new Date(run.updatedAtMs).toISOString(),
    counts: toRunCounts(all, run),
    undoneBy: await readUndone(connection, run),
    of: run.progress.undoOf ?? run.progress.retryOf ?? null,
    draft: run.progress.draft?.id ?? null,
  };
}
