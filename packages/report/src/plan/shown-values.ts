/** The values of a request body as people read them: names for ids, words, amounts. */

import type { Connection } from "@catalog/connection";
import type { Lang } from "@catalog/i18n";
import type { NameIndexes } from "@catalog/mapping";
import type { Payload, RunRecord } from "@catalog/runs";
import type { OutCell } from "@catalog/sheets";

import { findWord, isMoney } from "../field-value.ts";
import {
  createReadIdName,
  describeUnknownId,
  isIdField,
  isIdValue,
  type NamedRow,
} from "../id-names.ts";
import { MINOR_UNITS } from "../money-text.ts";
import { createStoredIndexes } from "../stored-names.ts";

/** A cell; an amount is in whole currency. */
export interface ShownValue {
  readonly cell: OutCell;
  readonly isAmount?: boolean;
}

/** Makes the cell of a field's value in a row. */
export type ShowValue = (record: NamedRow, field: string, value: unknown) => Promise<ShownValue>;

/**
 * Creates the function for a run, for the values that a row sends and for those that it replaces. An
 * id without a known name is shown as unknown.
 */
export function createShowValue(
  connection: Pick<Connection, "memory" | "baseUrl" | "journal" | "verificationLog">,
  run: Pick<RunRecord, "id" | "facts" | "progress" | "lang">,
): ShowValue {
  const indexes = createStoredIndexes(connection);
  const readName = createReadIdName(connection, run);
  const { lang } = run;
  const nameIt: Readonly<Record<string, (record: NamedRow, value: unknown) => Promise<OutCell>>> = {
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
    record: NamedRow,
    field: string,
    value: unknown,
  ): Promise<string | undefined> {
    if (!isIdField(field) || typeof value !== "string") return undefined;
    const name = await readName(record, { field, id: value });
    return name ?? (isIdValue(field, value) ? describeUnknownId(value)[lang] : undefined);
  }
}

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

const toPlain = (value: unknown): OutCell =>
  typeof value === "string" || typeof value === "number" ? value : JSON.stringify(value);
