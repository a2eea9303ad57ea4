import { open } from "node:fs/promises";
import { text } from "node:stream/consumers";

import { afterEach, describe, expect, it } from "vitest";

import { DEFAULT_LIMITS, type ReadLimits } from "../../src/limits.ts";
import { runReader } from "../../src/xlsx/run-reader.ts";
import { fileOf, refusal } from "../helpers/files.ts";
import { SMALL_ROWS, textCell, xlsxOf } from "../helpers/workbooks.ts";

interface Outcome {
  readonly sheet: string;
  readonly lines: readonly string[];
}

async function run(
  content: Buffer,
  { limits = {}, signal }: { limits?: Partial<ReadLimits>; signal?: AbortSignal } = {},
): Promise<Outcome> {
  await using file = await open(fileOf("a.xlsx", content));
  let output = "";
  const sheet = await runReader({
    fd: file.fd,
    order: { file: "a.xlsx", maxRows: 100_000, limits: { ...DEFAULT_LIMITS, ...limits } },
    onRows: async (rows) => {
      output = await text(rows);
    },
    ...(signal !== undefined && { signal }),
  });
  return { sheet, lines: output.split("\n").filter((line) => line !== "") };
}

/** The processes that this one has started and that have not ended. */
const children = (): readonly string[] =>
  process.getActiveResourcesInfo().filter((kind) => kind === "ProcessWrap");

/** Takes the reader longer than any of these tests wait. */
const longRows = (): string =>
  Array.from(
    { length: 60_000 },
    (_, index) => `<row r="${index + 1}">${textCell(`A${index + 1}`, `x${index}`)}</row>`,
  ).join("");

describe("runReader", () => {
  afterEach(() => {
    expect(children()).toEqual([]);
  });

  it("gives the rows one a line and the name of the sheet", async () => {
    expect(await run(xlsxOf(SMALL_ROWS))).toEqual({
      sheet: "Sayfa1",
      lines: ['[1,["Kod","Ad"]]', '[2,["1","Kaşık"]]'],
    });
  });

  it("passes on what the process refuses", async () => {
    expect(await refusal(run(Buffer.from("PK\u0003\u0004 and no more")))).toMatchObject({
      code: "E_FILE_TRUNCATED",
      details: { file: "a.xlsx" },
    });
  });

  it("calls a workbook that the library cannot read unreadable, and keeps why", async () => {
    const error = await refusal(run(xlsxOf('<row r="1"><c r="A1" t="s"><v>7</v></c></row>')));

    expect(error.code).toBe("E_FILE_UNREADABLE");
    expect(String(error.cause)).toContain("VALUE_INVALID");
  });

  it("ends the process when its time is over", async () => {
    const error = await refusal(run(xlsxOf(longRows()), { limits: { readerTimeoutMs: 1 } }));

    expect(error.code).toBe("E_FILE_UNSAFE");
  });

  it("outlives a process that runs out of memory", async () => {
    const error = await refusal(run(xlsxOf(longRows()), { limits: { readerHeapMb: 8 } }));

    expect(error.code).toBe("E_FILE_UNSAFE");
  });

  it("ends the process when the signal aborts, and rejects with its reason", async () => {
    const stop = new AbortController();

    const running = run(xlsxOf(longRows()), { signal: stop.signal });
    const started = expect.poll(children, { interval: 1 }).toHaveLength(1);
    await started.then(() => stop.abort(new Error("enough")));

    await expect(running).rejects.toThrow("enough");
  });

  it("ends the process when nobody takes the rows", async () => {
    await using file = await open(fileOf("a.xlsx", xlsxOf(longRows())));

    const running = runReader({
      fd: file.fd,
      order: { file: "a.xlsx", maxRows: 100_000, limits: DEFAULT_LIMITS },
      onRows: () => Promise.reject(new Error("disk full")),
    });

    await expect(running).rejects.toThrow("disk full");
  });
});
