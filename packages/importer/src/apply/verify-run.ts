/** Reads back rows that were sent by earlier commands. */

import { AuthError, ClientError, PermissionError } from "@catalog/client/errors";
import {
  type Connection,
  describeClientError,
  fieldLabels,
  priceUnitOf,
} from "@catalog/connection";
import { codeKey } from "@catalog/mapping";
import { type ApplyResult, readSentUnit, verifyOpenRows, verifyRun } from "@catalog/runs";

/** Says what an error of the client means for a run; `undefined` for any other error. */
export function explainError(error: unknown): ApplyResult | undefined {
  if (!(error instanceof ClientError)) return undefined;
  const reason = describeClientError(error);
  if (error instanceof AuthError) return { end: "login", reason };
  if (error instanceof PermissionError) return { end: "permission", reason };
  return { end: "breaker", reason };
}

/** Saves the unit of prices that reading back has shown: syncs and exports use it without a plan. */
export async function saveSentUnit(connection: Connection): Promise<void> {
  await priceUnitOf(connection).save(await readSentUnit(connection.journal), "sent");
}

/**
 * Reads back again the rows that the store did not show as sent. With `runId`, reads those of that
 * run, and also its rows that could not be read when it ended. Makes no call where there are none.
 */
export async function readBackPending(
  connection: Connection,
  { runId, signal }: { readonly runId?: string; readonly signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const { journal, marketplace, clock, runs, verificationLog: log } = connection;
  const shared = { journal, log, marketplace, codeKey, signal, explain: explainError };
  const run = runId === undefined ? undefined : await runs.read(runId);
  if (run !== undefined && run.settings.noVerify !== true) {
    const unlooked = await log.readUnverified(run.id, 0, 1);
    if (unlooked.length > 0) {
      await verifyRun({ ...shared, runId: run.id, runs, clock, nameField: fieldLabels });
      await saveSentUnit(connection);
      return;
    }
  }
  await verifyOpenRows({ ...shared, runId });
}
