/**
 * Remembers how the numbers of a kind of sheet are written. The bad rows of a file, imported again
 * by themselves, can tell the opposite of what the whole file told; a price must not change its
 * meaning by that. Where the cells contradict what the same headers meant before, a column is
 * doubtful, and its doubtful cells are refused until --decimal says what holds.
 */

import { createHash } from "node:crypto";

import {
  type ColumnMapping,
  type ColumnNotation,
  isOwnResultHeader,
  type NumberNotations,
} from "@catalog/mapping";
import { type NameCache } from "@catalog/store";

import { type Toolkit } from "./open-toolkit.ts";

interface Remembered {
  readonly header: string;
  readonly notation: ColumnNotation;
}

/** Sheets of one kind come again within a year, or are another kind by then. */
const MAX_AGE_MS = 365 * 24 * 60 * 60 * 1000;

/** What to read the numbers with; remembers what is new and undisputed. */
export async function recallNotations(
  { names, baseUrl }: { readonly names: NameCache } & Pick<Toolkit, "baseUrl">,
  mapping: ColumnMapping,
  decided: NumberNotations,
): Promise<NumberNotations> {
  const headers = mapping.columns.map(({ header }) => header);
  // The failed rows of a file come back with columns of ours, and are the same kind of sheet.
  const kind = headers.filter((header) => !isOwnResultHeader(header));
  const hash = createHash("sha256").update(JSON.stringify(kind)).digest("hex");
  const key = `${baseUrl} notations ${hash}`;
  const known = new Map(
    ((await names.read<Remembered>(key, MAX_AGE_MS)) ?? []).map((each) => [
      each.header,
      each.notation,
    ]),
  );
  const columns = new Map<number, ColumnNotation>();
  for (const [index, notation] of decided.columns) {
    const before = known.get(headers[index] ?? "");
    columns.set(index, decided.decimal === undefined ? weigh(before, notation) : notation);
  }
  await names.write(key, toRemember(columns, known, headers));
  return { decimal: decided.decimal, columns };
}

/** A column that was mixed stays doubtful; one that says another thing than before becomes so. */
function weigh(before: ColumnNotation | undefined, now: ColumnNotation): ColumnNotation {
  if (before?.decimal === undefined || now.decimal === undefined) return now;
  if (before.decimal === now.decimal) return now;
  return { decimal: undefined, isMixed: true };
}

/** What a doubtful file says is not kept: the last undisputed word stands. */
function toRemember(
  columns: NumberNotations["columns"],
  known: ReadonlyMap<string, ColumnNotation>,
  headers: readonly string[],
): Remembered[] {
  return [...columns].flatMap(([index, notation]) => {
    const header = headers[index] ?? "";
    const kept = notation.decimal === undefined ? known.get(header) : notation;
    return kept === undefined ? [] : [{ header, notation: kept }];
  });
}
