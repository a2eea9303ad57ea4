/** Runs the price guards again once the unit of prices is known, before rows are sent. */

import { readPriceUnitSetting, type Connection } from "@catalog/connection";
import { findFieldLocation } from "@catalog/report";
import {
  compareHeldPrices,
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
 * Runs the price guards on a run that was planned before the unit of the listing's prices was
 * known, and returns the number of released rows.
 * - Unit known: releases the rows that were held for the unit alone, and holds those on which a
 *   guard trips; a row that something else holds too stays held, with its price compared. This happens once in a run, and again after a crash in between; a row that a
 *   person has released is not held again.
 * - Unit unknown: holds rows whose price needs it.
 * - Undo: does nothing, because an undo restores earlier values of the store.
 */
export async function recheckPriceGuards(
  connection: Connection,
  { id: runId }: RunRecord,
  signal?: AbortSignal,
): Promise<number> {
  const run = await connection.runs.read(runId);
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
  await compareHeldPrices({ ...options, priceUnit });
  const held = await guardPlannedRows({ ...options, priceUnit });
  const warnings = run.warnings.filter(({ code }) => code !== PRICE_UNIT_WARNING);
  const known = { ...facts, ...unit, priceUnitQuestion: undefined };
  await connection.runs.update(runId, { facts: known, warnings });
  return Math.max(0, released - held);
}

async function readCurrentUnit(connection: Connection): Promise<PriceUnitFacts> {
  const known = await readKnownUnit(connection.journal, await readPriceUnitSetting(connection));
  return known ?? { priceUnit: "unknown", priceUnitBy: "nothing" };
}

/**
 * Whether the price of a held row was not compared and will not be compared before it is sent: the
 * unit is unknown, the guards have run again already, or the next sync sends the row as released.
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

/** Counts the rows of a run that are held because the unit of prices is unknown. */
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
