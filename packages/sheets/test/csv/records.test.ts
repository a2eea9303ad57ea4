import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { readRecords, type RecordOptions } from "../../src/csv/csv-source.ts";
import { collect, inPieces, refusal } from "../helpers/files.ts";

const OPTIONS: RecordOptions = {
  dialect: { delimiter: ";", newline: "\n", hasSeparatorLine: false },
  file: "a.csv",
  recordChars: 1_000_000,
};

const slice = (text: string, size: number): readonly string[] =>
  text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];

/** Each record with its number. */
async function numbered(
  slices: readonly string[],
  options: RecordOptions = OPTIONS,
): Promise<readonly (readonly [number, readonly string[]])[]> {
  const batches = await collect(readRecords(inPieces(slices), options));
  return batches.flatMap(({ first, records }) =>
    records.map((record, index) => [first + index, record] as const),
  );
}

describe("readRecords", () => {
  it("returns the same records for every size of slice", async () => {
    const text = 'Kod;"A ""d"" ı"\n\n1;"iki\nsatır;\r\nüç"\r\n ;x"y\n"";"son"';
    const whole = await numbered([text]);

    for (let size = 1; size <= 64; size += 1) {
      expect(await numbered(slice(text, size))).toEqual(whole);
    }
    expect(whole).toEqual([
      [1, ["Kod", 'A "d" ı']],
      [2, [""]],
      [3, ["1", "iki\nsatır;\r\nüç"]],
      [4, [" ", 'x"y']],
      [5, ["", "son"]],
    ]);
  });

  it("reads back any quoted cells, whatever the slices", async () => {
    const unquoted = fc.string({ unit: fc.constantFrom("ş", '"', ";", "\n", "\r", " ", "x") });
    const table = fc.array(fc.array(unquoted, { minLength: 1, maxLength: 4 }), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(table, fc.integer({ min: 1, max: 64 }), async (rows, size) => {
        const text = rows
          .map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(";"))
          .join("\n");

        const read = await numbered(slice(text, size));

        expect(read.map(([, cells]) => cells)).toEqual(rows);
      }),
    );
  });

  it("skips the separator line and does not count it", async () => {
    const options = { ...OPTIONS, dialect: { ...OPTIONS.dialect, hasSeparatorLine: true } };

    for (const size of [1, 5, 100]) {
      expect(await numbered(slice("sep=;\na;b\nc;d", size), options)).toEqual([
        [1, ["a", "b"]],
        [2, ["c", "d"]],
      ]);
    }
  });

  const broken = [
    ["is never closed", 'a;b\n1;"x\n2;y\n3;z\n', 2],
    ["closes in the middle of a cell", 'a;b\n1;2\n3;"x"y\n4;z\n', 3],
    ["is closed by the opening quote of a later cell", 'a;b\n1;"x\n2;"y"\n', 2],
    ["opens at the end of the file", 'a;b\n1;"', 2],
  ] as const;
  for (const [what, text, row] of broken) {
    it(`refuses a quote that ${what}, and names the record`, async () => {
      for (const size of [1, 7, 1000]) {
        const error = await refusal(numbered(slice(text, size)));

        expect(error).toMatchObject({ code: "E_CSV_QUOTE", details: { row, file: "a.csv" } });
      }
    });
  }

  it("stops at an open quote long before the end of the file", async () => {
    let slices = 0;
    function* endless(): Generator<string> {
      yield 'a;b\n1;"';
      for (; slices < 1_000; slices += 1) yield "2;x\n".repeat(1_000);
    }

    const error = await refusal(
      collect(readRecords(inPieces(endless()), { ...OPTIONS, recordChars: 20_000 })),
    );

    expect(error).toMatchObject({
      code: "E_CSV_QUOTE",
      details: { row: 2, setting: "recordChars" },
    });
    expect(slices).toBeLessThan(10);
  });

  it("reports a record without quotes and without end as too long", async () => {
    const error = await refusal(
      numbered(["a\n", "x".repeat(200)], { ...OPTIONS, recordChars: 100 }),
    );

    expect(error).toMatchObject({
      code: "E_CELL_TOO_LONG",
      details: { row: 2, limit: 100, setting: "recordChars" },
    });
  });

  it("requests text only when its records are requested", async () => {
    let taken = 0;
    async function* text(): AsyncGenerator<string> {
      for (; taken < 100; taken += 1) yield "a;b\n";
    }

    await readRecords(text(), OPTIONS).next();

    expect(taken).toBe(0);
  });
});
