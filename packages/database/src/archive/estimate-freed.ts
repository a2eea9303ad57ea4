import type { DatabaseSizes } from "../sqlite/sizes.ts";
import type { DueRun } from "./run-stages.ts";

/**
 * Estimates the bytes that deleting the rows of these runs would free, from the mean size of a row
 * in its tables.
 */
export function estimateFreedBytes(due: readonly DueRun[], sizes: DatabaseSizes): number {
  const { kinds, tableRows, archivedRows } = sizes;
  const rowBytes = (kinds.rows + kinds.events) / Math.max(1, tableRows);
  const cellBytes = kinds.cells / Math.max(1, tableRows + archivedRows);
  const bytes = due.map(
    ({ rows, archivedBytes }) => (archivedBytes ?? rows * rowBytes) + rows * cellBytes,
  );
  return Math.round(bytes.reduce((sum, one) => sum + one, 0));
}
