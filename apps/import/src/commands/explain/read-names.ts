/** The ids of a row's plan, and their names as far as they are known without a call. */

import type { Connection } from "@catalog/connection";
import { createReadStoredName } from "@catalog/report";
import type { RowRecord } from "@catalog/runs";

/** An id of the marketplace; a model may also be a text of the seller's own. */
const ID = /^[0-9a-f]{24}$/u;

/** Fields whose cells hold a name, and whose requests hold its id. */
const NAMED_BY_ID: ReadonlySet<string> = new Set([
  "brand_id",
  "brand_model",
  "category_id",
  "shipping_template_id",
]);

/** Whether the value of a field is an id that has a name. */
export const isNamedId = (field: string, value: unknown): value is string =>
  NAMED_BY_ID.has(field) && typeof value === "string" && ID.test(value);

/** Reads the names of a row's ids, by id, from the lists that were fetched last. */
export async function readNames(
  connection: Pick<Connection, "memory" | "baseUrl">,
  record: Pick<RowRecord, "payload" | "changes">,
): Promise<ReadonlyMap<string, string>> {
  const readName = createReadStoredName(connection);
  const values = [
    ...Object.entries(record.payload ?? {}),
    ...record.changes.flatMap(({ field, old, new: wanted }) => [
      [field, old] as const,
      [field, wanted] as const,
    ]),
  ];
  const names = new Map<string, string>();
  for (const [field, id] of values) {
    if (!isNamedId(field, id)) continue;
    const name = await readName(record, { field, id });
    if (name !== undefined) names.set(id, name);
  }
  return names;
}
