/**
 * The columns of each kind of export, and the choice of those that a person named, before anything
 * is read.
 */

import { InputError, type Lang } from "@catalog/i18n";
import { createNameIndex, fold } from "@catalog/mapping";

import type { ExportKind } from "../kinds.ts";
import { withUnit } from "./amount-columns.ts";
import { ORDER_COLUMNS, ORDER_PACKAGE_COLUMNS } from "./order-columns.ts";
import type { OutColumn } from "./out-column.ts";
import { createProductColumns, FURTHER_PRODUCT_COLUMNS } from "./product-columns.ts";
import {
  COMMENT_COLUMNS,
  COMMENTED_PRODUCT_COLUMNS,
  PAYMENT_COLUMNS,
  QUESTION_COLUMNS,
} from "./record-columns.ts";
import { SEARCH_COLUMNS } from "./search-columns.ts";
import {
  CITY_COLUMNS,
  COMPANY_COLUMNS,
  createAddressColumns,
  createPriceColumns,
  createTemplateColumns,
} from "./shipping-columns.ts";

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
      columns.find(({ key }) => key === name) ??
      columns.find(({ formerKey }) => formerKey === name) ??
      columns.find((column) => isNamed(column, name)),
  );
  const unknown = wanted.filter((_, index) => chosen[index] === undefined);
  if (unknown.length > 0) throw createUnknownError(unknown, columns);
  const empty = wanted.filter((_, index) => chosen[index]?.lacksUnit === true);
  if (empty.length > 0) throw createUnitError(empty);
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

function createUnitError(names: readonly string[]): InputError {
  const list = names.join(", ");
  return new InputError({
    tr: `--columns: "${list}" yazılamıyor, çünkü mağazanın fiyat birimi (kuruş mu, lira mı) henüz bilinmiyor. Birimi belirtin: --price-unit minor (kuruş) ya da --price-unit major (lira); ya da fiyatı birimsiz alın: price_raw.`,
    en: `--columns: "${list}" cannot be written, as the unit of the store's prices (minor or major) is not known yet. Name it: --price-unit minor (kuruş) or --price-unit major (lira); or take the price without its unit: price_raw.`,
  });
}

function createUnknownError<Item>(
  names: readonly string[],
  columns: readonly OutColumn<Item>[],
): InputError {
  const quoted = names.map((name) => `“${name}”`).join(", ");
  const each = Math.ceil(MAX_NEAR / names.length);
  const find = createFindNear(columns, each);
  const near = [...new Set(names.flatMap(find))];
  const text = (lang: Lang): readonly [near: string, list: string] => [
    near.map((column) => `“${typedNameOf(column, lang)}”`).join(", "),
    listNames(columns.map((column) => typedNameOf(column, lang))),
  ];
  const [[nearTr, listTr], [nearEn, listEn]] = [text("tr"), text("en")];
  const isOne = names.length === 1;
  return new InputError({
    tr: `--columns: ${quoted} diye ${isOne ? "bir sütun" : "sütun"} yok.${nearTr === "" ? "" : ` ${near.length === 1 ? "Bunu mu demek istediniz" : "Bunlardan biri mi"}: ${nearTr}?`}\nSütunlar: ${listTr}`,
    en: `--columns: there ${isOne ? "is no column" : "are no columns"} ${quoted}.${nearEn === "" ? "" : ` Did you mean ${near.length === 1 ? "" : "one of these: "}${nearEn}?`}\nThe columns: ${listEn}`,
  });
}

/** A name as `--columns` takes it: names with a comma would be divided, so that the key stands in. */
const typedNameOf = <Item>(column: OutColumn<Item>, lang: Lang): string =>
  nameOf(column, lang).includes(",") ? column.key : nameOf(column, lang);

/** More names than these are no help in choosing. */
const MAX_NEAR = 3;

function createFindNear<Item>(
  columns: readonly OutColumn<Item>[],
  limit: number,
): (name: string) => readonly OutColumn<Item>[] {
  const index = createNameIndex({
    items: columns.flatMap((column) => namesOf(column).map((each) => ({ column, name: each }))),
    id: ({ column, name: each }) => `${column.key} ${each}`,
    name: (item) => item.name,
    idPattern: NO_ID,
  });
  return (name) => {
    // Each column has three names.
    const found = index.search(name, 3 * limit).map(({ item }) => item.column);
    return [...new Set(found)].slice(0, limit);
  };
}

/** No text is an id. */
const NO_ID = /(?!)/u;

/** Numbered names in a row are one entry: `Image 1-8`. */
function listNames(names: readonly string[]): string {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const [, stem = name, number] = /^(.+) (\d+)$/u.exec(name) ?? [];
    const numbers = groups.get(stem) ?? [];
    groups.set(stem, number === undefined ? numbers : [...numbers, number]);
  }
  return [...groups].map(([stem, numbers]) => toEntry(stem, numbers)).join(", ");
}

function toEntry(stem: string, numbers: readonly string[]): string {
  const [first, last] = [numbers[0], numbers.at(-1)];
  if (first === undefined || last === undefined) return stem;
  return first === last ? `${stem} ${first}` : `${stem} ${first}-${last}`;
}

/** A column that can be chosen. */
interface ExportColumn {
  /** What `columns` of an export takes. */
  readonly key: string;
  /** The header, without the marks behind it. */
  readonly label: string;
  /** Whether only an export of all that the listing has (template `full`) knows it. */
  readonly isFurther: boolean;
}

type Listed = Pick<OutColumn<never>, "key" | "header">;

/** A kind of file; orders have two, by item and by package. */
type Listing = ExportKind | "packages";

/** Lists the columns in the order of the file, with prices in a known unit. */
export function listExportColumns(kind: Listing, lang: Lang): readonly ExportColumn[] {
  const toColumn =
    (isFurther: boolean) =>
    ({ key, header }: Listed): ExportColumn => ({
      key,
      label: toBareName(header[lang]),
      isFurther,
    });
  const further = kind === "products" ? FURTHER_PRODUCT_COLUMNS : [];
  return [...columnsOf(kind).map(toColumn(false)), ...further.map(toColumn(true))];
}

const NO_NAMES = { companies: new Map(), addresses: new Map(), cities: new Map() } as const;

function columnsOf(kind: Listing): readonly Listed[] {
  const columns: Readonly<Record<Listing, () => readonly Listed[]>> = {
    products: () =>
      createProductColumns({
        priceUnit: "minor",
        templateLabel: () => undefined,
        onTooLong: () => undefined,
      }),
    comments: () => [...COMMENTED_PRODUCT_COLUMNS, ...COMMENT_COLUMNS],
    orders: () => withUnit(ORDER_COLUMNS, "major"),
    packages: () => withUnit(ORDER_PACKAGE_COLUMNS, "major"),
    questions: () => QUESTION_COLUMNS,
    payments: () => withUnit(PAYMENT_COLUMNS, "major"),
    search: () => withUnit(SEARCH_COLUMNS, "major"),
    templates: () => createTemplateColumns(NO_NAMES),
    companies: () => COMPANY_COLUMNS,
    addresses: () => createAddressColumns([]),
    cities: () => CITY_COLUMNS,
    "shipping-prices": () => createPriceColumns([], "major"),
  };
  return columns[kind]();
}
