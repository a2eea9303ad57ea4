/** The open names of a file, read as planning reads them. Nothing is stored and no run is made. */

import { type Connection, createNameLists } from "@catalog/connection";
import type { Localized } from "@catalog/i18n";
import {
  type ColumnMapping,
  createNameIndexes,
  createRowMapper,
  createSheetReader,
  type NameIndexes,
  type SourceRow,
  valueRules,
} from "@catalog/mapping";
import type { OpenNameCount } from "@catalog/runs";

import { createRowFileCheck } from "../file/describe-file.ts";
import { createSheetJoiner, createUnpublishedRows, productRows } from "../file/product-rows.ts";
import type { SearchOptions } from "../names/market-search.ts";
import { createNameCases, createNameFinder, type FoundName } from "../names/open-names.ts";
import { createNameSuggester, readListOf } from "../names/suggestions.ts";
import { loadActiveRules } from "../names/value-rules.ts";
import { readColumns, type ReadFileOptions, withFile } from "./plan-file.ts";
import type { PlanSource } from "./plan-options.ts";

/** A meaning that an open name may be given. */
export interface NameTarget {
  readonly id: string;
  /** As an answer names it: the path of a category, or a name. */
  readonly target: string;
}

/** The open names of one file, each once. */
export interface FileNames {
  /** In the order of the file, with suggestions. Names below an open category are not among them. */
  readonly names: readonly OpenNameCount[];
  /** Number of searches on the marketplace that would say more about the names. */
  readonly searches: number;
  /** Makes at most so many searches, and returns the names again with what was found. */
  readonly search: (options: SearchOptions) => Promise<readonly OpenNameCount[]>;
  /** What was searched on the marketplace, what was not, and why. */
  readonly notes: () => readonly Localized[];
  /**
   * The platform that wrote the file, by which answers about categories are scoped
   * (`valueRules.scopeField`); `undefined` where it is none that is known.
   */
  readonly platform: string | undefined;
  /**
   * All meanings that a name may be given: of a brand, a model or a property those of every category
   * in whose rows the name stands, those for more rows first. Names of one field and list share them.
   */
  readonly targetsOf: (
    name: Pick<OpenNameCount, "field" | "value">,
  ) => Promise<readonly NameTarget[]>;
}

/**
 * Reads a file as planning does, and lists its open names with what they may mean by earlier answers,
 * the products of the last listing and of our adds, what earlier searches found, and their words.
 * Fetches the lists of names that the file needs, and makes no other call. Throws `CatalogError` when the file as a whole cannot be used.
 */
export const readFileNames = (
  connection: Connection,
  options: ReadFileOptions,
): Promise<FileNames> =>
  withFile(connection, options, (opened, source) => readNames(connection, opened, source));

async function readNames(
  connection: Connection,
  options: ReadFileOptions,
  source: PlanSource,
): Promise<FileNames> {
  const { sheet } = source;
  const { mapping } = await readColumns(connection, options, source);
  const { memory, client, baseUrl } = connection;
  const platform = mapping.platform?.name;
  const rules = await loadActiveRules(memory.rules, platform);
  const { signal, properties } = options;
  const names = createNameLists({ client, cache: memory.names, baseUrl, signal });
  const reader = createSheetReader(mapping, sheet.sheet);
  // Numbers are no names.
  const notations = reader.observeNumbers().decide();
  const mapper = createRowMapper({
    sheet: sheet.sheet,
    mapping,
    notations,
    names,
    rules,
    properties,
    takesImageFiles: true,
  });
  const check = createRowFileCheck(sheet, mapping);
  const isWhole = (row: SourceRow): boolean => check(row).length === 0;
  const readRows = () => readJoined(source, { mapping, isWhole });
  const cases = createNameCases(reader.groupNames(), isWhole);
  for await (const rows of readRows()) for (const row of rows) cases.note(row);
  const find = createNameFinder({
    readRows,
    mapping,
    mapper,
    cases: cases.list(),
    isWhole,
    signal,
  });
  const found = await find();
  const lists = createNameIndexes(names);
  const byKey = new Map(found.map((name) => [keyOf(name), name]));
  const suggester = createNameSuggester({ connection, lists, platform, signal });
  return {
    names: await suggester.suggest(found),
    searches: await suggester.countSearches(found),
    async search(how) {
      await suggester.search(found, how);
      return await suggester.suggest(found);
    },
    notes: () => suggester.notes(),
    platform,
    targetsOf: async (name) => await listTargets(lists, byKey.get(keyOf(name))),
  };
}

const keyOf = ({ field, value }: Pick<OpenNameCount, "field" | "value">): string =>
  valueRules.key(field, value);

/** Rows kept for others that take cells of them; a product's rows stand together. */
const MAX_KEPT_ROWS = 20_000;

interface JoinOptions {
  readonly mapping: ColumnMapping;
  readonly isWhole: (row: SourceRow) => boolean;
}

/** The rows that are sent, variants joined to their products. */
async function* readJoined(
  { sheet, isJoined }: PlanSource,
  { mapping, isWhole }: JoinOptions,
): AsyncGenerator<readonly SourceRow[]> {
  const unpublished = createUnpublishedRows(mapping, { sheet, isWhole });
  const reader = createSheetReader(mapping, sheet.sheet);
  const kept = new Map<number, SourceRow>();
  const readRow = async (row: number): Promise<SourceRow | undefined> => kept.get(row);
  const joiner =
    isJoined === true ? undefined : createSheetJoiner(mapping, { isWhole, readRow, unpublished });
  const sent = (rows: readonly SourceRow[]): readonly SourceRow[] =>
    rows.filter((row) => reader.isSent(row));
  for await (const row of productRows(sheet, mapping)) {
    if (joiner === undefined) {
      if (unpublished.keeps(row)) yield sent([row]);
      continue;
    }
    const joined = await joiner.push(row);
    for (const each of joined) kept.set(each.row, each);
    for (const first of kept.keys()) {
      if (kept.size <= MAX_KEPT_ROWS) break;
      kept.delete(first);
    }
    yield sent(joined);
  }
  yield sent(joiner?.finish() ?? []);
}

async function listTargets(
  lists: NameIndexes,
  name: FoundName | undefined,
): Promise<readonly NameTarget[]> {
  if (name === undefined) return [];
  if (name.field === "category") return (await lists.categories()).labels().map(toTarget);
  if (name.field === "shipping_template") return (await lists.templates()).labels().map(toTarget);
  const found = new Map<string, NameTarget & { readonly rows: number }>();
  for (const within of name.within) {
    for (const label of (await readListOf(lists, name.field, within))?.labels() ?? []) {
      const rows = (found.get(label.label)?.rows ?? 0) + within.rows;
      found.set(label.label, { ...toTarget(label), rows });
    }
  }
  return [...found.values()]
    .toSorted((a, b) => b.rows - a.rows || BY_TARGET.compare(a.target, b.target))
    .map(({ id, target }) => ({ id, target }));
}

const BY_TARGET = new Intl.Collator("tr", { numeric: true });

interface Label {
  readonly id: string;
  readonly label: string;
}

const toTarget = ({ id, label }: Label): NameTarget => ({ id, target: label });
