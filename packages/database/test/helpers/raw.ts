/** A database file as another program sees it. */

import { DatabaseSync, type SQLInputValue } from "node:sqlite";

import { onTestFinished } from "vitest";

export interface Raw {
  /** Returns the rows of a query. */
  rows(sql: string, ...input: readonly SQLInputValue[]): Record<string, unknown>[];
  /** Runs a statement; throws SQLite's error. */
  run(sql: string, ...input: readonly SQLInputValue[]): void;
  close(): void;
}

/** Opens a second connection to the file, without the code of this package. */
export function openRaw(path: string): Raw {
  const sqlite = new DatabaseSync(path);
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
