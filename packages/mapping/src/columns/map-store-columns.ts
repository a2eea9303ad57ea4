/**
 * Maps columns that are for one store only: those of this store to the common columns whose cells they
 * replace, or by themselves where there are none.
 */

import {
  type Column,
  type ColumnTarget,
  type FieldKey,
  getField,
  type HeaderMatch,
  type OnlyStore,
} from "../fields/fields.ts";
import { findCurrencyInHeader } from "../fields/other-headers.ts";
import type { IssueParams } from "../issues/issue.ts";
import { cellText, columnLetter } from "../source-row.ts";
import { headerKey } from "../text-keys.ts";
import type { ColumnFacts } from "./column-cells.ts";
import type { ColumnMapping, MapColumnsOptions } from "./column-mapping.ts";
import { type ColumnQuestion, describeChoices, LEAVE } from "./column-questions.ts";
import { createHeaderMatcher, createHeaderReport, type ReportHeader } from "./header-matcher.ts";
import {
  type BracketHeader,
  canDiffer,
  findCommonColumn,
  isKeyTarget,
  type KnownStores,
  type StoreHeader,
} from "./store-columns.ts";

export const NO_STORES: KnownStores = { own: undefined, names: [] };

/** Headers that are mapped together. */
export interface HeaderPart {
  readonly headers: readonly string[];
  /** As they stand in the file. */
  readonly shown: readonly string[];
  /** Indexes of columns that are not read. */
  readonly left: ReadonlySet<number>;
}

export interface MappedHeaders extends Pick<ColumnFacts, "matches"> {
  readonly mapping: ColumnMapping;
}

interface MapStoreOptions {
  readonly options: MapColumnsOptions;
  readonly headers: readonly string[];
  /** The headers that name a store. */
  readonly found: readonly StoreHeader[];
  readonly map: (options: MapColumnsOptions, part: HeaderPart) => MappedHeaders;
  readonly platformOf: (options: MapColumnsOptions, headers: readonly string[]) => string;
}

/** Maps the common columns first, and then those of this store. */
export function mapStoreColumns(sheet: MapStoreOptions): ColumnMapping {
  const { options, headers, found } = sheet;
  const map = createPartMapper(sheet);
  const { matches } = map(found);
  const common = map([]).mapping;
  const { report, issues } = createHeaderReport({ ...options, headers });
  const placed = placeColumns(found, { matches, common, report });
  const alone = placed.filter(({ only }) => only.isAlone);
  const { mapping } = alone.length === 0 ? { mapping: common } : map(alone);
  reportBeaten(alone, { mapping, matches, report });
  const byIndex = new Map(placed.map((column) => [column.index, column.only]));
  const columns = mapping.columns.map((column): Column => {
    const only = byIndex.get(column.index);
    if (only === undefined) return column;
    const target = only.isAlone ? column.target : NOT_USED;
    return { ...column, header: headers[column.index] ?? "", target, only };
  });
  const isGiven = options.platform !== undefined;
  return {
    ...mapping,
    columns,
    platform: mapping.platform && { ...mapping.platform, isGiven },
    issues: [...mapping.issues, ...issues],
  };
}

const NOT_USED: ColumnTarget = { kind: "unused" };

/** Maps the common columns, and some of those of stores as if their headers named none. */
function createPartMapper({
  options,
  headers,
  found,
  map,
  platformOf,
}: MapStoreOptions): (taken: readonly StoreHeader[]) => MappedHeaders {
  const bases = new Map(found.map(({ index, base }) => [index, base]));
  const named = headers.map((header, index) => bases.get(index) ?? header);
  const platform = platformOf(options, named);
  const keyOf = ({ index }: StoreHeader): string => headerKey(headers[index] ?? "");
  const ofStores = new Set(found.map(keyOf));
  return (taken) => {
    const kept = new Set(taken.map(({ index }) => index));
    const own = new Map(taken.map((column) => [keyOf(column), column.base]));
    const left = new Set([...bases.keys()].filter((index) => !kept.has(index)));
    const toBase = (header: string): string => own.get(headerKey(header)) ?? header;
    const overrides = [...(options.overrides ?? [])].filter(
      ([header]) => !ofStores.has(headerKey(header)) || own.has(headerKey(header)),
    );
    const chosen = {
      platform,
      overrides: new Map(overrides.map(([header, to]) => [toBase(header), to])),
      unconfirmed: new Set([...(options.unconfirmed ?? [])].map(toBase)),
    };
    const part = named.map((header, index) => (left.has(index) ? "" : header));
    return map({ ...options, ...chosen }, { headers: part, shown: headers, left });
  };
}

interface PlaceOptions {
  /** What the columns mean without the names of stores. */
  readonly matches: readonly HeaderMatch[];
  readonly common: ColumnMapping;
  readonly report: ReportHeader;
}

interface PlacedColumn extends StoreHeader {
  readonly only: OnlyStore;
}

