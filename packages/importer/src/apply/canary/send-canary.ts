/**
 * Sends the first rows of a run alone and reads them back before the others are sent. The progress
 * is read from the journal, so after a crash the next process sends only the missing canary rows.
 * The verdict is stored; resuming the run accepts it.
 */

import type { Connection } from "@catalog/connection";
import type { Localized } from "@catalog/i18n";
import type { ApplyEnd, CanaryVerdict, RunRecord } from "@catalog/runs";

import { verifyRun } from "../verify-run.ts";
import { describeCanary } from "./canary-texts.ts";
import { countSent, judgeCanary, viewCanary } from "./judge-canary.ts";

/** The size of the canary, and how its rows are sent. */
export interface CanaryOptions {
  /** Number of canary rows. */
  readonly rows: number;
  /** Sends at most `max` of the ready rows. */
  readonly send: (max: number) => Promise<SendEnd>;
  readonly signal?: AbortSignal | undefined;
  /** Called with the verdict on a canary that has passed. */
  readonly onVerdict?: ((message: Localized) => void) | undefined;
}

/** The end of sending, with an explanation for people. */
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

/** Calls of `send` after which a canary with unsent rows is given up. */
const MAX_ROUNDS = 3;

/** Returns why the other rows may not be sent; `undefined` where they may. */
export async function sendCanary(
  connection: Connection,
  run: RunRecord,
  options: CanaryOptions,
): Promise<SendEnd | undefined> {
  const { rows, signal } = options;
  if (run.progress.canaryVerdict !== undefined) return undefined;
  await connection.runs.update(run.id, { settings: { ...run.settings, canary: rows } });
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const left = rows - (await countSent(connection, run));
    if (left <= 0 || !(await hasReady(connection, run))) break;
    const sent = await options.send(left);
    if (sent.end !== "finished") return sent;
  }
  await verifyRun(connection, run, { stop: signal });
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
  // Without a sent row there is no verdict; the other rows wait for the next resume.
  if (view.sent === 0) {
    return (await hasReady(connection, run)) ? { end: "breaker", reason: UNSENT } : undefined;
  }
  const canaryVerdict = judgeCanary(view);
  const text = describeCanary(canaryVerdict, view);
  const settings = { ...run.settings, canary: rows };
  const progress = { ...run.progress, canaryVerdict };
  const isLeft = await hasReady(connection, run);
  const known = isLeft ? await saveVerdict(connection, run, { text, canaryVerdict }) : {};
  await connection.runs.update(run.id, { settings, progress, ...known });
  if (!isLeft) return undefined;
  if (canaryVerdict !== "passed") return { end: "canary" };
  onVerdict?.(text);
  return undefined;
}

interface Verdict {
  readonly text: Localized;
  readonly canaryVerdict: CanaryVerdict;
}

/** Adds a passed verdict to the notes of the run, and any other to its warnings. */
async function saveVerdict(
  { runs }: Connection,
  { id }: RunRecord,
  { text, canaryVerdict }: Verdict,
): Promise<Partial<Pick<RunRecord, "facts" | "warnings">>> {
  const run = await runs.read(id);
  if (run === undefined) return {};
  const { facts, warnings } = run;
  if (canaryVerdict !== "passed") {
    return { warnings: [...warnings, { code: "W_CANARY", message: text }] };
  }
  if (facts?.reading === undefined) return {};
  const notes = [...facts.reading.notes, text];
  return { facts: { ...facts, reading: { ...facts.reading, notes } } };
}
