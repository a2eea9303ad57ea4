/**
 * Scans the names of a file before its rows are planned: fetches the needed lists concurrently and
 * finds every name that a person has to resolve, each once. Rows are grouped by their names as they
 * are read; a file with very many combinations of names is read again, so that they need no memory.
 */

import {
  type ColumnMapping,
  createSheetReader,
  type NamesWithin,
  type OpenName,
  type RowMapper,
  type SheetReader,
  type SourceRow,
  valueRules,
} from "@catalog/mapping";
import type { OpenNameCount } from "@catalog/runs";
import pLimit from "p-limit";

import type { ActiveRules } from "./value-rules.ts";

/**
 * A person's answer about one text: its meaning, that it stays open, or the end of all questions.
 */
export type NameAnswer =
  | { readonly kind: "means"; readonly target: string }
  | { readonly kind: "leave" }
  | { readonly kind: "stop" };

/** Asks a person about a text, once for all rows that have it. */
export type AskName = (name: OpenNameCount) => Promise<NameAnswer>;

/** Fills in what open names may mean, for a person to choose; none is applied by that. */
export type SuggestNames = (names: readonly FoundName[]) => Promise<readonly OpenNameCount[]>;

interface AskOpenNamesOptions extends FindOpenNamesOptions {
  readonly rules: ActiveRules;
  readonly suggest: SuggestNames;
  /** @default no question is asked */
  readonly ask?: AskName | undefined;
}

/**
 * Finds the names that match nothing, and asks about each that has candidates. An answer becomes a
 * rule at once. Names below a wrong category are found only once it is resolved, so this repeats
 * until there is no new question. Returns the names that stay open.
 */
export async function askOpenNames(
  options: AskOpenNamesOptions,
): Promise<readonly OpenNameCount[]> {
  const { rules, ask, suggest } = options;
  const find = createNameFinder(options);
  // The number of rows that an answer was given for: of these it may leave some open, in categories
  // that do not have it.
  const asked = new Map<string, number>();
  const isWaiting = (name: OpenNameCount): boolean =>
    name.rows < (asked.get(nameKey(name)) ?? Infinity);
  for (;;) {
    const open = await suggest(await find());
    const waiting = open.filter((name) => name.choices.length > 0 && isWaiting(name));
    if (ask === undefined || waiting.length === 0) return open;
    let isOver = false;
    let answers = 0;
    for (const name of waiting) {
      asked.set(nameKey(name), 0);
      const answer: NameAnswer = isOver ? { kind: "leave" } : await ask(name);
      isOver ||= answer.kind === "stop";
      if (answer.kind !== "means") continue;
      const { field, value } = name;
      await rules.add({ field, value, target: answer.target, targetId: null });
      asked.set(nameKey(name), name.rows);
      answers += 1;
    }
    if (answers === 0) return open;
    if (isOver) return await suggest(await find());
  }
}

/**
 * Creates a function that finds the open names of all rows, with every list that the rows need
 * fetched; again after an answer, which may bring about others.
 */
export function createNameFinder(
  options: FindOpenNamesOptions,
): () => Promise<readonly FoundName[]> {
  const findCases = createCaseFinder(options);
  return async () => await findOpenNames(options, await findCases());
}

const nameKey = ({ field, value }: OpenNameCount): string => `${field}\n${value}`;

type NamesKey = ReturnType<SheetReader["groupNames"]>;

/** An open name with the lists that lack it, and without suggestions. */
export interface FoundName extends Omit<OpenNameCount, "suggestions"> {
  /** Categories, and for models brands, of its rows; empty for names of one list. */
  readonly within: readonly ListedWithin[];
}

/** A list that lacks a name, with the rows that need it. */
interface ListedWithin extends NamesWithin {
  readonly rows: number;
}

