import { describe, expect, it } from "vitest";

import { MAX_CELLS, MAX_ROWS, RowWindow } from "../../../client/grid/row-window.ts";
import { MAX_CELLS_EDITED, MAX_ROWS_READ, type RowView } from "../../../src/api/index.ts";

it("repeats the limits of the server", () => {
  expect({ MAX_CELLS, MAX_ROWS }).toEqual({ MAX_CELLS: MAX_CELLS_EDITED, MAX_ROWS: MAX_ROWS_READ });
});

const view = (row: number, text = `text ${row}`): RowView => ({
  row,
  name: String(row),
  cells: [text],
  edited: [],
  isExcluded: false,
  readAs: [],
  numbers: [],
  issues: [],
});

const numberOf = ({ row }: RowView): number => row;

const createServer = () => {
  const asked: (readonly number[])[] = [];
  const read = async (rows: readonly number[]): Promise<readonly RowView[]> => {
    asked.push(rows);
    return rows.map((row) => view(row));
  };
  return { asked, read };
};

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

const order = (count: number): Uint32Array => Uint32Array.from({ length: count }, (_, n) => n + 2);

describe("the window of rows", () => {
  it("reads the page of a row once, however many cells ask", async () => {
    const { asked, read } = createServer();
    const rows = new RowWindow({ numberOf, read, pageRows: 3 });
    rows.setOrder(order(10));

    rows.get(5, 3);
    rows.get(6, 4);
    await settle();

    expect(asked).toEqual([[5, 6, 7]]);
    expect(rows.get(6, 4)?.cells).toEqual(["text 6"]);
  });

  it("tells why rows could not be read, until they are", async () => {
    const failure = new Error("refused");
    let failures = 1;
    const rows = new RowWindow({
      numberOf,
      read: async (asked) => {
        if (failures === 0) return asked.map((row) => view(row));
        failures -= 1;
        throw failure;
      },
    });
    rows.setOrder(order(2));
    const told: (Error | null)[] = [];
    rows.subscribe(() => told.push(rows.error));

    rows.get(2, 0);
    await settle();
    rows.setOrder(order(2));
    rows.get(2, 0);
    await settle();

    expect([told[0], rows.error]).toEqual([failure, null]);
  });

  it("forgets the rows that were not shown for the longest time", async () => {
    const { read } = createServer();
    const rows = new RowWindow({ numberOf, read, pageRows: 2, maxPages: 2 });
    rows.setOrder(order(10));

    for (const position of [0, 2]) {
      rows.get(position + 2, position);
      await settle();
    }
    rows.get(2, 0);
    rows.get(3, 1);
    rows.get(6, 4);
    await settle();

    expect([2, 3, 4, 5, 6, 7].filter((row) => rows.peek(row) !== undefined)).toEqual([2, 3, 6, 7]);
  });

  it("shows rows as they were until they are read anew", async () => {
    const { asked, read } = createServer();
    const rows = new RowWindow({ numberOf, read, pageRows: 2 });
    rows.setOrder(order(2));
    rows.put([view(2, "before")]);

    rows.invalidate();

    expect(rows.get(2, 0)?.cells).toEqual(["before"]);
    await settle();
    expect(rows.get(2, 0)?.cells).toEqual(["text 2"]);
    expect(asked).toEqual([[2, 3]]);
  });

  it("drops an answer that was on its way when the draft changed", async () => {
    const answers: ((rows: readonly RowView[]) => void)[] = [];
    const read = (): Promise<readonly RowView[]> =>
      new Promise((resolve) => {
        answers.push(resolve);
      });
    const rows = new RowWindow({ numberOf, read, pageRows: 1 });
    rows.setOrder(order(1));
    rows.get(2, 0);

    rows.invalidate();
    answers[0]?.([view(2, "old")]);
    await settle();

    expect(rows.peek(2)).toBeUndefined();
  });

  it("asks for no more rows at once than the server gives", async () => {
    const { asked, read } = createServer();
    const rows = new RowWindow({ numberOf, read });

    await rows.load([...order(1_200)]);

    expect(asked.map((part) => part.length)).toEqual([500, 500, 200]);
  });

  it("tells listeners of new rows until they leave", () => {
    const rows = new RowWindow({ numberOf, read: createServer().read });
    let told = 0;
    const leave = rows.subscribe(() => {
      told += 1;
    });

    rows.put([view(2)]);
    leave();
    rows.put([view(3)]);

    expect(told).toBe(1);
  });
});
