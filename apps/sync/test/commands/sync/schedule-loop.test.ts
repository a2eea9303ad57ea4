import { setImmediate } from "node:timers/promises";

import { CatalogError } from "@catalog/connection";
import { createTestConnection } from "@catalog/connection/testing";
import { EXIT } from "@catalog/console";
import { createFakeTerminal } from "@catalog/console/testing";
import type { RowIssue } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { describeFailure, runScheduleLoop } from "../../../src/commands/sync/schedule-loop.ts";
import { textsFor } from "../../../src/commands/sync/texts.ts";

/** Runs the schedule of an empty feed, which each sync refuses; `look` waits for what happens. */
async function runEmptyFeed(
  look: (at: {
    readonly until: (isThere: () => boolean) => Promise<void>;
    readonly connection: Awaited<ReturnType<typeof createTestConnection>>["connection"];
    readonly err: () => string;
    readonly notified: readonly unknown[];
  }) => Promise<void>,
): Promise<void> {
  const { connection, clock, write, folder } = await createTestConnection();
  const terminal = createFakeTerminal();
  const stop = new AbortController();
  const notified: unknown[] = [];
  const loop = runScheduleLoop(
    {
      terminal,
      clock,
      lang: "en",
      stop: stop.signal,
      json: false,
      quiet: false,
      resolve: (path) => path,
      findStores: async () => [],
      openConnection: async () => connection,
    },
    connection,
    {
      feed: write("stock.csv", "Product Code;Stock\r\n"),
      lang: "en",
      pattern: "*/15 * * * *",
      timeZone: "Europe/Istanbul",
      reading: {},
      allowed: [],
      reconcileMs: 0,
      reportDir: folder,
      writesFiles: false,
      healthPath: undefined,
      statusPort: undefined,
      stored: {},
      onOutcome: async ({ exit, code }, { healthy, failures_in_row }) =>
        void notified.push([exit, code, healthy, failures_in_row]),
    },
  );
  const until = async (isThere: () => boolean): Promise<void> => {
    // Time passes from one wait to the next; a sync under way waits for files and the database only.
    while (!isThere()) {
      await clock.advanceToNext();
      await setImmediate();
    }
  };
  try {
    await look({ until, connection, err: () => terminal.written.err, notified });
  } finally {
    stop.abort(new Error("the test is over"));
    await loop;
  }
}

describe("runScheduleLoop", () => {
  it("tries a time again soon that met another sync of the store", async () => {
    await runEmptyFeed(async ({ until, connection, err, notified }) => {
      const other = await connection.locks.feeds("catalog sync");

      await until(() => err().includes("The store is busy"));
      const whileLocked = [...notified];
      await other[Symbol.asyncDispose]();
      await until(() => notified.length > 0);

      expect(whileLocked).toEqual([]);
      expect(err().split("Sync of 21 Nov, 12:45")).toHaveLength(3);
      expect(notified).toEqual([[3, "E_FEED_EMPTY", true, 1]]);
    });
  });

  it("becomes unhealthy while every sync is refused", async () => {
    await runEmptyFeed(async ({ until, connection, notified }) => {
      await until(() => notified.length === 4);

      expect(notified).toEqual([
        [3, "E_FEED_EMPTY", true, 1],
        [3, "E_FEED_EMPTY", true, 2],
        [3, "E_FEED_EMPTY", false, 3],
        [3, "E_FEED_EMPTY", false, 4],
      ]);
      expect(await connection.runs.list(9)).toHaveLength(4);
    });
  });
});

it("a feed that may not be read is told, and the next sync tries again", () => {
  const cause = Object.assign(new Error("EACCES: permission denied, open '/f/stok.csv'"), {
    code: "EACCES",
    syscall: "open",
    path: "/f/stok.csv",
  });

  expect(describeFailure(cause, { lang: "tr", texts: textsFor("tr") })).toEqual({
    exit: EXIT.nothingSent,
    code: "E_FILE_ACCESS",
    text: expect.stringContaining("/f/stok.csv: erişim izni yok"),
  });
});

const issue = (cell: string): RowIssue => ({
  code: "E_COLUMN_UNSURE",
  sheet: "",
  row: 1,
  column: "Kalan",
  cell,
  value: "Kalan",
  message: { tr: "“Kalan” stok olabilir.", en: "“Kalan” may be the stock." },
  suggestion: { tr: 'Stok: --map "Kalan=Stok"', en: 'Stock: --map "Kalan=Stock"' },
});

it("columns that cannot be used are named with what to give", () => {
  const error = new CatalogError("E_FILE_COLUMNS", "stok.csv", ["B1", "C1", "D1", "E1"].map(issue));

  const text = describeFailure(error, { lang: "tr", texts: textsFor("tr") })?.text;

  expect(text).toContain(' B1: “Kalan” stok olabilir. Stok: --map "Kalan=Stok" C1:');
  expect(text).toMatch(/D1.*…$/u);
  expect(text).not.toContain("E1:");
});

it("a bug is none of those", () => {
  const failure = describeFailure(new TypeError("x"), { lang: "tr", texts: textsFor("tr") });

  expect(failure).toBeUndefined();
});
