import { expect, it } from "vitest";

import { mapColumns } from "../../src/columns/map-columns.ts";
import type { CellValue } from "../../src/source-row.ts";
import { createNotationObserver } from "../../src/values/notation.ts";
import type { ColumnNotation, DecimalSign } from "../../src/values/numbers.ts";

const decide = (
  prices: readonly CellValue[],
  decimal?: DecimalSign,
): ColumnNotation | undefined => {
  const header = ["Ürün Kodu", "Fiyat"];
  const mapping = mapColumns({ sheet: "S", headerRow: 1, header });
  const observer = createNotationObserver(mapping, { decimal });
  for (const [index, price] of prices.entries()) {
    observer.observe({ row: index + 2, cells: [`K${index}`, price] });
  }
  return observer.decide().columns.get(1);
};

const cases: readonly (readonly [string, readonly CellValue[], ColumnNotation])[] = [
  [
    "reads ambiguous prices by a comma in the column",
    ["1.299", "19,90"],
    { decimal: "comma", isMixed: false },
  ],
  [
    "reads ambiguous prices by a point in the column",
    ["1,299", "19.90 TL"],
    { decimal: "point", isMixed: false },
  ],
  [
    "decides nothing from ambiguous prices alone",
    ["1.299", "2.500"],
    { decimal: undefined, isMixed: false },
  ],
  [
    "decides nothing from number cells",
    [19.9, 1.5, "1.299"],
    { decimal: undefined, isMixed: false },
  ],
  [
    "takes the more frequent sign of a mixed column",
    ["1,5", "2,5", "1.5"],
    { decimal: "comma", isMixed: true, seen: { comma: "B2 “1,5”", point: "B4 “1.5”" } },
  ],
  [
    "decides nothing where both signs are equally frequent",
    ["1,5", "1.5"],
    { decimal: undefined, isMixed: true, seen: { comma: "B2 “1,5”", point: "B3 “1.5”" } },
  ],
];
it.each(cases)("%s", (_name, prices, expected) => expect(decide(prices)).toEqual(expected));

it.each([
  [["1.500", "2.250"], "comma", "comma"],
  [["1.5", "1.500"], "comma", "comma"],
  [["1.5", "1,5"], "comma", "comma"],
  // The answer about another column leaves numbers alone that can be read in one way.
  [["819,00", "1.299,00"], "point", "comma"],
] as const)("reads %j as with a decimal %s that the user named: %s", (cells, named, decimal) => {
  expect(decide([...cells], named)).toEqual({ decimal, isMixed: false });
});

it("ignores columns that hold no numbers", () => {
  const mapping = mapColumns({ sheet: "S", headerRow: 1, header: ["Ürün Kodu", "Fiyat"] });
  const observer = createNotationObserver(mapping);

  observer.observe({ row: 2, cells: ["1,5", "örnek"] });

  expect(observer.decide().columns).toEqual(new Map([[1, { decimal: undefined, isMixed: false }]]));
});
