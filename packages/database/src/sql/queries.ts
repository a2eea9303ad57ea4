/** Queries as steps, compiled by the builder of a database. */

import type { Kysely } from "kysely";

import { DatabaseError } from "../errors.ts";
import type { Arg, Compilable, Queries } from "./database.ts";
import { prepareEach, prepareOne, toInput } from "./prepared.ts";
import type { Schema } from "./schema.ts";
import { changeRows, readRows, type Steps, together } from "./steps.ts";

const SAVEPOINT = "part";

function all<Row>(query: Compilable<Row>): Steps<Row[]> {
  const { sql, parameters } = query.compile();
  return readRows<Row>(sql, parameters.map(toInput));
}

export function createQueries(build: Kysely<Schema>): Queries {
  return {
    build,
    all,
    *get(query) {
      return (yield* all(query))[0];
    },
    run(query) {
      const { sql, parameters } = query.compile();
      return changeRows(sql, parameters.map(toInput));
    },
    prepare: (make) => prepareOne(make, changeRows),
    prepareGet<Args extends object, Row>(make: (arg: Arg<Args>) => Compilable<Row>) {
      return prepareOne(make, readFirst<Row>);
    },
    prepareAll<Args extends object, Row>(make: (arg: Arg<Args>) => Compilable<Row>) {
      return prepareOne(make, readRows<Row>);
    },
    prepareEach: (make) => prepareEach(make, changeRows),
    savepoint,
  };
}

function* readFirst<Row>(...statement: Parameters<typeof readRows>): Steps<Row | undefined> {
  return (yield* readRows<Row>(...statement))[0];
}

function* savepoint<Result>(work: () => Steps<Result>): Steps<Result> {
  try {
    const [, result] = yield* together([changeRows(`SAVEPOINT ${SAVEPOINT}`, []), work()]);
    yield* changeRows(`RELEASE SAVEPOINT ${SAVEPOINT}`, []);
    return result;
  } catch (error) {
    yield* undo(error);
    throw error;
  }
}

function* undo(error: unknown): Steps<void> {
  try {
    yield* changeRows(`ROLLBACK TO SAVEPOINT ${SAVEPOINT}`, []);
    yield* changeRows(`RELEASE SAVEPOINT ${SAVEPOINT}`, []);
  } catch (undoing) {
    // On a full disk SQLite may have rolled back the whole transaction with its savepoints.
    throw error instanceof DatabaseError ? error : undoing;
  }
}
