/** The values of a request body as people read them: names for ids, words, amounts. */

import type { Connection } from "@catalog/connection";
import type { Lang } from "@catalog/i18n";
import type { NameIndexes } from "@catalog/mapping";
import type { Payload, RowRecord, RunRecord } from "@catalog/runs";
import type { OutCell } from "@catalog/sheets";

import { findWord, isMoney } from "../field-value.ts";
import { createStoredIndexes, findName } from "../stored-names.ts";

/** A cell; an amount is in whole currency. */
export interface ShownValue {
  readonly cell: OutCell;
  readonly isAmount?: boolean;
}

type ShownRow = Pick<RowRecord, "cells" | "payload">;

/** Makes the cell of a field's value in a row. */
export type ShowValue = (record: ShownRow, field: string, value: unknown) => Promise<ShownValue>;

const MINOR_UNITS = 100;

/**
 * Creates the function for a run. Names are those of the lists that were fetched last; for an id that
 * they do not have, the text of the file is shown.
 */
export function createShowValue(
  { memory, baseUrl }: Pick<Connection, "memory" | "baseUrl">,
  run: Pick<RunRecord, "facts" | "lang">,
): ShowValue {
  const indexes = createStoredIndexes({ memory, baseUrl });
  const { lang } = run;
  const nameIt: Readonly<Record<string, (record: ShownRow, value: unknown) => Promise<OutCell>>> = {
    properties: async ({ payload }, value) =>
      (await nameProperties(indexes, payload, value)) ?? toPlain(value),
    images: async (_, value) =>
      Array.isArray(value) ? IMAGES[lang](value.length) : toPlain(value),
  };
  return async (record, field, value) => {
    if (value === undefined || value === null) return { cell: null };
    if (typeof value === "number" && isMoney(field, record.payload)) {
      return { cell: value / MINOR_UNITS, isAmount: true };
    }
    const own = nameIt[field];
    if (own !== undefined) return { cell: await own(record, value) };
    const word = findWord(field, value)?.[lang];
    return { cell: word ?? (await nameId(record, field, value)) ?? toPlain(value) };
  };

  async function nameId(
    record: ShownRow,
    field: string,
    value: unknown,
  ): Promise<string | undefined> {
    const source = SOURCES.get(field);
    if (source === undefined || typeof value !== "string") return undefined;
    const name = await findName(indexes, record, { field, id: value });
    // A model is an id or free text.
    const isText = field === "brand_model" && !indexes.isId(value);
    return name ?? (isText ? value : cellOf(run, record, source));
  }
}

/** The column of the file that each field with a name comes from. */
const SOURCES: ReadonlyMap<string, string> = new Map([
  ["category_id", "category"],
  ["brand_id", "brand"],
  ["brand_model", "brand_model"],
  ["shipping_template_id", "shipping_template"],
]);

const IMAGES: Readonly<Record<Lang, (count: number) => string>> = {
  tr: (count) => `${count} görsel`,
  en: (count) => (count === 1 ? "1 image" : `${count} images`),
};

async function nameProperties(
  indexes: NameIndexes,
  payload: Payload | null,
  value: unknown,
): Promise<string | undefined> {
  const { category_id: category, properties = [] } = payload ?? {};
  if (category === undefined || value !== payload?.properties) return undefined;
  const { items } = await indexes.properties(category);
  const named = properties.map(({ property_id: property, option_id: option }) => {
    const found = items.find((item) => item.property.id === property);
    const name = found?.options.items.find(({ id }) => id === option)?.display_name;
    return `${found?.property.name ?? property}: ${name ?? option}`;
  });
  return named.join("; ");
}

/** The text of the file in the column of this field. */
function cellOf(
  { facts }: Pick<RunRecord, "facts">,
  { cells }: Pick<RowRecord, "cells">,
  field: string,
): string | undefined {
  const at = facts?.reading?.columns.used?.indexOf(field) ?? -1;
  return String(cells[at] ?? "").trim() || undefined;
}

const toPlain = (value: unknown): OutCell =>
  typeof value === "string" || typeof value === "number" ? value : JSON.stringify(value);
