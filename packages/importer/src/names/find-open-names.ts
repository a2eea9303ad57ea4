/**
 * Scans the names of a file before its rows are planned: fetches the needed lists concurrently and
 * finds every name that a person has to resolve, each once. Rows are grouped by their names as they
 * are read, so that no row is read twice.
 */

import {
  type ColumnMapping,
  createNamesKey,
  type NamesKey,
  type OpenName,
  type RowMapper,
  ruleKey,
  type SourceRow,
} from "@catalog/mapping";
import { type OpenNameCount, readAllRows, type RowRepository } from "@catalog/runs";
import pLimit from "p-limit";

import { toMappingRow } from "../file/to-mapping-row.ts";

export interface FindOpenNamesOptions {
  readonly runId: string;
  readonly journal: RowRepository;
  readonly mapping: ColumnMapping;
  readonly mapper: Pick<RowMapper, "findOpenNames" | "findLooseColumns" | "renewedLists">;
  /** Combinations of names in the rows of the run. */
  readonly cases: readonly NameCase[];
  /** @default no row has a reading issue */
  readonly isWhole?: (row: SourceRow) => boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Rows with the same names, of which one is checked. */
export interface NameCase {
  readonly row: SourceRow;
  readonly rows: number;
  /** One of the rows has a cell in an unknown column that may be a property. */
  readonly hasLoose: boolean;
  /** Whether the rows can be sent; names of other rows are not asked about. */
  readonly isWhole: boolean;
}

/** Rows checked concurrently; the client limits the calls further. */
const SIDE_BY_SIDE = 32;

/** Suggestions for one text over all its categories. */
const MAX_CHOICES = 5;

/** The distinct combinations of names in the rows, in order of first occurrence. */
export interface NameCases {
  note(row: SourceRow): void;
  list(): readonly NameCase[];
}

/** Creates an empty collection. */
export function createNameCases(
  { keyOf, hasLoose }: NamesKey,
  isWhole: (row: SourceRow) => boolean = () => true,
): NameCases {
  const cases = new Map<string, { -readonly [Key in keyof NameCase]: NameCase[Key] }>();
  return {
    note(row) {
      const whole = isWhole(row);
      const key = `${whole ? "" : "-"}${keyOf(row)}`;
      const known = cases.get(key);
      if (known === undefined) {
        const copy = structuredClone(row);
        cases.set(key, { row: copy, rows: 1, hasLoose: hasLoose(row), isWhole: whole });
        return;
      }
      known.rows += 1;
      known.hasLoose ||= hasLoose(row);
    },
    list: () => [...cases.values()],
  };
}

/**
 * Creates a function that finds the combinations to check: the collected ones, unless an unknown
 * header is a property in some of their categories, which an answer may bring about. The texts
 * below that header are then names as well, and the rows are grouped by them too.
 */
export function createCaseFinder(
  options: FindOpenNamesOptions,
): () => Promise<readonly NameCase[]> {
  const { runId, journal, mapper, mapping, cases, isWhole, signal } = options;
  const withLoose = cases.filter(({ hasLoose }) => hasLoose);
  let last = { size: 0, cases };
  return async () => {
    const found = await mapSideBySide(
      withLoose,
      async ({ row }) => await mapper.findLooseColumns(row),
    );
    const loose = new Set(found.flat());
    // Answers only add properties.
    if (loose.size === last.size) return last.cases;
    const named = createNameCases(createNamesKey(mapping, loose), isWhole);
    for await (const rows of readAllRows(journal, runId, { states: ["parsed"] })) {
      signal?.throwIfAborted();
      for (const row of rows) named.note(toMappingRow(row));
    }
    last = { size: loose.size, cases: named.list() };
    return last.cases;
  };
}

/**
 * Names with no or several matches, in the order of the sheet. Every list that the rows need is
 * loaded afterwards; where a list was fetched again, all rows are checked again.
 */
export async function findOpenNames(
  { mapper, signal }: Pick<FindOpenNamesOptions, "mapper" | "signal">,
  cases: readonly NameCase[],
): Promise<readonly OpenNameCount[]> {
  const findAll = (): Promise<readonly FoundNames[]> =>
    mapSideBySide(cases, async ({ row, rows, isWhole }) => {
      signal?.throwIfAborted();
      const names = await mapper.findOpenNames(row);
      return { names: isWhole ? names : [], rows };
    });
  for (;;) {
    const { renewedLists } = mapper;
    const found = await findAll();
    if (mapper.renewedLists === renewedLists) return countNames(found);
  }
}

interface FoundNames {
  readonly names: readonly OpenName[];
  readonly rows: number;
}

/** Counts each text once, with the rows that have it. */
function countNames(found: readonly FoundNames[]): readonly OpenNameCount[] {
  const open = new Map<string, OpenNameCount>();
  for (const { name, rows: more } of found.flatMap(({ names, rows }) =>
    names.map((each) => ({ name: each, rows })),
  )) {
    const key = ruleKey(name.field, name.value);
    const known = open.get(key);
    const choices = [...new Set([...(known?.choices ?? []), ...name.choices])];
    const rows = (known?.rows ?? 0) + more;
    open.set(key, { ...(known ?? name), choices: choices.slice(0, MAX_CHOICES), rows });
  }
  return [...open.values()];
}

const mapSideBySide = async <Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> => await pLimit(SIDE_BY_SIDE).map(items, (item) => work(item));
