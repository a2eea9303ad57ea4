/** Compares the plans that several stores have made of one file, row by row. */

import { setImmediate } from "node:timers/promises";

import type { RowOutcome } from "@catalog/report";

import type { SharedRowsShown } from "../../api/shared-files.ts";

/** Numbers of the rows of the file, by what a view shows of them. */
export type ComparedRows = Readonly<Record<SharedRowsShown, Uint32Array>>;

type Batches = AsyncIterable<readonly RowOutcome[]>;

/** Other requests are answered after so many rows. */
const ROWS_AT_ONCE = 500;

/**
 * Reads the plans side by side, each in the order of the sheet; of each store, one batch is in memory. A
 * row that only some of the stores have differs.
 */
export async function comparePlans(plans: readonly Batches[]): Promise<ComparedRows> {
  const rows: Record<SharedRowsShown, number[]> = { all: [], differs: [], held: [], failed: [] };
  let read = 0;
  for await (const { row, outcomes } of alignRows(plans)) {
    rows.all.push(row);
    if (isDifferent(outcomes)) rows.differs.push(row);
    for (const kind of ["held", "failed"] as const) {
      if (outcomes.some((outcome) => outcome?.kind === kind)) rows[kind].push(row);
    }
    read += 1;
    if (read % ROWS_AT_ONCE === 0) await setImmediate();
  }
  return {
    all: Uint32Array.from(rows.all),
    differs: Uint32Array.from(rows.differs),
    held: Uint32Array.from(rows.held),
    failed: Uint32Array.from(rows.failed),
  };
}

type Outcomes = readonly (RowOutcome | undefined)[];

function isDifferent([first, ...others]: Outcomes): boolean {
  return others.some((other) => other?.kind !== first?.kind || other?.values !== first?.values);
}

interface AlignedRow {
  readonly row: number;
  /** One of each plan; `undefined` where it has no such row. */
  readonly outcomes: Outcomes;
}

async function* alignRows(plans: readonly Batches[]): AsyncGenerator<AlignedRow> {
  const readers = plans.map((batches) => readSingly(batches));
  const heads = await Promise.all(readers.map(readNext));
  for (;;) {
    const row = Math.min(...heads.map((head) => head?.row ?? Infinity));
    if (row === Infinity) return;
    const outcomes = heads.map((head) => (head?.row === row ? head : undefined));
    for (const [at, reader] of readers.entries()) {
      if (heads[at]?.row === row) heads[at] = await readNext(reader);
    }
    yield { row, outcomes };
  }
}

async function* readSingly(batches: Batches): AsyncGenerator<RowOutcome> {
  for await (const batch of batches) yield* batch;
}

async function readNext(reader: AsyncGenerator<RowOutcome>): Promise<RowOutcome | undefined> {
  const next = await reader.next();
  return next.done === true ? undefined : next.value;
}

/** Comparisons that are kept, of different files. */
const MAX_KEPT = 20;

/** Compares plans; what was compared is kept until another key is asked for the same file. */
export function createCompare(): (
  file: number,
  key: string,
  plans: readonly (() => Batches)[],
) => Promise<ComparedRows> {
  const kept = new Map<string, Promise<ComparedRows>>();
  return (file, key, plans) => {
    const place = `${file} ${key}`;
    const known = kept.get(place) ?? comparePlans(plans.map((read) => read()));
    kept.delete(place);
    kept.set(place, known);
    known.catch(() => kept.delete(place));
    const [oldest] = kept.keys();
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    return known;
  };
}
