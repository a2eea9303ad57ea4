import { writeSync } from "node:fs";

import { describe, expect, it, onTestFinished } from "vitest";

import { type SheetRow } from "../../../../src/cell.ts";
import { createSpool, type Spool } from "../../../../src/xlsx/read/process/row-file.ts";
import { createRowWriter, toFrame } from "../../../../src/xlsx/read/process/row-frame.ts";
import { collect } from "../../../helpers/files.ts";

async function spoolOf(rows: readonly SheetRow[]): Promise<Spool> {
  const spool = await createSpool();
  onTestFinished(() => spool.close());
  const writer = createRowWriter();
  for (const row of rows) {
    writer.write(row);
    writeSync(spool.fd, toFrame(writer));
  }
  return spool;
}

describe("createSpool", () => {
  it("returns every row to each reader, also across the borders of its reads", async () => {
    const rows = Array.from({ length: 20_000 }, (_, index) => ({
      row: index + 1,
      cells: [`çığ ${index}`, index / 7, null, index % 9_999 === 0 ? "ş".repeat(200_000) : "ş"],
    }));

    const spool = await spoolOf(rows);

    const [first, second] = await Promise.all([collect(spool.rows()), collect(spool.rows())]);
    expect(first).toEqual(rows);
    expect(second).toEqual(rows);
  });

  it("has no rows if none were written", async () => {
    expect(await collect((await spoolOf([])).rows())).toEqual([]);
  });
});
