/** Resolves the columns of a sheet, and parses the settings that a person states for them. */

import type { Connection } from "@catalog/connection";
import { FIRST_STORE_NAME, InputError } from "@catalog/i18n";
import {
  findUnknownPlaces,
  type KnownStores,
  platforms,
  resolveColumns as resolve,
} from "@catalog/mapping";
import type { OpenedSheet } from "@catalog/sheets";

import { productRows } from "../file/product-rows.ts";

type ResolveOptions = Parameters<typeof resolve>[0];

/** The columns of a sheet, and the questions about them. */
export type ResolvedColumns = Awaited<ReturnType<typeof resolve>>;

/** Asks a person for the field of a column. */
export type AskColumn = NonNullable<ResolveOptions["ask"]>;

interface ResolveColumnsOptions extends Omit<ResolveOptions, "sheet" | "header" | "products"> {
  readonly sheet: Pick<OpenedSheet, "sheet" | "header" | "rows">;
}

/** Maps the columns of an opened sheet, and asks about those that only a person can decide. */
export const resolveColumns = ({
  sheet,
  ...given
}: ResolveColumnsOptions): Promise<ResolvedColumns> =>
  resolve({
    ...given,
    sheet: sheet.sheet,
    header: sheet.header,
    products: (mapping) => productRows(sheet, mapping),
  });

/**
 * The stores that a header may name in square brackets. A store that nobody has named is the first
 * one; what other brackets mean nobody knows then.
 */
export function toKnownStores({
  storeName,
  namedStores,
}: Pick<Connection, "storeName" | "namedStores">): KnownStores {
  const names = namedStores.map(({ name }) => name);
  return names.length === 0
    ? { own: FIRST_STORE_NAME, names: [FIRST_STORE_NAME] }
    : { own: storeName, names, areNamed: true };
}

/**
 * The platform that a person names, in any case; `undefined` where none is named. Throws
 * {@link InputError} with the list of names for any other text.
 */
export function parsePlatform(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const name = platforms.names.find((each) => each === text.toLowerCase());
  if (name !== undefined) return name;
  const list = platforms.names.join(", ");
  throw new InputError({
    tr: `“${text}” diye bir platform tanınmıyor; olanlar: ${list}.`,
    en: `No platform is known as “${text}”; there are: ${list}.`,
  });
}

/**
 * A pattern of the titles of variants; `undefined` where none is given. Throws {@link InputError} for
 * a pattern without the product's title or with a name that stands for nothing.
 */
export function parseVariantTitle(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const unknown = findUnknownPlaces(text).map((name) => `{${name}}`);
  if (unknown.length === 0 && text.includes("{title}")) return text;
  const wrong = unknown.length === 0 ? text : unknown.join(", ");
  throw new InputError({
    tr: `Varyant başlığının kalıbı anlaşılamadı: “${wrong}”. {title} geçmeli; yanında {options} ya da {option1}, {option2} … olabilir.`,
    en: `The pattern of variant titles is not understood: “${wrong}”. It needs {title}; {options} or {option1}, {option2} … may stand beside it.`,
  });
}
