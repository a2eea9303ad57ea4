/**
 * Sends the first rows of a run alone and reads them back before the others may follow. How far
 * that came is read from the journal, so a process may die anywhere: the next one sends what is
 * missing of the canary, and no more. Once there is a verdict it is kept, and whoever goes on with
 * the run has accepted it.
 */

import { type Connection } from "@catalog/connection";
import { type Localized } from "@catalog/i18n";
import { type ApplyEnd, type CanaryVerdict, type RunRecord } from "@catalog/runs";

import { verifyRun } from "../verify-run.ts";
import { describeCanary } from "./canary-texts.ts";
import { countSent, judgeCanary, viewCanary } from "./judge-canary.ts";

export interface CanaryOptions {
  /** Rows that go first. */
  readonly rows: number;
  /** Sends at most so many of the rows that are ready. */
  readonly send: (max: number) => Promise<SendEnd>;
  readonly signal?: AbortSignal | undefined;
  /** Told what came of it, where the other rows follow. */
  readonly onVerdict?: ((message: Localized) => void) | undefined;
}

/** Why sending ended. */
export interface SendEnd {
  readonly end: ApplyEnd | "canary";
  readonly reason?: Localized | undefined;
}

const UNREAD: Localized = {
  tr: "Önden gönderilen satırlar geri okunamadı",
  en: "The rows that went first could not be read back",
};

const UNSENT: Localized = {
  tr: "Önden gidecek satırların hiçbiri gönderilemedi",
  en: "None of the rows that go first could be sent",
};

/** Calls of `send` that leave rows of the canary unsent before it is given up. */
const MAX_ROUNDS = 3;

/** Says why nothing else may be sent; `undefined` where the other rows may follow. */
export async function sendCanary(
  connection: Connection,
  run: RunRecord,
  options: CanaryOptions,
): Promise<SendEnd | undefined> {
  const { rows, signal } = options;
  if (run.progress.canaryVerdict !== undefined) return undefined;
  await connection.runLog.update(run.id, { settings: { ...run.settings, canary: rows } });
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const left = rows - (await countSent(connection, run));
    if (left <= 0 || !(await hasReady(connection, run))) break;
    const sent = await options.send(left);
    if (sent.end !== "finished") return sent;
  }
  await verifyRun(connection, run, signal);
  if (signal?.aborted === true) return { end: "stopped" };
  return await applyVerdict(connection, run, options);
}

async function hasReady({ journal }: Connection, { id }: RunRecord): Promise<boolean> {
  return (await journal.readRows(id, { states: ["ready"], limit: 1 })).length > 0;
}

async function applyVerdict(
  connection: Connection,
  run: RunRecord,
  { rows, onVerdict }: CanaryOptions,
): Promise<SendEnd | undefined> {
  const view = await viewCanary(connection, run);
  if (view === undefined) return { end: "breaker", reason: UNREAD };
  // Of which nothing left, nothing is learnt: the other rows wait for the next try.
  if (view.sent === 0) {
    return (await hasReady(connection, run)) ? { end: "breaker", reason: UNSENT } : undefined;
  }
  const canaryVerdict = judgeCanary(view);
  const text = describeCanary(canaryVerdict, view);
  const settings = { ...run.settings, canary: rows };
  const progress = { ...run.progress, canaryVerdict };
  const isLeft = await hasReady(connection, run);
  const known = isLeft ? await saveVerdict(connection, run, { text, canaryVerdict }) : {};
  await connection.runLog.update(run.id, { settings, progress, ...known });
  if (!isLeft) return undefined;
  if (canaryVerdict !== "passed") return { end: "canary" };
  onVerdict?.(text);
  return undefined;
}

interface Verdict {
  readonly text: Localized;
  readonly canaryVerdict: CanaryVerdict;
}

/** What went well is a note of the run, and what did not is a warning. */
async function saveVerdict(
  { runLog }: Connection,
  { id }: RunRecord,
  { text, canaryVerdict }: Verdict,
): Promise<Partial<Pick<RunRecord, "facts" | "warnings">>> {
  const run = await runLog.read(id);
  if (run === undefined) return {};
  const { facts, warnings } = run;
  if (canaryVerdict !== "passed") {
    return { warnings: [...warnings, { code: "W_CANARY", message: text }] };
  }
  if (facts?.reading === undefined) return {};
  const notes = [...facts.reading.notes, text];
  return { facts: { ...facts, reading: { ...facts.reading, notes } } };
}
