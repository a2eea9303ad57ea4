import { open } from "node:fs/promises";

import { afterEach, describe, expect, it, onTestFinished } from "vitest";

import type { SheetRow } from "../../../../src/cell.ts";
import { DEFAULT_LIMITS, type ReadLimits } from "../../../../src/sheet-rows.ts";
import { createRowFile, runReader } from "../../../../src/xlsx/read/xlsx-source.ts";
import { collect, fileOf, refusal } from "../../../helpers/files.ts";
import { SMALL_ROWS, textCell, xlsxOf } from "../../../helpers/workbooks.ts";

interface Outcome {
  readonly sheet: string;
  readonly rows: readonly SheetRow[];
}

async function run(
  content: Buffer,
  { limits = {}, signal }: { limits?: Partial<ReadLimits>; signal?: AbortSignal } = {},
): Promise<Outcome> {
  await using file = await open(fileOf("a.xlsx", content));
  const [rows, strings] = [await createRowFile(), await createRowFile()];
  onTestFinished(async () => {
    await rows.close();
    await strings.close();
  });
  const { sheet } = await runReader({
    fd: file.fd,
    rowsFd: rows.fd,
    stringsFd: strings.fd,
    order: { file: "a.xlsx", maxRows: 100_000, limits: { ...DEFAULT_LIMITS, ...limits } },
    ...(signal !== undefined && { signal }),
  });
  return { sheet, rows: await collect(rows.rows()) };
}

/** Child processes of the test that are still running. */
const children = (): readonly string[] =>
  process.getActiveResourcesInfo().filter((kind) => kind === "ProcessWrap");

/** Rows that keep the reader busy longer than any of these tests waits. */
const longRows = (): string =>
  Array.from(
    { length: 60_000 },
    (_, index) => `<row r="${index + 1}">${textCell(`A${index + 1}`, `x${index}`)}</row>`,
  ).join("");

describe("runReader", () => {
  afterEach(() => {
    expect(children()).toEqual([]);
  });

  it("writes the rows and returns the name of the sheet", async () => {
    expect(await run(xlsxOf(SMALL_ROWS))).toEqual({
      sheet: "Sayfa1",
      rows: [
        { row: 1, cells: ["Kod", "Ad"] },
        { row: 2, cells: ["1", "Kaşık"] },
      ],
    });
  });

  it("passes on the refusal of the process", async () => {
    expect(await refusal(run(Buffer.from("PK\u0003\u0004 and no more")))).toMatchObject({
      code: "E_FILE_TRUNCATED",
      details: { file: "a.xlsx" },
    });
  });

  it("names the cell whose text is missing", async () => {
    const error = await refusal(run(xlsxOf('<row r="1"><c r="B1" t="s"><v>7</v></c></row>')));

    expect(error).toMatchObject({ code: "E_CELL_VALUE", details: { row: 1, column: 2 } });
  });

  it("ends the process at the time limit", async () => {
    const error = await refusal(run(xlsxOf(longRows()), { limits: { readerSeconds: 0.001 } }));

    expect(error).toMatchObject({ code: "E_READER_LIMIT", details: { setting: "readerSeconds" } });
  });

  it("reports a process that runs out of memory", async () => {
    const error = await refusal(run(xlsxOf(longRows()), { limits: { readerHeapMb: 2 } }));

    expect(error).toMatchObject({ code: "E_READER_LIMIT", details: { setting: "readerHeapMb" } });
  });

  it("ends the process when the signal aborts, and rejects with its reason", async () => {
    const stop = new AbortController();

    const running = run(xlsxOf(longRows()), { signal: stop.signal });
    const started = expect.poll(children, { interval: 1 }).toHaveLength(1);
    await started.then(() => stop.abort(new Error("enough")));

    await expect(running).rejects.toThrow("enough");
  });

  it("ends a process that exceeds its memory limit", async () => {
    const error = await refusal(run(xlsxOf(longRows()), { limits: { readerRssMb: 16 } }));

    expect(error).toMatchObject({ code: "E_READER_LIMIT", details: { setting: "readerRssMb" } });
  });
});
