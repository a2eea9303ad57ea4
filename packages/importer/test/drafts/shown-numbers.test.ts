import { join } from "node:path";

import { streamXlsx } from "@catalog/sheets";
import { describe, expect, it } from "vitest";

import type { LiveDraft } from "../../src/drafts/live-draft.ts";
import { openDraftStore } from "./helpers/open-test-draft.ts";

/** A workbook with a code, a price and a stock in each row. */
async function openWorkbook(
  rows: readonly (readonly [code: string, price: number | string, stock: number])[],
): Promise<LiveDraft> {
  const { draftOf, folder } = await openDraftStore();
  const path = join(folder, "fiyatlar.xlsx");
  const columns = ["Ürün Kodu", "Satış Fiyatı", "Stok"].map((header) => ({ header }));
  await streamXlsx({ path, sheets: [{ name: "Ürünler", columns, rows }] });
  return await draftOf(path);
}

describe("the number cells of a workbook", () => {
  it("are shown in the notation of the language, while the cells stay as they are", async () => {
    const live = await openWorkbook([["KOD-1", 3448.1, 1250]]);

    const [row] = await live.rows([2]);

    expect(row?.cells).toEqual(["KOD-1", "3448.1", "1250"]);
    expect(row?.numbers).toEqual([
      {
        column: 1,
        text: { tr: "3.448,10", en: "3,448.10" },
        typed: { tr: "3448,10", en: "3448.10" },
      },
      { column: 2, text: { tr: "1.250", en: "1,250" }, typed: { tr: "1250", en: "1250" } },
    ]);
  });

  it.each(["1111,50", "1111.50", "1.111,50", "1,111.50"])(
    "take %s in their place",
    async (value) => {
      const live = await openWorkbook([["KOD-1", 3448.1, 5]]);

      const { rows, counts } = await live.edit({ version: 1 }, [{ row: 2, column: 1, value }]);

      expect(counts).toMatchObject({ errors: 0, warnings: 0 });
      expect(rows).toMatchObject([{ cells: ["KOD-1", value, "5"], numbers: [{ column: 2 }] }]);
    },
  );

  it("are typed with the decimal sign of the texts in their column", async () => {
    const live = await openWorkbook([
      ["KOD-1", 3448.1, 5],
      ["KOD-2", "12.50", 5],
    ]);

    const [number, text] = await live.rows([2, 3]);

    expect(number?.numbers[0]).toMatchObject({
      text: { tr: "3.448,10" },
      typed: { tr: "3448.10", en: "3448.10" },
    });
    expect(text?.numbers).toMatchObject([{ column: 2 }]);
  });
});
