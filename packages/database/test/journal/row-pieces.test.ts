import type { ParsedRow } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { openTestJournal } from "../helpers/open-test-journal.ts";
import { openRaw } from "../helpers/raw.ts";
import { toDecision } from "../helpers/runs-and-rows.ts";

const RUN = "run-1";

const parsed = (row: number, text = `Ürün ${row}`): ParsedRow => ({
  row,
  cells: [`K-${row}`, text, row, null],
  code: `K-${row}`,
  codeKey: `k-${row}`,
});

const rows = (first: number, last: number, step = 1): ParsedRow[] =>
  Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, at) =>
    parsed(first + at * step),
  );

const PIECES = "SELECT first_row, last_row, rows FROM row_piece ORDER BY first_row";

describe("rows of a run", () => {
  it("are kept in pieces of 200, and come back in the order of the sheet", async () => {
    const { journal, path } = await openTestJournal();

    await journal.appendRows(RUN, rows(2, 501));

    expect(openRaw(path).rows(PIECES)).toEqual([
      { first_row: 2, last_row: 201, rows: 200 },
      { first_row: 202, last_row: 401, rows: 200 },
      { first_row: 402, last_row: 501, rows: 100 },
    ]);
    const found = await journal.readRows(RUN, { after: 150, limit: 300 });
    expect(found.map(({ row, cells }) => ({ row, cells }))).toEqual(
      rows(151, 450).map(({ row, cells }) => ({ row, cells })),
    );
  });

  it("are merged where they are stored out of order, so that pieces never overlap", async () => {
    const { journal, path } = await openTestJournal();
    await journal.appendRows(RUN, rows(10, 30, 10));
    await journal.appendRows(RUN, rows(50, 60));

    await journal.appendRows(RUN, [parsed(25), parsed(15), parsed(5)]);

    expect(openRaw(path).rows(PIECES)).toEqual([
      { first_row: 5, last_row: 30, rows: 6 },
      { first_row: 50, last_row: 60, rows: 11 },
    ]);
    const found = await journal.readRows(RUN, { limit: 7 });
    expect(found.map(({ row }) => row)).toEqual([5, 10, 15, 20, 25, 30, 50]);
    await expect(journal.appendRows(RUN, [parsed(20)])).rejects.toThrow("row 20 of run-1");
  });

  it("take cells of any length, whatever characters they hold", async () => {
    const { journal } = await openTestJournal();
    const texts = ["", "a\nb\r\n\u2028", "ş".repeat(300_000), "🙂\ud800", "\0\u001f"];

    await journal.appendRows(
      RUN,
      texts.map((text, at) => parsed(at + 1, text)),
    );

    const found = await journal.readRows(RUN, { limit: 9 });
    expect(found.map(({ cells }) => cells[1])).toEqual(texts);
  });

  it("wait as long as they are not decided, between rows that are", async () => {
    const { journal } = await openTestJournal();
    await journal.appendRows(RUN, rows(1, 6));

    await journal.saveDecisions(RUN, [
      toDecision({ row: 5 }, "ready"),
      toDecision({ row: 2 }, "held"),
    ]);

    const all = await journal.readRows(RUN, { limit: 4 });
    expect(all.map(({ row, state }) => [row, state])).toEqual([
      [1, "parsed"],
      [2, "held"],
      [3, "parsed"],
      [4, "parsed"],
    ]);
    const waiting = await journal.readRows(RUN, { states: ["parsed"], after: 1, limit: 9 });
    expect(waiting.map(({ row }) => row)).toEqual([3, 4, 6]);
    const readyOnly = await journal.readRows(RUN, { states: ["ready"], limit: 9 });
    expect(readyOnly.map(({ row, cells }) => [row, cells[0]])).toEqual([[5, "K-5"]]);
  });

  it("are not shown to another store", async () => {
    const { journal, path } = await openTestJournal();
    await journal.appendRows(RUN, rows(1, 3));

    const other = await openTestJournal({ path, storeId: "store-2", runs: [] });

    expect(await other.journal.readRows(RUN, { limit: 9 })).toEqual([]);
    expect(await other.journal.countRows(RUN)).toEqual([]);
    expect(await other.journal.readDuplicates(RUN)).toEqual([]);
  });
});
