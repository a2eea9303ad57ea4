/** How many bytes of a PostgreSQL database belong to what. */

import { type RawBuilder, sql } from "kysely";

import type { Database } from "../sql/database.ts";
import type { Steps } from "../sql/steps.ts";
import { type DatabaseSizes, NO_BYTES, TABLES } from "../sqlite/sizes.ts";

interface Sizes {
  readonly table_name: string;
  readonly bytes: number;
}

const READ_SIZES: RawBuilder<Sizes> = sql<Sizes>`
  SELECT relname AS table_name, pg_total_relation_size(relid) AS bytes
  FROM pg_stat_user_tables WHERE schemaname = current_schema()`;

type RowCounts = Pick<DatabaseSizes, "tableRows" | "archivedRows">;

const COUNT_ROWS: RawBuilder<RowCounts> = sql<RowCounts>`
  SELECT (SELECT count(*) FROM run_row) + (
    SELECT coalesce(sum(json_array_length(rows_json::json)), 0) FROM final_piece
  ) AS "tableRows", (
    SELECT coalesce(sum((counted ->> 'rows')::bigint), 0)
    FROM run_archive, json_array_elements(states_json::json) AS counted
    WHERE stage = 'archived'
  ) AS "archivedRows"`;

/** Reads the sizes; the free space of tables is not known, and PostgreSQL uses it again. */
export async function readPostgresSizes(database: Database): Promise<DatabaseSizes> {
  const { tables, counts } = await database.snapshot(() => read(database));
  const kinds = { ...NO_BYTES };
  for (const { table_name, bytes } of tables) kinds[TABLES.get(table_name) ?? "other"] += bytes;
  const fileBytes = tables.reduce((sum, { bytes }) => sum + bytes, 0);
  return { fileBytes, freeBytes: 0, kinds, ...counts };
}

function* read({ build, all, get }: Database): Steps<{
  readonly tables: readonly Sizes[];
  readonly counts: RowCounts;
}> {
  const tables = yield* all({ compile: () => READ_SIZES.compile(build) });
  const counts = yield* get({ compile: () => COUNT_ROWS.compile(build) });
  return { tables, counts: counts ?? { tableRows: 0, archivedRows: 0 } };
}
