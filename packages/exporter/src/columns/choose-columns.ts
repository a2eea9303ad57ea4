/** Chooses the columns that a person named, before anything is read. */

import { InputError, type Lang } from "@catalog/i18n";
import { findNearestName, fold } from "@catalog/mapping";

import type { OutColumn } from "./out-column.ts";
import { priceFields } from "./product-columns.ts";

/**
 * The wanted columns in their order, named by keys or by headers in either language. Throws
 * {@link InputError} for a name that no column has.
 */
export function chooseColumns<Item>(
  columns: readonly OutColumn<Item>[],
  wanted: readonly string[],
): readonly OutColumn<Item>[] {
  const chosen = wanted.map(
    (name) =>
      columns.find(({ key }) => key === name) ?? columns.find((column) => isNamed(column, name)),
  );
  const unknown = wanted.filter((_, index) => chosen[index] === undefined);
  if (columns.some(({ key }) => key === "price_raw") && unknown.some(isPriced)) {
    throw createUnitError(unknown.filter(isPriced));
  }
  const [first] = unknown;
  if (first !== undefined) throw createUnknownError(first, columns);
  return chosen.filter((column) => column !== undefined);
}

/** A header without the marks behind it: `Fiyat *`, `Durum (salt okunur)`. */
const toBareName = (header: string): string => header.replace(/ (?:\*|\([^()]*\))$/u, "");

const nameOf = <Item>({ header }: OutColumn<Item>, lang: Lang): string => toBareName(header[lang]);

const namesOf = <Item>(column: OutColumn<Item>): readonly string[] => [
  column.key,
  nameOf(column, "tr"),
  nameOf(column, "en"),
];

const isNamed = <Item>(column: OutColumn<Item>, name: string): boolean =>
  namesOf(column).some((each) => fold(each) === fold(toBareName(name)));

/** Columns that need the unit of prices. */
const isPriced = (name: string): boolean =>
  priceFields("major").some((column) => isNamed(column, name));

function createUnitError(names: readonly string[]): InputError {
  const list = names.join(", ");
  return new InputError({
    tr: `--columns: "${list}" yazılamıyor, çünkü mağazanın fiyat birimi (kuruş mu, lira mı) henüz bilinmiyor. Birimi belirtin: --price-unit minor (kuruş) ya da --price-unit major (lira); ya da fiyatı birimsiz alın: price_raw.`,
    en: `--columns: "${list}" cannot be written, as the unit of the store's prices (minor or major) is not known yet. Name it: --price-unit minor (kuruş) or --price-unit major (lira); or take the price without its unit: price_raw.`,
  });
}

function createUnknownError<Item>(name: string, columns: readonly OutColumn<Item>[]): InputError {
  const text = (lang: Lang): string => {
    const names = columns.flatMap((column) => [nameOf(column, lang), column.key]);
    const nearest = findNearestName(name, names, { isPath: false });
    const known = columns.map((column) => `${nameOf(column, lang)} (${column.key})`).join("; ");
    return lang === "tr"
      ? `--columns: "${name}" diye bir sütun yok.${nearest === undefined ? "" : ` Bunu mu demek istediniz: ${nearest}?`} Sütunlar: ${known}.`
      : `--columns: there is no column "${name}".${nearest === undefined ? "" : ` Did you mean ${nearest}?`} The columns are: ${known}.`;
  };
  return new InputError({ tr: text("tr"), en: text("en") });
}
