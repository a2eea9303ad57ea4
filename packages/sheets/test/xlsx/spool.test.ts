import { writeSync } from "node:fs";

import { describe, expect, it, onTestFinished } from "vitest";

import { formatRowLine } from "../../src/xlsx/reader-protocol.ts";
import { createSpool, type Spool } from "../../src/xlsx/spool.ts";
import { collect } from "../helpers/files.ts";

async function spoolOf(lines: readonly string[]): Promise<Spool> {
  const spool = await createSpool();
  onTestFinished(() => spool.close());
  for (const line of lines) writeSync(spool.fd, line);
  return spool;
}

describe("createSpool", () => {
  it("gives every row back, to each reader, over the borders of its reads", async () => {
    const rows = Array.from({ length: 20_000 }, (_, index) => ({
      row: index + 1,
      cells: [`çığ ${index}`, index / 7, null],
    }));

    const spool = await spoolOf(rows.map(formatRowLine));

    const [first, second] = await Promise.all([collect(spool.rows()), collect(spool.rows())]);
    expect(first).toEqual(rows);
    expect(second).toEqual(rows);
  });

  it("has no rows if nothing was written", async () => {
    expect(await collect((await spoolOf([])).rows())).toEqual([]);
  });
});
