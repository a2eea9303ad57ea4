/** Names of the marketplace's ids, from the lists that were fetched last. Makes no call. */

import { type Connection, createStoredNameLists } from "@catalog/connection";
import { createNameIndexes, type NameIndexes } from "@catalog/mapping";
import type { Payload, RowRecord } from "@catalog/runs";

type Store = Pick<Connection, "memory" | "baseUrl">;

/** Indexes of the stored lists; a list that was never fetched is empty. */
export const createStoredIndexes = ({ memory, baseUrl }: Store): NameIndexes =>
  createNameIndexes(createStoredNameLists({ cache: memory.names, baseUrl }));

/** A field of the marketplace that holds an id, and the id. */
export interface FieldId {
  readonly field: string;
  readonly id: string;
}

/** Finds the name of an id in a row, whose category and brand say which lists it is in. */
export async function findName(
  indexes: NameIndexes,
  { payload }: Pick<RowRecord, "payload">,
  { field, id }: FieldId,
): Promise<string | undefined> {
  return await FINDERS[field]?.(indexes, payload ?? {}, id);
}

/** Reads the name of an id of a row's category, brand, model or shipping template. */
export type ReadStoredName = (
  row: Pick<RowRecord, "payload">,
  wanted: FieldId,
) => Promise<string | undefined>;

/** Creates the function for a store. It answers `undefined` for an id that no stored list has. */
export function createReadStoredName(store: Store): ReadStoredName {
  const indexes = createStoredIndexes(store);
  return async (row, wanted) => await findName(indexes, row, wanted);
}

type FindName = (
  indexes: NameIndexes,
  body: Partial<Payload>,
  id: string,
) => Promise<string | undefined>;

const FINDERS: Readonly<Record<string, FindName>> = {
  async shipping_template_id(indexes, _, id) {
    return (await indexes.templates()).items.find((item) => item.id === id)?.template_name;
  },
  async category_id(indexes, _, id) {
    const node = (await indexes.categories()).items.find((item) => item.category.id === id);
    return node?.path;
  },
  async brand_id(indexes, { category_id: category }, id) {
    const items = category === undefined ? [] : (await indexes.brands(category)).items;
    return items.find((item) => item.id === id)?.name;
  },
  async brand_model(indexes, { category_id: category, brand_id: brand }, id) {
    const isKnown = category !== undefined && brand !== undefined;
    const items = isKnown ? (await indexes.models(category, brand)).items : [];
    return items.find((item) => item.id === id)?.name;
  },
};
