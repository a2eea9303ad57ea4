/** What the guards of a run could not look at when it was planned, they look at before it is sent. */

import { readPriceUnitSetting, type Connection } from "@catalog/connection";
import { findFieldLocation } from "@catalog/report";
import {
  guardPlannedRows,
  type IssueLocation,
  plannedPriceUnit,
  PRICE_UNIT_CODE,
  readAllRows,
  type PriceUnitFacts,
  readKnownUnit,
  releaseUnknownUnit,
  type RowRecord,
  type RunRecord,
  toGuardSettings,
} from "@catalog/runs";

import { PRICE_UNIT_WARNING } from "../../plan/price-unit-texts.ts";

/**
 * Asks the price guards about a run that was planned before the unit of the listing's prices was
 * known. As soon as it is known, rows that were held for that alone are let go, and held again where
 * a guard trips. That is done once for a run, and again where a process died before it was noted:
 * what a person has let go is not held again. As long as the unit is unknown, rows whose price would
 * need it are held; a plan of an older version has left them ready. An undo restores what the store
 * itself had, so no guard looks at it. Says how many rows were let go.
 */
export async function recheckPriceGuards(
  connection: Connection,
  { id: runId }: RunRecord,
  signal?: AbortSignal,
): Promise<number> {
  const run = await connection.runLog.read(runId);
  const facts = run?.facts ?? null;
  if (run === undefined || facts === null || plannedPriceUnit(facts) !== "unknown") return 0;
  if (run.progress.undoOf !== undefined) return 0;
  const unit = await readCurrentUnit(connection);
  const { priceUnit } = unit;
  const { journal, verificationLog } = connection;
  const { guardLimits, allowed } = run.settings;
  const options = {
    runId,
    journal,
    verificationLog,
    guards: toGuardSettings(guardLimits, allowed),
    locationOf: (record: RowRecord, field: string): IssueLocation =>
      findFieldLocation(run, record, field),
    signal,
  };
  if (priceUnit === "unknown") {
    await guardPlannedRows({ ...options, priceUnit });
    return 0;
  }
  const released = await releaseUnknownUnit({ ...options, priceUnit });
  const held = await guardPlannedRows({ ...options, priceUnit });
  const warnings = run.warnings.filter(({ code }) => code !== PRICE_UNIT_WARNING);
  const known = { ...facts, ...unit, priceUnitQuestion: undefined };
  await connection.runLog.update(runId, { facts: known, warnings });
  return Math.max(0, released - held);
}

async function readCurrentUnit(connection: Connection): Promise<PriceUnitFacts> {
  const known = await readKnownUnit(connection.journal, await readPriceUnitSetting(connection));
  return known ?? { priceUnit: "unknown", priceUnitBy: "nothing" };
}

/**
 * Whether nobody has compared the price of a held row, and sending it compares it neither: the unit
 * is unknown, the run's rows were looked at already, or the next sync sends the row as released.
 */
export async function isPriceUncompared(
  connection: Connection,
  run: RunRecord,
  { issues }: RowRecord,
): Promise<boolean> {
  if (!issues.some(({ code }) => code === PRICE_UNIT_CODE)) return false;
  const isRecheckedLater = run.kind !== "sync" && plannedPriceUnit(run.facts) === "unknown";
  return !isRecheckedLater || (await readCurrentUnit(connection)).priceUnit === "unknown";
}

/** How many rows of a run wait for the unit of prices. */
export async function countUnknownUnitRows(
  connection: Pick<Connection, "journal">,
  runId: string,
): Promise<number> {
  let rows = 0;
  for await (const held of readAllRows(connection.journal, runId, { states: ["held"] })) {
    rows += held.filter(({ issues }) => issues.some(({ code }) => code === PRICE_UNIT_CODE)).length;
  }
  return rows;
}
