/** The columns of a file that price rules use besides those that are sent. */

import { type ColumnMapping, findCostColumns, headerKey, isReadOnlyHeader } from "@catalog/mapping";
import type { PriceRule } from "@catalog/pricing";

/** The columns that rules use besides those that are sent. */
export interface RuleColumns {
  /** Index of the column of costs; `several` where it is not clear which one it is. */
  readonly cost: number | "several" | undefined;
  readonly category: readonly number[];
  readonly brand: readonly number[];
  readonly supplier: readonly number[];
  readonly price: number | undefined;
  /** Whether this program has exported the file, so that its prices are the store's own. */
  readonly isExport: boolean;
  /** Index of the column that a rule names as its source. */
  readonly find: (source: string) => number | undefined;
  readonly headers: readonly string[];
}

const SUPPLIER_HEADERS = /^(?:tedarik[cç]i(?: ad[ıi])?|supplier(?: name)?|vendor)$/iu;

export function findRuleColumns({ columns }: Pick<ColumnMapping, "columns">): RuleColumns {
  const ofField = (field: string): readonly number[] =>
    columns
      .filter(({ target }) => target.kind === "field" && target.field === field)
      .map(({ index }) => index);
  const [cost, second] = findCostColumns(columns);
  return {
    cost: second === undefined ? cost?.index : "several",
    category: ofField("category"),
    brand: ofField("brand"),
    supplier: columns
      .filter(({ header }) => SUPPLIER_HEADERS.test(header))
      .map(({ index }) => index),
    price: ofField("price")[0],
    isExport: columns.some(({ header }) => isReadOnlyHeader(header)),
    find: createColumnSearch(columns),
    headers: columns.map(({ header }) => header).filter((header) => header !== ""),
  };
}

const COLUMN = "column:";

/** A header is found as it is written, and otherwise where one alone differs in case and signs. */
function createColumnSearch(columns: ColumnMapping["columns"]): RuleColumns["find"] {
  const exact = new Map(columns.map(({ header, index }) => [header.trim(), index]));
  const alike = Map.groupBy(columns, ({ header }) => headerKey(header));
  // Asked for each row, and answered once for each rule.
  const known = new Map<string, number | undefined>();
  return (source) => {
    if (!source.startsWith(COLUMN)) return undefined;
    if (known.has(source)) return known.get(source);
    const header = source.slice(COLUMN.length).trim();
    const [only, second] = alike.get(headerKey(header)) ?? [];
    const found = exact.get(header) ?? (second === undefined ? only?.index : undefined);
    known.set(source, found);
    return found;
  };
}

/**
 * The columns that the rules use, by what uses them: `column:HEADER`, `cost`, `category`, `brand` or
 * `supplier`. What no column gives is left out.
 */
export function listRuleColumns(
  mapping: Pick<ColumnMapping, "columns">,
  rules: readonly PriceRule[],
): Readonly<Record<string, string>> {
  const found = findRuleColumns(mapping);
  const headerOf = new Map(mapping.columns.map(({ index, header }) => [index, header]));
  const indexOf = (need: string): number | undefined => {
    if (need === "cost") return found.cost === "several" ? undefined : found.cost;
    if (need === "category" || need === "brand" || need === "supplier") return found[need][0];
    return found.find(need);
  };
  return Object.fromEntries(
    listNeeds(rules).flatMap((need) => {
      const index = indexOf(need);
      return index === undefined ? [] : [[need, headerOf.get(index) ?? ""] as const];
    }),
  );
}

/**
 * Creates the search for what a column is used for though no field of it is sent: `cost` by the guard
 * against sales below cost, `rules` by price rules alone.
 */
export function createUnsentUses(
  mapping: Pick<ColumnMapping, "columns">,
  rules: readonly PriceRule[],
): (column: ColumnMapping["columns"][number]) => "cost" | "rules" | undefined {
  const { cost } = findRuleColumns(mapping);
  const ofRules = new Set(Object.values(listRuleColumns(mapping, rules)));
  return ({ index, header, target }) => {
    if (index === cost) return "cost";
    return target.kind !== "field" && ofRules.has(header) ? "rules" : undefined;
  };
}

/** What rules need of a file besides its prices. */
export const listNeeds = (rules: readonly PriceRule[]): readonly string[] => [
  ...new Set(
    rules.flatMap(({ source, category, brand, supplier }) => [
      ...(source === "price" || source === "store" ? [] : [source]),
      ...(category === undefined ? [] : ["category"]),
      ...(brand === undefined ? [] : ["brand"]),
      ...(supplier === undefined ? [] : ["supplier"]),
    ]),
  ),
];

/** Headers in the order of how many pairs of letters they share with the wanted one. */
export function sortByLikeness(wanted: string, headers: readonly string[]): readonly string[] {
  const pairs = pairsOf(wanted);
  const shareOf = (header: string): number => {
    const own = pairsOf(header);
    const shared = [...own].filter((pair) => pairs.has(pair)).length;
    return (2 * shared) / (own.size + pairs.size);
  };
  return headers.toSorted((one, other) => shareOf(other) - shareOf(one));
}

function pairsOf(text: string): ReadonlySet<string> {
  const key = headerKey(text);
  return new Set(Array.from(key, (letter, at) => letter + (key[at + 1] ?? "")));
}
