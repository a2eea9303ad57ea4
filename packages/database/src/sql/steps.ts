/**
 * Work on the database as a generator: it yields statements and is given their results. SQLite runs
 * it synchronously, so that nothing of this process comes between its statements; PostgreSQL runs
 * the same code and waits for each answer.
 */

/** A value that both databases can store. */
export type SqlValue = null | string | number | Uint8Array;

/** A statement with its values. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly SqlValue[];
  /** `rows`: the caller reads the rows found. `changes`: it reads the number of changed rows. */
  readonly want: "rows" | "changes";
}

/** Says whether a statement certainly only reads. */
export const onlyReads = ({ sql, want }: Statement): boolean =>
  want === "rows" && /^\s*(?:select|with)\b/iu.test(sql);

/** Works of which none depends on another one; each keeps the order of its own statements. */
export interface Together {
  readonly works: readonly Steps<unknown>[];
}

/** The result of a statement: what its `want` names; of several works the result of each. */
export type StatementResult = readonly unknown[] | number;

/**
 * Work that yields statements. A statement that fails throws at its `yield`, with the error of the
 * database.
 */
export type Steps<Result> = Generator<Statement | Together, Result, StatementResult>;

/** Yields a statement for rows. */
export function* readRows<Row>(sql: string, values: readonly SqlValue[]): Steps<Row[]> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the builder knows its columns
  return (yield { sql, values, want: "rows" }) as Row[];
}

/** Yields a statement that changes rows; returns their number. */
export function* changeRows(sql: string, values: readonly SqlValue[]): Steps<number> {
  return Number(yield { sql, values, want: "changes" });
}

/** Work that needs no statement. */
// oxlint-disable-next-line eslint/require-yield -- it has nothing to yield
export function* noSteps<Result>(result: Result): Steps<Result> {
  return result;
}

/** Runs the steps one after the other and returns their results. */
export function* eachStep<Item, Result>(
  items: Iterable<Item>,
  make: (item: Item) => Steps<Result>,
): Steps<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(yield* make(item));
  return results;
}

/**
 * Runs works of which none depends on another one, and returns their results. PostgreSQL is given
 * their statements without waiting for one work after the other, so that all share its round trips.
 * One that fails fails all, after the others have ended.
 */
export function* together<Results extends readonly unknown[]>(works: {
  readonly [At in keyof Results]: Steps<Results[At]>;
}): Steps<Results> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- these are the results of `works`
  return (yield { works }) as unknown as Results;
}

/** Runs the work without waiting; `run` runs one statement. */
export function runSteps<Result>(
  steps: Steps<Result>,
  run: (statement: Statement) => StatementResult,
): Result {
  let turn = steps.next();
  while (turn.done !== true) {
    let result: StatementResult;
    try {
      const { value } = turn;
      result = "works" in value ? value.works.map((work) => runSteps(work, run)) : run(value);
    } catch (error) {
      turn = steps.throw(error);
      continue;
    }
    turn = steps.next(result);
  }
  return turn.value;
}

/** Does the same where each statement has to be waited for. */
export async function awaitSteps<Result>(
  steps: Steps<Result>,
  run: (statement: Statement) => Promise<StatementResult>,
): Promise<Result> {
  let turn = steps.next();
  while (turn.done !== true) {
    let result: StatementResult;
    try {
      const { value } = turn;
      result = await ("works" in value ? awaitAll(value.works, run) : run(value));
    } catch (error) {
      turn = steps.throw(error);
      continue;
    }
    turn = steps.next(result);
  }
  return turn.value;
}

/** Rejects with the first error, once all works have ended: nothing of them comes later. */
async function awaitAll(
  works: readonly Steps<unknown>[],
  run: (statement: Statement) => Promise<StatementResult>,
): Promise<readonly unknown[]> {
  const running = works.map((work) => awaitSteps(work, run));
  const all = Promise.all(running);
  await Promise.allSettled([all, ...running]);
  return await all;
}
