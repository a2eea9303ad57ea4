import { expect, it } from "vitest";

import { createSheetCount } from "../../src/file/describe-file.ts";

it("names each of several sheets with its number of products, also where it has none", () => {
  const sheets = [
    { name: "Yaz", rowsBefore: 0 },
    { name: "Kış", rowsBefore: 2_000 },
    { name: "Güz", rowsBefore: 3_000 },
  ];
  const count = createSheetCount({ sheets });

  for (const row of [2, 3, 2_002]) count.note(row);

  expect(count.notes()).toEqual([
    {
      tr: "Birlikte okunan sayfalar: “Yaz” 2 satır, “Kış” 1 satır, “Güz” 0 satır.",
      en: "Sheets read together: “Yaz” 2 rows, “Kış” 1 row, “Güz” 0 rows.",
    },
  ]);
});

it("has no note on a file with one sheet", () => {
  const count = createSheetCount({});

  count.note(2);

  expect(count.notes()).toEqual([]);
});
