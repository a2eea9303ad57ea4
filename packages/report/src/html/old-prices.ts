/** Old prices of rows that were planned before the unit of the listing's prices was known. */

import type { Connection } from "@catalog/connection";
import { readPriceTag, type RowRecord, type RunRecord } from "@catalog/runs";

/** The row with the old price that its plan read, where only the unit was unknown at that time. */
export async function withOldPrice<Row extends Pick<RowRecord, "row" | "changes">>(
  { verificationLog }: Connection,
  { id, facts }: RunRecord,
  row: Row,
): Promise<Row> {
  const isUnread = row.changes.some(({ field, old }) => field === "price" && old === undefined);
  const priceUnit = facts?.priceUnit ?? "unknown";
  if (!isUnread || priceUnit === "unknown") return row;
  const seen = (await verificationLog.readBefore(id, [row.row])).get(row.row);
  if (seen === undefined) return row;
  const { price: old } = readPriceTag({ seen, priceUnit });
  const changes = row.changes.map((change) =>
    change.field === "price" ? { ...change, old } : change,
  );
  return { ...row, changes };
}