/** Finds what each column of a store stands for; reports those that cannot differ by store. */
function placeColumns(
  found: readonly StoreHeader[],
  { matches, common, report }: PlaceOptions,
): readonly PlacedColumn[] {
  const taken = new Map<number, number>();
  return found.map((header) => {
    const { index, base, store, isOwn } = header;
    const target = matches[index]?.target ?? NOT_USED;
    const column = findCommonColumn(common.columns, { base, target });
    const meant = column?.target ?? target;
    const place = { store, base, target: meant, isAlone: false, over: undefined };
    if (isKey(common, [meant, target], column)) {
      report("E_COLUMN_STORE.key", index, { field: fieldText(meant) || base, base });
      return { ...header, only: place };
    }
    if (!isOwn || !canDiffer(meant)) return { ...header, only: place };
    if (column === undefined) return { ...header, only: { ...place, isAlone: true } };
    const isFree = takeColumn(header, column, { taken, report });
    return { ...header, only: isFree ? { ...place, over: column.index } : place };
  });
}

/** Whether a column says which product a row is, or which rows are variants of one. */
const isKey = (
  { variantHeaders }: Pick<ColumnMapping, "variantHeaders">,
  targets: readonly ColumnTarget[],
  column: Column | undefined,
): boolean =>
  targets.some(isKeyTarget) || (column !== undefined && variantHeaders.has(column.header));

interface TakeOptions extends Pick<PlaceOptions, "report"> {
  /** Index of the store's column by that of the common one. */
  readonly taken: Map<number, number>;
}

/** Whether the column may take the place of the common one; reports why it may not. */
function takeColumn(header: StoreHeader, common: Column, { taken, report }: TakeOptions): boolean {
  const { index, base } = header;
  const first = taken.get(common.index);
  if (first !== undefined) {
    const letters = { first: columnLetter(first), second: columnLetter(index) };
    report("E_COLUMN_TWICE", index, { field: fieldText(common.target) || base, ...letters });
    return false;
  }
  if (findCurrencyInHeader(base) !== findCurrencyInHeader(common.header)) {
    reportUnsure(report, header, common.header);
    return false;
  }
  taken.set(common.index, index);
  return true;
}

/** Reports columns whose field another one has after all. */
function reportBeaten(
  alone: readonly PlacedColumn[],
  { mapping, matches, report }: Omit<PlaceOptions, "common"> & { readonly mapping: ColumnMapping },
): void {
  for (const column of alone) {
    const { target, header } = mapping.columns[column.index] ?? { target: NOT_USED, header: "" };
    const isReported = mapping.issues.some(
      ({ cell }) => lettersOf(cell) === columnLetter(column.index),
    );
    if (target.kind !== "unused" || isReported) continue;
    const field = fieldOf(matches[column.index]?.target);
    const holder = mapping.columns.find((other) => fieldOf(other.target) === field);
    reportUnsure(report, column, holder?.header ?? header);
  }
}

const lettersOf = (cell: string): string => cell.replaceAll(/\d/gu, "");

function fieldOf(target: ColumnTarget | undefined): FieldKey | undefined {
  if (target?.kind === "unknown") return target.suggestion;
  return target?.kind === "field" ? target.field : undefined;
}

/** Reports a column of this store of which it is not clear what it stands for. */
function reportUnsure(
  report: ReportHeader,
  { index, base, text }: BracketHeader,
  common: string,
): void {
  const example = `${common} [${text}]`;
  const answers = describeChoices(`${base} [${text}]`, [LEAVE]);
  report("E_COLUMN_STORE.unsure", index, { example, answers });
}

/** Asks about columns whose brackets may misspell the name of a store. */
export function refuseUnknownStores(
  options: MapColumnsOptions,
  mapping: ColumnMapping,
  others: readonly BracketHeader[],
): ColumnMapping {
  const names = (options.stores ?? NO_STORES).names.join(", ");
  const headers = options.header.map((value) => cellText(value));
  const { report, issues } = createHeaderReport({ ...options, headers });
  const questions: ColumnQuestion[] = [];
  const find = createMisspelled(mapping);
  for (const other of others) {
    const { index, text } = other;
    const header = headers[index] ?? "";
    const meant = find(other, header);
    if (meant === undefined) continue;
    const choices = [LEAVE];
    const answers = describeChoices(header, choices);
    const issue = report("E_COLUMN_STORE", index, { text, names, answers });
    if (meant.kind !== "field") continue;
    questions.push({ header, letter: columnLetter(index), field: meant.field, issue, choices });
  }
  const refused = new Set(issues.map(({ column }) => column));
  return {
    ...mapping,
    issues: [...mapping.issues, ...issues],
    questions: [...mapping.questions, ...questions],
    warnings: mapping.warnings.filter(({ column }) => !refused.has(column)),
  };
}

/**
 * Finds what a column would be for without its brackets; `undefined` for one whose brackets belong to
 * its header, such as those of a unit, and for one that is not known without them either.
 */
function createMisspelled({
  columns,
}: ColumnMapping): (other: BracketHeader, header: string) => ColumnTarget | undefined {
  const matcher = createHeaderMatcher();
  return ({ index, base }, header) => {
    const { kind } = columns[index]?.target ?? NOT_USED;
    if ((kind !== "unknown" && kind !== "unused") || matcher.find(header) !== undefined)
      return undefined;
    const target = matcher.find(base)?.target ?? NOT_USED;
    const column = findCommonColumn(columns, { base, target });
    if (column !== undefined) return column.target;
    return target.kind !== "unknown" && canDiffer(target) ? target : undefined;
  };
}

/** The field or property of a column, for a message; empty for any other. */
export function fieldText(target: ColumnTarget | undefined): IssueParams[string] {
  if (target?.kind === "field") return getField(target.field).header;
  return target?.kind === "property" ? target.name : "";
}
