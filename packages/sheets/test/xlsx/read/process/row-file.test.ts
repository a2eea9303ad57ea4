import { writeSync } from "node:fs";

import { describe, expect, it, onTestFinished } from "vitest";

import type { SheetRow } from "../../../../src/cell.ts";
import { createRowWriter, toFrame } from "../../../../src/xlsx/read/row-frame.ts";
import { createRowFile, type RowFile } from "../../../../src/xlsx/read/xlsx-source.ts";
import { collect } from "../../../helpers/files.ts";

async function rowFileOf(rows: readonly SheetRow[]): Promise<RowFile> {
  const rowFile = await createRowFile();
  onTestFinished(() => rowFile.close());
  const writer = createRowWriter();
  for (const row of rows) {
    writer.write(row);
    writeSync(rowFile.fd, toFrame(writer));
  }
  return rowFile;
}

describe("createRowFile", () => {
  it("returns every row to each reader, also across the borders of its reads", async () => {
    const rows = Array.from({ length: 20_000 }, (_, index) => ({
      row: index + 1,
      cells: [`çığ ${index}`, index / 7, null, index % 9_999 === 0 ? "ş".repeat(200_000) : "ş"],
    }));

    const rowFile = await rowFileOf(rows);

    const [first, second] = await Promise.all([collect(rowFile.rows()), collect(rowFile.rows())]);
    expect(first).toEqual(rows);
    expect(second).toEqual(rows);
  });

  it("has no rows if none were written", async () => {
    expect(await collect((await rowFileOf([])).rows())).toEqual([]);
  });
});
