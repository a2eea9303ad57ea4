import { join } from "node:path";

import { describe, expect, it } from "vitest";

import type { LiveDraft } from "../../src/drafts/live-draft.ts";
import { type DraftStore, openDraftStore } from "./helpers/open-test-draft.ts";

const SHEET = [
  "Ürün Kodu;Stok;Başlık;Not",
  "00123;7;Fincan;x",
  "00124;beş;Tabak;",
  "00125;9;Kâse;mavi;y",
  "00126;4;Tepsi;",
  "",
].join("\n");

/** Downloads a draft, and uploads the workbook as another draft. */
async function uploadAgain(
  { folder, draftOf }: DraftStore,
  live: LiveDraft,
  rows: "all" | "errors" = "all",
): Promise<LiveDraft> {
  const path = join(folder, `${rows}.xlsx`);
  await live.write({ path, lang: "tr", rows });
  return await draftOf(path);
}

const cellsOf = async (live: LiveDraft, width: number): Promise<readonly (readonly string[])[]> =>
  (await live.rows([...(await live.order())])).map(({ cells }) => cells.slice(0, width));

const codesOf = async (live: LiveDraft): Promise<readonly (readonly string[])[]> =>
  (await live.rows([...(await live.order())])).map(({ issues }) => issues.map(({ code }) => code));

const fieldsOf = async (live: LiveDraft): Promise<readonly (readonly [string, string | null])[]> =>
  ((await live.details()).columns?.columns ?? []).map(({ header, field }) => [header, field]);

describe("the workbook of a draft", () => {
  it("holds the corrected cells in the columns of the file, and maps itself when it is uploaded", async () => {
    const store = await openDraftStore();
    const live = await store.draft(SHEET);
    await live.edit({ version: 1 }, [{ row: 2, column: 1, value: "12" }]);
    await live.exclude({ version: 2 }, { rows: [5], isExcluded: true });

    const again = await uploadAgain(store, live);

    expect(await cellsOf(again, 4)).toEqual([
      ["00123", "12", "Fincan", "x"],
      ["00124", "beş", "Tabak", ""],
      ["00125", "9", "Kâse", "mavi"],
    ]);
    expect((await fieldsOf(again)).slice(0, 5)).toEqual(await fieldsOf(live));
    expect((await fieldsOf(again)).slice(5)).toEqual([
      ["Hata", "-"],
      ["Öneri", "-"],
      ["Satır Kaydı", "-"],
    ]);
  });

  it("names each error at its cell", async () => {
    const store = await openDraftStore();

    const again = await uploadAgain(store, await store.draft(SHEET));

    const [, row] = await again.rows([...(await again.order())]);
    expect(row?.cells[5]).toBe("B3: “beş” bir adet olarak okunamadı.");
  });

  it("holds the failing rows alone, which stay wrong until they are changed", async () => {
    const store = await openDraftStore();
    const live = await store.draft(SHEET);

    const again = await uploadAgain(store, live, "errors");
    const fixed = await again.edit({ version: 1 }, [{ row: 3, column: 4, value: "" }]);

    expect(await codesOf(live)).toEqual([[], ["E_NOT_A_NUMBER"], ["E_COLUMN_COUNT"], []]);
    expect(await cellsOf(again, 1)).toEqual([["00124"], ["00125"]]);
    // The cell too many does not show in a workbook.
    expect(fixed.rows.map(({ row, issues }) => [row, issues.length])).toEqual([[3, 0]]);
    expect((await again.rows([3]))[0]?.edited).toEqual([4]);
  });

  it("refuses an unchanged row whose error does not show in the workbook", async () => {
    const store = await openDraftStore();

    const again = await uploadAgain(store, await store.draft(SHEET), "errors");

    expect(await codesOf(again)).toEqual([["E_NOT_A_NUMBER"], ["E_ROW_UNCHANGED"]]);
  });

  it("writes the columns of an earlier workbook anew", async () => {
    const store = await openDraftStore();
    const once = await uploadAgain(store, await store.draft(SHEET));
    await once.edit({ version: 1 }, [{ row: 3, column: 1, value: "5" }]);

    const twice = await uploadAgain(store, once, "errors");

    expect(await codesOf(twice)).toEqual([["E_ROW_UNCHANGED"]]);
    expect((await fieldsOf(twice)).map(([header]) => header)).toEqual([
      "Ürün Kodu",
      "Stok",
      "Başlık",
      "Not",
      "",
      "Hata",
      "Öneri",
      "Dosyadaki Satır",
      "Satır Kaydı",
    ]);
  });

  it("holds whole products where one of their rows is wrong", async () => {
    const store = await openDraftStore();
    const file = [
      "Handle;Title;Body (HTML);Option1 Value;Variant SKU;Variant Inventory Qty;Image Src",
      "kod;Kazak;Yün;S;KOD-1;7;https://o.example/1.jpg",
      "kod;;;M;KOD-2;sekiz;https://o.example/2.jpg",
      "tek;Atkı;İpek;Default Title;KOD-3;9;https://o.example/4.jpg",
      "",
    ].join("\n");

    const again = await uploadAgain(store, await store.draft(file, "shop.csv"), "errors");

    expect((await cellsOf(again, 5)).map((cells) => cells[4])).toEqual(["KOD-1", "KOD-2"]);
    expect(await codesOf(again)).toEqual([[], ["E_NOT_A_NUMBER"]]);
  });

  it("is not written before the rows are checked", async () => {
    const { folder, draft } = await openDraftStore();
    const live = await draft("Bir;İki\nx;y\n");

    const written = live.write({ path: join(folder, "yok.xlsx"), lang: "tr", rows: "all" });

    await expect(written).rejects.toMatchObject({ code: "E_DRAFT_UNREADY" });
  });
});
