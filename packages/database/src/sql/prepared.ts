/** Statements that are compiled once and run for every row. */

import type { Arg, Compilable, EachArg } from "./database.ts";
import { type SqlValue, type Steps, together } from "./steps.ts";

type Run<Result> = (sql: string, input: readonly SqlValue[]) => Result;

/**
 * Rows in one statement. A statement that fires triggers keeps each changed page until it ends; one
 * statement for each row would keep the same page again and again.
 */
const ROWS_AT_ONCE = 50;

/** Makes the steps of a query with its values by `run`. */
export function prepareOne<Args extends object, Result>(
  make: (arg: Arg<Args>) => Compilable<unknown>,
  run: Run<Result>,
): (args: Args) => Result {
  const change = prepareFor<Args, Result>(([arg]) => make(arg), { rows: 1, run });
  return (args) => change([args]);
}

/** Runs a statement for any number of rows, many rows at a time. */
export function prepareEach<Row extends object>(
  make: (rows: EachArg<Row>) => Compilable<unknown>,
  run: Run<Steps<number>>,
): (rows: readonly Row[]) => Steps<number> {
  const changeMany = prepareFor(make, { rows: ROWS_AT_ONCE, run });
  const changeOne = prepareFor(make, { rows: 1, run });
  return function* changeEach(rows) {
    const whole = rows.length - (rows.length % ROWS_AT_ONCE);
    const changing: Steps<number>[] = [];
    for (let at = 0; at < whole; at += ROWS_AT_ONCE) {
      changing.push(changeMany(rows.slice(at, at + ROWS_AT_ONCE)));
    }
    for (const row of rows.slice(whole)) changing.push(changeOne([row]));
    const changes = yield* together<readonly number[]>(changing);
    return changes.reduce((sum, changed) => sum + changed, 0);
  };
}

function prepareFor<Row extends object, Result>(
  make: (rows: EachArg<Row>) => Compilable<unknown>,
  { rows, run }: { readonly rows: number; readonly run: Run<Result> },
): (values: readonly Row[]) => Result {
  const others = Array.from({ length: rows - 1 }, (_, index) => argOf<Row>(index + 1));
  const { sql, parameters } = make([argOf(0), ...others]).compile();
  const placeholders = parameters.map((value) =>
    value instanceof Placeholder ? value : { fixed: toInput(value) },
  );
  return (values) =>
    run(
      sql,
      placeholders.map((placeholder) =>
        placeholder instanceof Placeholder
          ? toInput(Reflect.get(values[placeholder.row] ?? {}, placeholder.name))
          : placeholder.fixed,
      ),
    );
}

class Placeholder {
  readonly row: number;
  readonly name: string;

  constructor(row: number, name: string) {
    this.row = row;
    this.name = name;
  }
}

function argOf<Row>(row: number): Arg<Row> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it stands for the later value
  return ((name: string) => new Placeholder(row, name)) as unknown as Arg<Row>;
}

/** Converts to the kinds of value that we store; throws for any other kind. */
export function toInput(value: unknown): SqlValue {
  if (value === null || typeof value === "string" || typeof value === "number") return value;
  if (value instanceof Uint8Array) return value;
  throw new TypeError(`cannot store a value of type ${typeof value}`);
}
