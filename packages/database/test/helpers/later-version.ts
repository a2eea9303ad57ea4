/** A made-up migration to version 2. */

import { forBoth, type Migration } from "../../src/sql/migrations.ts";

export const LATER: Migration = forBoth([
  "CREATE TABLE later (id SERIAL PRIMARY KEY, name TEXT NOT NULL) STRICT",
  "ALTER TABLE run ADD COLUMN later INTEGER NOT NULL DEFAULT 7",
]);