interface FindOpenNamesOptions {
  /** Reads all rows; again where there are too many combinations of names to keep. */
  readonly readRows: () => AsyncIterable<readonly SourceRow[]>;
  readonly mapping: ColumnMapping;
  readonly mapper: Pick<RowMapper, "findOpenNames" | "findLooseColumns" | "renewedLists">;
  /** Combinations of names in the rows of the run; `undefined` where there are too many to keep. */
  readonly cases: readonly NameCase[] | undefined;
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
  /** Different titles among the rows, the first ones. */
  readonly titles: readonly RowTitle[];
}

/** The title of a row; names in several combinations have the first titles of the sheet. */
interface RowTitle {
  readonly row: number;
  readonly title: string;
}

/** Rows checked concurrently; the client limits the calls further. */
const SIDE_BY_SIDE = 32;

/** Suggestions for one text over all its categories. */
const MAX_CHOICES = 5;

/** Titles that show a person which products a text is about. */
const MAX_TITLES = 2;
const MAX_TITLE_LENGTH = 200;

/** Lists that lack one name. */
const MAX_WITHIN = 2_000;

/** Maximum number of combinations kept in memory, a kilobyte each. */
const MAX_CASES = 10_000;

/** Maximum number of names that are listed as open; the rows name all of them. */
const MAX_OPEN_NAMES = 5_000;

/** The distinct combinations of names in the rows, in order of first occurrence. */
export interface NameCases {
  note(row: SourceRow): void;
  /** `undefined` where there are more than the maximum. */
  list(): readonly NameCase[] | undefined;
}

/** Creates an empty collection. */
export function createNameCases(
  { keyOf, hasLoose, namesOf, titleOf }: NamesKey,
  isWhole: (row: SourceRow) => boolean = () => true,
  maxCases: number = MAX_CASES,
): NameCases {
  const cases = new Map<string, { -readonly [Key in keyof NameCase]: NameCase[Key] }>();
  let isFull = false;
  return {
    note(row) {
      if (isFull) return;
      const whole = isWhole(row);
      const key = `${whole ? "" : "-"}${keyOf(row)}`;
      const known = cases.get(key);
      if (known !== undefined) {
        known.rows += 1;
        known.hasLoose ||= hasLoose(row);
        if (known.titles.length < MAX_TITLES)
          known.titles = mergeTitles([...known.titles, { row: row.row, title: titleOf(row) }]);
        return;
      }
      isFull = cases.size === maxCases;
      if (isFull) cases.clear();
      else {
        const titles = mergeTitles([{ row: row.row, title: titleOf(row) }]);
        const first = { row: namesOf(row), rows: 1, hasLoose: hasLoose(row) };
        cases.set(key, { ...first, isWhole: whole, titles });
      }
    },
    list: () => (isFull ? undefined : [...cases.values()]),
  };
}

/** Different titles, the first ones; they are copied, as a part of a text keeps the whole of it. */
export function mergeTitles(titles: readonly RowTitle[]): readonly RowTitle[] {
  const first = new Map<string, RowTitle>();
  for (const each of titles.toSorted((one, other) => one.row - other.row)) {
    const title = each.title.slice(0, MAX_TITLE_LENGTH);
    if (title !== "" && !first.has(title)) first.set(title, { row: each.row, title });
  }
  return [...first.values()].slice(0, MAX_TITLES).map((each) => structuredClone(each));
}

/** Gives the combinations in batches; each call begins with the first one. */
type ReadCases = () => AsyncIterable<readonly NameCase[]>;

/**
 * Creates a function that finds the combinations to check: the collected ones, unless an unknown
 * header is a property in some of their categories, which an answer may bring about. The texts
 * below that header are then names as well, and the rows are grouped by them too.
 */
function createCaseFinder(options: FindOpenNamesOptions): () => Promise<ReadCases> {
  const { mapper, mapping, cases, signal } = options;
  const reader = createSheetReader(mapping);
  const all = readCases(options, cases, reader.groupNames());
  let last = { size: 0, read: all };
  return async () => {
    const loose = new Set<number>();
    for await (const batch of all()) {
      signal?.throwIfAborted();
      const withLoose = batch.filter(({ hasLoose }) => hasLoose);
      const found = await mapSideBySide(withLoose, ({ row }) => mapper.findLooseColumns(row));
      for (const column of found.flat()) loose.add(column);
    }
    // Answers only add properties.
    if (loose.size === last.size) return last.read;
    const key = reader.groupNames(loose);
    last = { size: loose.size, read: readCases(options, await collectCases(options, key), key) };
    return last.read;
  };
}

