/**
 * Goes through the names of a file before its rows are planned: fetches the lists that they need
 * side by side, and finds every text that a person has to say the meaning of, each once.
 */

import { type RowMapper, ruleKey, type SourceRow } from "@catalog/mapping";
import { type Journal, type OpenNameCount } from "@catalog/runs";

export interface SurveyOptions {
  readonly runId: string;
  readonly journal: Pick<Journal, "readRows">;
  readonly mapper: Pick<RowMapper, "findOpenNames" | "namesKey">;
  /** Nobody is asked about rows that will not be sent anyway. @default every row is whole */
  readonly isWhole?: (row: SourceRow) => boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Rows with the same names, of which one is looked at. */
export interface NameCase {
  readonly row: SourceRow;
  readonly rows: number;
}

const BATCH_ROWS = 500;

/** Rows that are looked at side by side; the client holds back calls beyond its own limit. */
const SIDE_BY_SIDE = 32;

/** Suggestions that are kept for one text over all its categories. */
const MOST_CHOICES = 5;

/** The distinct combinations of names in a run's rows, in the order of the sheet. */
export async function readNameCases(options: SurveyOptions): Promise<readonly NameCase[]> {
  const { mapper, isWhole = () => true } = options;
  const cases = new Map<string, NameCase>();
  for await (const row of readParsed(options)) {
    if (!isWhole(row)) continue;
    const key = mapper.namesKey(row);
    const { row: first = row, rows = 0 } = cases.get(key) ?? {};
    cases.set(key, { row: first, rows: rows + 1 });
  }
  return [...cases.values()];
}

async function* readParsed({ journal, runId, signal }: SurveyOptions): AsyncGenerator<SourceRow> {
  let after = 0;
  for (;;) {
    signal?.throwIfAborted();
    const batch = await journal.readRows(runId, { states: ["parsed"], after, limit: BATCH_ROWS });
    const last = batch.at(-1);
    if (last === undefined) return;
    for (const { row, cells, traits } of batch) {
      yield traits === undefined ? { row, cells } : { row, cells, traits };
    }
    after = last.row;
  }
}

/** Texts that name nothing or several things, in the order of the sheet. */
export async function findOpenNames(
  { mapper, signal }: SurveyOptions,
  cases: readonly NameCase[],
): Promise<readonly OpenNameCount[]> {
  const found = await mapSideBySide(cases, async ({ row, rows }) => {
    signal?.throwIfAborted();
    return { names: await mapper.findOpenNames(row), rows };
  });
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

async function mapSideBySide<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const waiting = items.entries();
  const takeTurns = async (): Promise<void> => {
    for (const [index, item] of waiting) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, takeTurns));
  return results;
}
