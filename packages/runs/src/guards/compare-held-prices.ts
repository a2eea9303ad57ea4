/** Compares the prices of rows that more than the unknown unit of prices holds. */

import { readAllRows } from "../ports/read-all-rows.ts";
import { PRICE_UNIT_CODE } from "./guard-issue.ts";
import { type GuardPlannedRowsOptions, guardRow, readKnown } from "./guard-planned-rows.ts";

const BATCH_ROWS = 200;

/**
 * Runs the price guards over held updates that waited for the unit among other things: what they
 * find takes the place of that issue, and the row stays held. For use once the unit is known, after
 * `releaseUnknownUnit`. Makes no call.
 */
export async function compareHeldPrices(options: GuardPlannedRowsOptions): Promise<void> {
  const { journal, runId, priceUnit, signal } = options;
  for await (const rows of readAllRows(journal, runId, { states: ["held"] }, BATCH_ROWS)) {
    signal?.throwIfAborted();
    const waiting = rows.filter(({ issues }) =>
      issues.some(({ code }) => code === PRICE_UNIT_CODE),
    );
    const knownOf = await readKnown(options, waiting);
    for (const record of waiting) {
      const others = record.issues.filter(({ code }) => code !== PRICE_UNIT_CODE);
      const codes = new Set(others.map(({ code }) => code));
      // A guard that compares new prices with each other needs no unit, and has spoken already.
      const found = guardRow(options, record, knownOf(record)).filter(
        ({ code }) => !codes.has(code),
      );
      await journal.recordOutcome(
        { runId, row: record.row, from: "held" },
        { to: "held", cause: "guard", issues: [...others, ...found], evidence: { priceUnit } },
      );
    }
  }
}
