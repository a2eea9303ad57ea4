/**
 * Reads back the sent rows of a run, and warns of fields that the marketplace ignores or refuses.
 */

import { ClientError } from "@catalog/client/errors";
import { fieldLabel, savePriceUnitSetting, type Connection } from "@catalog/connection";
import { codeKey } from "@catalog/mapping";
import {
  type SentRow,
  type CapabilityFinding,
  createRefusedFieldWatch,
  readAllRows,
  verifyOpenRows,
  verifyRunRows,
  readSentUnit,
  type RefusedFieldWatch,
  refusedInUpdates,
  type RefusedField,
  type RowRecord,
  type RunRecord,
  type RunWarning,
  toCounts,
} from "@catalog/runs";

/** How far a run was applied. */
export type ApplyProgress = CountedProgress | RecheckProgress;

/** What is known of the rows is read again, and open rows are reconciled, before rows are sent. */
interface RecheckProgress {
  readonly step: "recheck";
  readonly done: 0;
  readonly total?: undefined;
  readonly row?: undefined;
}

interface CountedProgress {
  /** Pages of the store or product codes are read; rows are sent, and read back. */
  readonly step: "store" | "codes" | "send" | "verify";
  readonly done: number;
  readonly total: number;
  /** The row that was sent last. */
  readonly row?: SentRow | undefined;
}

interface VerifyRunOptions {
  /** Ends the reading. */
  readonly stop?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ApplyProgress) => void) | undefined;
}

/**
 * Reads back the done rows of a run. A row that cannot be read now is read by a later call; an
 * error of the client is not passed on, because no row depends on reading back.
 */
export async function verifyRun(
  connection: Connection,
  { id: runId }: Pick<RunRecord, "id">,
  { stop: signal, onProgress }: VerifyRunOptions = {},
): Promise<void> {
  const { journal, marketplace, clock, verificationLog: log } = connection;
  // Rows that were read back before are not read again.
  const { accepted: total } = await log.countVerifications(runId);
  const onRows = (done: number): void =>
    onProgress?.({ step: "verify", done: Math.min(done, total), total });
  const learned = await readQuietly(signal, () =>
    verifyRunRows({ runId, journal, log, marketplace, clock, codeKey, signal, onRows }),
  );
  // Syncs and exports use the unit without a plan.
  await savePriceUnitSetting(connection, await readSentUnit(connection.journal), "sent");
  const ignored = learned.filter(({ state }) => state === "refused");
  await connection.runs.addWarnings(runId, ignored.map(toIgnored));
}

/**
 * Stores and warns of undocumented fields for which updates of the run were refused, so that later
 * plans leave them out. A refused field that was tried again, and that an update since `sinceMs`
 * took, is no longer refused: later plans send it, and reading back may prove it.
 */
export async function learnRefusals(
  connection: Connection,
  run: RunRecord,
  sinceMs: number,
): Promise<void> {
  const { rejected } = toCounts(await connection.journal.countRows(run.id));
  const tried = refusedInUpdates(run.facts?.capabilities ?? []);
  if (rejected === 0 && tried.size === 0) return;
  const watch = createRefusedFieldWatch({ namesOf });
  const taken = new Set<string>();
  const answered = readAllRows(connection.journal, run.id, { states: ["done", "rejected"] });
  for await (const records of answered) {
    for (const record of records) {
      watch.observe({ ...record, status: await readStatus(connection, run.id, record) });
    }
    const fields = records.filter(({ updatedAtMs }) => updatedAtMs >= sinceMs).flatMap(takenIn);
    for (const field of fields) if (tried.has(field)) taken.add(field);
  }
  await connection.verificationLog.forgetRefusals([...taken]);
  await keepRefused(connection, run, watch);
}

const takenIn = ({ state, action, payload }: RowRecord): readonly string[] =>
  state === "done" && action === "update" && payload !== null ? Object.keys(payload) : [];

const namesOf = (field: string): readonly string[] => [
  fieldLabel(field, "tr"),
  fieldLabel(field, "en"),
];

/** The status of the answer that rejected an update. */
async function readStatus(
  { journal }: Connection,
  runId: string,
  { row, state, action }: RowRecord,
): Promise<number | undefined> {
  if (state !== "rejected" || action !== "update") return undefined;
  const events = await journal.readEvents({ runId, row });
  const status = events.findLast(({ to }) => to === "rejected")?.evidence["status"];
  return typeof status === "number" ? status : undefined;
}

async function keepRefused(
  connection: Connection,
  run: RunRecord,
  watch: RefusedFieldWatch,
): Promise<void> {
  // A proven field is refused for its values, not as a field.
  const known = await connection.verificationLog.readCapabilities();
  const proven = new Set(
    known
      .filter(({ action, state }) => action === "update" && state === "proven")
      .map(({ field }) => field),
  );
  const refused = watch.findRefused().filter(({ finding }) => !proven.has(finding.field));
  if (refused.length === 0) return;
  await connection.verificationLog.saveCapabilities(refused.map(({ finding }) => finding));
  await connection.runs.addWarnings(run.id, refused.map(toRefused));
}

/**
 * Reads back again the rows that the store did not show as sent. With `runId`, reads those of that
 * run, and also its rows that could not be read when it ended. Makes no call where there are none.
 */
export async function readBackPending(
  connection: Connection,
  { runId, signal }: { readonly runId?: string; readonly signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const { journal, marketplace, runs, verificationLog: log } = connection;
  const run = runId === undefined ? undefined : await runs.read(runId);
  if (run !== undefined && run.settings.noVerify !== true) {
    const unlooked = await log.readUnverified(run.id, 0, 1);
    if (unlooked.length > 0) return await verifyRun(connection, run, { stop: signal });
  }
  await readQuietly(signal, () =>
    verifyOpenRows({ runId, journal, log, marketplace, codeKey, signal }),
  );
}

async function readQuietly(
  signal: AbortSignal | undefined,
  read: () => Promise<readonly CapabilityFinding[]>,
): Promise<readonly CapabilityFinding[]> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ClientError) return [];
    if (signal?.aborted === true && error === signal.reason) return [];
    throw error;
  }
}

function toIgnored({ field }: CapabilityFinding): RunWarning {
  const name = { tr: fieldLabel(field, "tr"), en: fieldLabel(field, "en") };
  return {
    code: "W_FIELD_IGNORED",
    message: {
      tr: `Pazaryeri "${name.tr}" (${field}) değişikliklerini kabul etti ama uygulamadı: mağaza eski değerleri gösteriyor. Sonraki planlarda gönderilmeyecek; yeniden denemek için --try-refused verin.`,
      en: `The marketplace accepted changes of "${name.en}" (${field}) but did not apply them: the store shows the old values. Later plans will not send it; give --try-refused to try again.`,
    },
  };
}

function toRefused({ finding: { field }, rows }: RefusedField): RunWarning {
  const name = { tr: fieldLabel(field, "tr"), en: fieldLabel(field, "en") };
  return {
    code: "W_FIELD_NOT_TAKEN",
    message: {
      tr: `Pazaryeri güncellemelerde "${name.tr}" (${field}) alanını reddediyor (${rows} satır). Sonraki planlarda gönderilmeyecek; yeniden denemek için --try-refused verin.`,
      en: `The marketplace refuses "${name.en}" (${field}) in updates (${rows} ${rows === 1 ? "row" : "rows"}). Later plans will not send it; give --try-refused to try again.`,
    },
  };
}
