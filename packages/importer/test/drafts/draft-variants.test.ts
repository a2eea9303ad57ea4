import { describe, expect, it } from "vitest";

import { openDraftStore } from "./helpers/open-test-draft.ts";

const FILE = [
  "Handle;Title;Body (HTML);Option1 Value;Variant SKU;Variant Inventory Qty;Image Src",
  "kod;#YOK;Yün;S;KOD-1;7;https://o.example/1.jpg",
  "kod;;;M;KOD-2;8;https://o.example/2.jpg",
  "kod;;;;;;https://o.example/3.jpg",
  "tek;Atkı;İpek;Default Title;KOD-3;9;https://o.example/4.jpg",
  "",
].join("\n");

describe("a draft of products with variants", () => {
  it("plans what a file with the corrected cells plans", async () => {
    const { draft, plan, planText, decisions } = await openDraftStore();
    const live = await draft(FILE, "shop.csv");
    await live.edit({ version: 1 }, [
      { row: 2, column: 1, value: "Kazak" },
      { row: 3, column: 5, value: "sekiz" },
    ]);

    const [ours, file] = [
      await plan(live),
      await planText(FILE.replace("#YOK", "Kazak").replace(";8;", ";sekiz;")),
    ];

    expect(await decisions(ours)).toEqual(await decisions(file));
  });

  it("checks the variants again when a cell of their parent is corrected", async () => {
    const { draft } = await openDraftStore();
    const live = await draft(FILE, "shop.csv");
    const before = (await live.rows([2, 3])).map(({ issues }) => issues.map(({ code }) => code));

    const result = await live.edit({ version: 1 }, [{ row: 2, column: 1, value: "Kazak" }]);

    expect(before).toEqual([["E_CELL_ERROR"], ["E_CELL_ERROR"]]);
    expect(result.rows.map(({ row, issues }) => [row, issues])).toEqual([
      [2, []],
      [3, []],
    ]);
  });
});
