/** Runs steps on a connection, and builds their queries. */

import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from "kysely";

import { NoDriver } from "../sql/no-driver.ts";
import type { Schema } from "../sql/schema.ts";
import { awaitSteps, type Statement, type StatementResult } from "../sql/steps.ts";
import { ask } from "./ask.ts";
import type { RunOn } from "./transact.ts";
import { toStored } from "./value-types.ts";

/** A statement that was run this often gets a name, under which each connection keeps its plan. */
const RUNS_BEFORE_NAME = 5;

/** Most statements that have names; their texts are few by design. */
const MAX_NAMES = 500;

export function createRunOn(): RunOn {
  const runs = new Map<string, number>();
  const names = new Map<string, string>();
  const nameOf = (sql: string): string | undefined => {
    const known = names.get(sql);
    if (known !== undefined || names.size === MAX_NAMES) return known;
    const count = (runs.get(sql) ?? 0) + 1;
    runs.set(sql, count);
    if (count < RUNS_BEFORE_NAME) return undefined;
    runs.delete(sql);
    const name = `c${names.size}`;
    names.set(sql, name);
    return name;
  };
  return (client, steps) =>
    awaitSteps(steps, async ({ sql, values, want }: Statement): Promise<StatementResult> => {
      const name = nameOf(sql);
      const query = { text: sql, values: values.map(toStored) };
      const { rows, rowCount } = await ask(client, name === undefined ? query : { ...query, name });
      return want === "rows" ? rows : (rowCount ?? 0);
    });
}

export function createPostgresBuilder(): Kysely<Schema> {
  return new Kysely<Schema>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new NoDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}
