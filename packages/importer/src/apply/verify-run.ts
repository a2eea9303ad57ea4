/**
 * Reads back the sent rows of a run, and warns of fields that the marketplace ignores or refuses.
 */

import { ClientError } from "@catalog/client/errors";
import { fieldLabel, savePriceUnitSetting, type Connection } from "@catalog/connection";
import { codeKey } from "@catalog/mapping";
import {
  learnRefusals,
  readSentUnit,
  type RowRecord,
  type RunRecord,
  type RunWarning,
  verifyOpenRows,
  verifyRunRows,
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
  readonly row?: Pick<RowRecord, "row" | "code" | "action" | "state"> | undefined;
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
  let ignored: readonly string[] = [];
  await readQuietly(signal, async () => {
    ignored = await verifyRunRows({
      runId,
      journal,
      log,
      marketplace,
      clock,
      codeKey,
      signal,
      onRows,
    });
  });
  // Syncs and exports use the unit without a plan.
  await savePriceUnitSetting(connection, await readSentUnit(connection.journal), "sent");
  await connection.runs.addWarnings(runId, ignored.map(toIgnored));
}

const namesOf = (field: string): readonly string[] => [
  fieldLabel(field, "tr"),
  fieldLabel(field, "en"),
];

/** Warns of fields for which updates of the run were refused; later plans leave them out. */
export async function warnOfRefused(
  { journal, verificationLog: log, runs }: Connection,
  run: RunRecord,
  sinceMs: number,
): Promise<void> {
  const refused = await learnRefusals({
    journal,
    log,
    runId: run.id,
    planned: run.facts?.capabilities ?? [],
    sinceMs,
    namesOf,
  });
  if (refused.length > 0) await runs.addWarnings(run.id, refused.map(toRefused));
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
  read: () => Promise<void>,
): Promise<void> {
  try {
    await read();
  } catch (error) {
    if (error instanceof ClientError) return;
    if (signal?.aborted === true && error === signal.reason) return;
    throw error;
  }
}

function toIgnored(field: string): RunWarning {
  const name = { tr: fieldLabel(field, "tr"), en: fieldLabel(field, "en") };
  return {
    code: "W_FIELD_IGNORED",
    message: {
      tr: `Pazaryeri "${name.tr}" (${field}) değişikliklerini kabul etti ama uygulamadı: mağaza eski değerleri gösteriyor. Sonraki planlarda gönderilmeyecek; yeniden denemek için --try-refused verin.`,
      en: `The marketplace accepted changes of "${name.en}" (${field}) but did not apply them: the store shows the old values. Later plans will not send it; give --try-refused to try again.`,
    },
  };
}

function toRefused({ field, rows }: { readonly field: string; readonly rows: number }): RunWarning {
  const name = { tr: fieldLabel(field, "tr"), en: fieldLabel(field, "en") };
  return {
    code: "W_FIELD_NOT_TAKEN",
    message: {
      tr: `Pazaryeri güncellemelerde "${name.tr}" (${field}) alanını reddediyor (${rows} satır). Sonraki planlarda gönderilmeyecek; yeniden denemek için --try-refused verin.`,
      en: `The marketplace refuses "${name.en}" (${field}) in updates (${rows} ${rows === 1 ? "row" : "rows"}). Later plans will not send it; give --try-refused to try again.`,
    },
  };
}
