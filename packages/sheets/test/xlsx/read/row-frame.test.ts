import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { CellTrait, SheetRow } from "../../../src/cell.ts";
import {
  createFormatTable,
  createRowWriter,
  toFrame,
  unpackRow,
} from "../../../src/xlsx/read/row-frame.ts";

const value = fc.oneof(
  fc.string({ unit: fc.constantFrom("a", "ş", "😀", "\u001f", "\u0000", "\ud83d", "\n", '"') }),
  fc.string({ unit: "binary" }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (number === 0 ? 0 : number)),
  fc.boolean(),
  fc.constant(null),
);
const trait = fc.option(fc.constantFrom<CellTrait>("date", "error", "formula"), {
  nil: undefined,
  freq: 4,
});
const format = fc.option(fc.constantFrom("0.00", '"TR"0000', "0%", "₺0"), {
  nil: undefined,
  freq: 3,
});
const cell = fc.tuple(value, trait, format);

function toRow(
  number: number,
  cells: readonly (readonly [SheetRow["cells"][0], unknown, unknown])[],
): SheetRow {
  const traits = cells.flatMap(([, given], index) => (given === undefined ? [] : [[index, given]]));
  const formats = cells.flatMap(([, , code], index) => (code === undefined ? [] : [[index, code]]));
  return {
    row: number,
    cells: cells.map(([content]) => content ?? null),
    ...(traits.length > 0 && { traits: Object.fromEntries(traits) }),
    ...(formats.length > 0 && { formats: Object.fromEntries(formats) }),
  };
}

describe("a row frame", () => {
  it("decodes to the same row, with exact texts, numbers and formats", () => {
    const table = createFormatTable();
    const writer = createRowWriter(table);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 20 }), fc.array(cell), (number, cells) => {
        const row = toRow(number, cells);

        writer.write(row);

        expect(unpackRow(toFrame(writer), 0, table.codes())).toEqual(row);
      }),
    );
  });

  it("is the same for every order of its cells", () => {
    const cells = fc
      .array(value, { maxLength: 40 })
      .chain((values) =>
        fc.tuple(
          fc.constant(values),
          fc.shuffledSubarray([...values.keys()], { minLength: values.length }),
        ),
      );
    fc.assert(
      fc.property(cells, ([values, order]) => {
        const [writer, shuffled] = [createRowWriter(), createRowWriter()];
        writer.write({ row: 7, cells: values });

        shuffled.begin(7);
        for (const index of order) shuffled.put(index + 1, values[index] ?? null);

        expect(toFrame(shuffled)).toEqual(toFrame(writer));
      }),
    );
  });

  it("holds long texts and many cells, and a short row after them", () => {
    const table = createFormatTable();
    const writer = createRowWriter(table);
    const long = Array.from({ length: 2_000 }, (_, index) => `${index} ${"ş".repeat(index % 90)}`);
    const formats = Object.fromEntries(long.map((_, index) => [index, `0"${index}"`]));

    writer.write({ row: 1, cells: long, formats });

    const read = unpackRow(toFrame(writer), 0, table.codes());
    expect(read).toEqual({ row: 1, cells: long, formats });
    writer.write({ row: 2, cells: [null, "a"] });
    expect(unpackRow(toFrame(writer))).toEqual({ row: 2, cells: [null, "a"] });
  });
});