/** Reads the kept combinations, or those of one batch of rows after the other. */
function readCases(
  options: FindOpenNamesOptions,
  kept: readonly NameCase[] | undefined,
  key: NamesKey,
): ReadCases {
  return async function* () {
    if (kept !== undefined) {
      yield kept;
      return;
    }
    for await (const rows of readRows(options)) {
      const named = createNameCases(key, options.isWhole, Infinity);
      for (const row of rows) named.note(row);
      yield named.list() ?? [];
    }
  };
}

async function collectCases(
  options: FindOpenNamesOptions,
  key: NamesKey,
): Promise<readonly NameCase[] | undefined> {
  const named = createNameCases(key, options.isWhole);
  for await (const rows of readRows(options)) {
    for (const row of rows) named.note(row);
  }
  return named.list();
}

async function* readRows({
  readRows: readAll,
  signal,
}: FindOpenNamesOptions): AsyncGenerator<readonly SourceRow[]> {
  for await (const rows of readAll()) {
    signal?.throwIfAborted();
    yield rows;
  }
}

/**
 * Names with no or several matches, in the order of the sheet. Every list that the rows need is
 * loaded afterwards; where a list was fetched again, all rows are checked again.
 */
async function findOpenNames(
  { mapper, signal }: Pick<FindOpenNamesOptions, "mapper" | "signal">,
  read: ReadCases,
): Promise<readonly FoundName[]> {
  for (;;) {
    const { renewedLists } = mapper;
    const open = new Map<string, CountedName>();
    for await (const batch of read()) {
      const found = await mapSideBySide(batch, async ({ row, rows, isWhole, titles }) => {
        signal?.throwIfAborted();
        const names = await mapper.findOpenNames(row);
        return { names: isWhole ? names : [], rows, titles };
      });
      for (const each of found) countNames(open, each);
    }
    if (mapper.renewedLists === renewedLists) return Array.from(open.values(), toFound);
  }
}

/** A name as it is counted, with the rows of its titles. */
interface CountedName extends Omit<FoundName, "titles"> {
  readonly titles: readonly RowTitle[];
}

const toFound = (name: CountedName): FoundName => ({
  ...name,
  titles: name.titles.map(({ title }) => title),
});

interface CaseNames extends Pick<NameCase, "rows" | "titles"> {
  readonly names: readonly OpenName[];
}

/** Counts each text once, with the rows that have it. */
function countNames(open: Map<string, CountedName>, found: CaseNames): void {
  const { names, rows: more } = found;
  for (const name of names) {
    const key = valueRules.key(name.field, name.value);
    const known = open.get(key);
    if (known === undefined && open.size === MAX_OPEN_NAMES) continue;
    const of = known ?? { ...name, choices: [], rows: 0, titles: [], within: [] };
    open.set(key, {
      ...of,
      choices: [...new Set([...of.choices, ...name.choices])].slice(0, MAX_CHOICES),
      rows: of.rows + more,
      titles: mergeTitles([...of.titles, ...found.titles]),
      within: mergeWithin(of.within, { within: name.within, rows: more }),
    });
  }
}

/** Adds rows to the list that lacks their name. */
export function mergeWithin(
  known: readonly ListedWithin[],
  { within, rows }: { readonly within: NamesWithin | undefined; readonly rows: number },
): readonly ListedWithin[] {
  if (within === undefined) return known;
  const { category, brand } = within;
  const at = known.findIndex((one) => one.category === category && one.brand === brand);
  const list = known[at];
  if (list !== undefined) return known.with(at, { ...list, rows: list.rows + rows });
  return known.length === MAX_WITHIN ? known : [...known, { ...within, rows }];
}

const mapSideBySide = async <Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> => await pLimit(SIDE_BY_SIDE).map(items, (item) => work(item));
