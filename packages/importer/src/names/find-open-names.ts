/**
 * Goes through the names of a file before its rows are planned: fetches the lists that they need
 * side by side, and finds every text that a person has to say the meaning of, each once. Rows are
 * told apart as they are read, so that none has to be read again for its names.
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

import { toMappable } from "../file/to-mapping-row.ts";

export interface SurveyOptions {
  readonly runId: string;
  readonly journal: RowRepository;
  readonly mapping: ColumnMapping;
  readonly mapper: Pick<RowMapper, "findOpenNames" | "findLooseColumns" | "renewedLists">;
  /** What the rows of the run name, by their names and named properties alone. */
  readonly cases: readonly NameCase[];
  /** @default every row is whole */
  readonly isWhole?: (row: SourceRow) => boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Rows with the same names, of which one is looked at. */
export interface NameCase {
  readonly row: SourceRow;
  readonly rows: number;
  /** One of them has something in a column that may yet turn out to be a property. */
  readonly hasLoose: boolean;
  /** Nobody is asked about the names of rows that are not: they will not be sent anyway. */
  readonly isWhole: boolean;
}

/** Rows that are looked at side by side; the client holds back calls beyond its own limit. */
const SIDE_BY_SIDE = 32;

/** Suggestions that are kept for one text over all its categories. */
const MOST_CHOICES = 5;

/** The distinct combinations of names among rows, in the order in which they were noted. */
export interface NameCases {
  note(row: SourceRow): void;
  list(): readonly NameCase[];
}

/** Begins without a row. */
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
 * Finds the cases to look at: those that were gathered, unless a header that is unknown turns out to
 * be a property in some of their categories, which an answer of a person may bring about. Then the
 * texts below it are names too, and the rows are told apart by them as well.
 */
export function createCaseFinder(options: SurveyOptions): () => Promise<readonly NameCase[]> {
  const { runId, journal, mapper, mapping, cases, isWhole, signal } = options;
  const withLoose = cases.filter(({ hasLoose }) => hasLoose);
  let last = { size: 0, cases };
  return async () => {
    const found = await mapSideBySide(
      withLoose,
      async ({ row }) => await mapper.findLooseColumns(row),
    );
    const loose = new Set(found.flat());
    // Answers only ever add to them.
    if (loose.size === last.size) return last.cases;
    const named = createNameCases(createNamesKey(mapping, loose), isWhole);
    for await (const rows of readAllRows(journal, runId, { states: ["parsed"] })) {
      signal?.throwIfAborted();
      for (const row of rows) named.note(toMappable(row));
    }
    last = { size: loose.size, cases: named.list() };
    return last.cases;
  };
}

/**
 * Texts that name nothing or several things, in the order of the sheet. Every list that the rows need
 * is at hand afterwards: where a newer list has replaced one, all rows are looked at again.
 */
export async function findOpenNames(
  { mapper, signal }: Pick<SurveyOptions, "mapper" | "signal">,
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

/** Each text once, with the rows that have it. */
function countNames(found: readonly FoundNames[]): readonly OpenNameCount[] {
  const open = new Map<string, OpenNameCount>();
  for (const { name, rows: more } of found.flatMap(({ names, rows }) =>
    names.map((each) => ({ name: each, rows })),
  )) {
    const key = ruleKey(name.field, name.value);
    const known = open.get(key);
    const choices = [...new Set([...(known?.choices ?? []), ...name.choices])];
    const rows = (known?.rows ?? 0) + more;
    open.set(key, { ...(known ?? name), choices: choices.slice(0, MOST_CHOICES), rows });
  }
  return [...open.values()];
}

const mapSideBySide = async <Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> => await pLimit(SIDE_BY_SIDE).map(items, (item) => work(item));
