/** Functions that SQLite and PostgreSQL have under different names. */

import { type Expression, type RawBuilder, sql } from "kysely";

import type { Database } from "./database.ts";

/** Functions of a dialect. */
export interface DialectFunctions {
  /** All values of a column in ascending order, as one JSON text; `null` where there is no row. */
  readonly toJsonArray: (column: Expression<number>) => RawBuilder<string | null>;
  /** Whether the column contains the text, which is not empty. Upper and lower case differ. */
  readonly contains: (column: Expression<string>, text: string) => RawBuilder<boolean>;
  /** Selects the texts of a list that is given as JSON. */
  readonly listTexts: (list: string) => RawBuilder<string>;
  /** A text of a JSON object; `null` where it has none of this name, which is a constant. */
  readonly jsonText: (column: Expression<string>, name: string) => RawBuilder<string | null>;
}

export const dialectFunctions = (dialect: Database["dialect"]): DialectFunctions =>
  dialect === "sqlite"
    ? {
        toJsonArray: (column) => sql`json_group_array(${column} ORDER BY ${column})`,
        contains: (column, text) => sql`instr(${column}, ${text}) > 0`,
        listTexts: (list) => sql`SELECT value FROM json_each(${list})`,
        jsonText: (column, name) => sql`json_extract(${column}, ${sql.lit(`$.${name}`)})`,
      }
    : {
        toJsonArray: (column) => sql`json_agg(${column} ORDER BY ${column})::text`,
        contains: (column, text) => sql`strpos(${column}, ${text}) > 0`,
        listTexts: (list) => sql`SELECT json_array_elements_text(${list}::json)`,
        jsonText: (column, name) => sql`(${column}::json ->> ${sql.lit(name)})`,
      };
