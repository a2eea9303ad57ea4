/** The file as another program sees it. */

import { DatabaseSync, type SQLInputValue } from "node:sqlite";

import { onTestFinished } from "vitest";

import { addAddressFunctions } from "../../src/sqlite/join-stores.ts";

export interface Raw {
  /** Rows of a query. */
  rows(sql: string, ...input: readonly SQLInputValue[]): Record<string, unknown>[];
  /** Runs a statement; throws what SQLite says. */
  run(sql: string, ...input: readonly SQLInputValue[]): void;
  close(): void;
}

/** A second connection to the file, with nothing of this package in between. */
export function openRaw(path: string): Raw {
  const sqlite = new DatabaseSync(path);
  addAddressFunctions(sqlite);
  const close = (): void => {
    if (sqlite.isOpen) sqlite.close();
  };
  onTestFinished(close);
  return {
    close,
    rows: (sql, ...input) =>
      sqlite
        .prepare(sql)
        .all(...input)
        .map((row) => Object.fromEntries(Object.entries(row))),
    run: (sql, ...input) => {
      sqlite.prepare(sql).run(...input);
    },
  };
}
