/**
 * Marks that tell, after a process was killed, which of its requests cannot have left. A mark is
 * written after the row is durably `sending` and before the first byte of its request: a `sending`
 * row without a mark was never sent. Marks are not synced to the disk, so they speak only for
 * processes that died while the machine stayed up; once it was restarted, nothing is proven.
 */

import { appendFileSync, readFileSync, writeFileSync } from "node:fs";

import { type RowKey } from "@catalog/runs";

import { toStoreError } from "../errors.ts";

export interface SendMarks {
  /** Throws `StoreError` `E_DATABASE` when the disk refuses; the request must not leave then. */
  write(key: RowKey): void;
  /** Says for a row found `sending` whether its request surely never left. */
  readUnsent(): (key: RowKey) => boolean;
  /** Rows whose request may have left since the marks were begun. */
  readMarked(): readonly RowKey[];
  /** Begins anew. Only while no row of the store is `sending`. */
  clear(): void;
}

export interface SendMarksOptions {
  /** The marks are kept beside the database; one in memory has none, so nothing is ever proven. */
  readonly databasePath: string;
  /** Number of the store: its lock protects its own marks only. */
  readonly store: number;
}

/** Where Linux keeps a name for the time since the machine was started. */
const BOOT_ID = "/proc/sys/kernel/random/boot_id";

export function createSendMarks({ databasePath, store }: SendMarksOptions): SendMarks {
  const bootId = readText(BOOT_ID)?.trim() ?? "";
  const path = `${databasePath}.${store}.marks`;
  if (bootId === "" || databasePath === ":memory:") {
    return {
      write: () => undefined,
      readUnsent: () => () => false,
      readMarked: () => [],
      clear: () => undefined,
    };
  }
  // A file without this line was not begun in this boot, and its silence proves nothing.
  const start = `${bootId} start`;
  const lineOf = ({ runId, row }: RowKey): string => `${bootId} ${runId} ${row}`;

  return {
    // A line break before it too: a mark that was cut off must not swallow the next one.
    write(key) {
      try {
        appendFileSync(path, `\n${lineOf(key)}\n`, { mode: 0o600 });
      } catch (error) {
        throw toStoreError(error, path);
      }
    },
    readUnsent() {
      const marks = new Set(readText(path)?.split("\n"));
      return (key) => marks.has(start) && !marks.has(lineOf(key));
    },
    readMarked() {
      const lines = readText(path)?.split("\n") ?? [];
      return lines.flatMap((line) => {
        const [, runId, row] = /^\S+ (\S+) (\d+)$/u.exec(line) ?? [];
        return runId === undefined || row === undefined ? [] : [{ runId, row: Number(row) }];
      });
    },
    clear: () => writeFileSync(path, `${start}\n`, { mode: 0o600 }),
  };
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // There is no such file, or it cannot be read: nothing is known then.
    return undefined;
  }
}
