/**
 * Names of the ids that a row sends, and of those that it replaces. The text of the file names only
 * what is sent, so an id that no list and no listing names stays unknown.
 */

import type { Connection } from "@catalog/connection";
import type { Localized } from "@catalog/i18n";
import { DEFAULT_ID_PATTERN } from "@catalog/mapping";
import type { RowRecord, RunRecord } from "@catalog/runs";

import { createReadStoredName, type FieldId } from "./stored-names.ts";

/** The column of the file that each field with an id comes from. */
const SOURCES: ReadonlyMap<string, string> = new Map([
  ["category_id", "category"],
  ["brand_id", "brand"],
  ["brand_model", "brand_model"],
  ["shipping_template_id", "shipping_template"],
]);

/** Fields that may hold a name instead: listings have the names of categories, models are free text. */
const TEXT_FIELDS: ReadonlySet<string> = new Set(["category_id", "brand_model"]);

/** A value that the store has and its listing does not show. */
export const UNKNOWN_VALUE: Localized = { tr: "bilinmiyor", en: "unknown" };

/** An id whose name is not known, in words. */
export const describeUnknownId = (id: string): Localized => ({
  tr: `${UNKNOWN_VALUE.tr} (ID ${id})`,
  en: `${UNKNOWN_VALUE.en} (ID ${id})`,
});

/** Whether a field of the marketplace holds ids, or names in their place. */
export const isIdField = (field: string): boolean => SOURCES.has(field);

/** Whether a value of a field is an id, and not a name in its place. */
export const isIdValue = (field: string, value: unknown): value is string =>
  typeof value === "string" &&
  SOURCES.has(field) &&
  !(TEXT_FIELDS.has(field) && !DEFAULT_ID_PATTERN.test(value));

/** The parts of a row that its ids are named by. */
export type NamedRow = Pick<RowRecord, "row" | "productId" | "cells" | "payload">;

/** Reads the name of an id that a row sends or replaces; `undefined` where it is not known. */
export type ReadIdName = (record: NamedRow, wanted: FieldId) => Promise<string | undefined>;

type Store = Pick<Connection, "memory" | "baseUrl" | "journal" | "verificationLog">;
type NamedRun = Pick<RunRecord, "id" | "facts" | "progress">;

/**
 * Creates the function for a run: from the lists that were fetched last, then from the listings of
 * the product, then from the cell of a value that is sent. Makes no call.
 */
export function createReadIdName(store: Store, run: NamedRun): ReadIdName {
  const readStored = createReadStoredName(store);
  return async (record, wanted) => {
    const name = await readStored(record, wanted);
    if (name !== undefined || !isIdValue(wanted.field, wanted.id)) return name;
    const listed =
      wanted.field === "brand_id"
        ? await readListedBrand(store, run, record, wanted.id)
        : undefined;
    return listed ?? nameSent(run, record, wanted);
  };
}

/** Names by id. */
export type IdNames = ReadonlyMap<string, string>;

/** Creates the function that reads the names of all ids of a row of a run. */
export function createReadIdNames(
  store: Store,
  run: NamedRun,
): (record: NamedRow & Pick<RowRecord, "changes">) => Promise<IdNames> {
  const readName = createReadIdName(store, run);
  return async (record) => {
    const values = [
      ...Object.entries(record.payload ?? {}),
      ...record.changes.flatMap(({ field, old, new: next }) => [
        [field, old] as const,
        [field, next] as const,
      ]),
    ];
    const names = new Map<string, string>();
    for (const [field, id] of values) {
      if (!isIdField(field) || typeof id !== "string" || names.has(id)) continue;
      const name = await readName(record, { field, id });
      if (name !== undefined) names.set(id, name);
    }
    return names;
  };
}

/** The brands of other categories are in no list that a row names, but listings name their own. */
async function readListedBrand(
  { journal, verificationLog }: Store,
  { id: runId, progress }: NamedRun,
  { row, productId }: NamedRow,
  id: string,
): Promise<string | undefined> {
  // An undo has the rows of the run that it undoes.
  for (const source of [runId, progress.undoOf]) {
    if (source === undefined) continue;
    const product = (await verificationLog.readBefore(source, [row])).get(row);
    if (product?.brand_id === id && product.brand_name != null) return product.brand_name;
  }
  if (productId === null) return undefined;
  const seen = await journal.readSeenById([productId]);
  return seen.find(({ product }) => product.brand_id === id)?.product.brand_name ?? undefined;
}

/** Reads the text of the file for an id, where that is what the row sends. */
export function nameSent(
  { facts }: Pick<NamedRun, "facts">,
  { cells, payload }: Pick<NamedRow, "cells" | "payload">,
  { field, id }: FieldId,
): string | undefined {
  const isSent = Object.entries(payload ?? {}).some(
    ([name, value]) => name === field && value === id,
  );
  const source = SOURCES.get(field);
  const columns = facts?.reading?.columns.used;
  if (!isSent || source === undefined || columns === undefined) return undefined;
  const text = String(cells[columns.indexOf(source)] ?? "").trim();
  return text === "" || DEFAULT_ID_PATTERN.test(text) ? undefined : text;
}
