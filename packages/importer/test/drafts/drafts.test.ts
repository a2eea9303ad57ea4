import { join } from "node:path";

import { writeTemplate } from "@catalog/sheets";
import { describe, expect, it } from "vitest";

import type { LiveDraft } from "../../src/drafts/drafts.ts";
import { assertPlanCurrent } from "../../src/plan/plan-basis.ts";
import { type DraftStore, openDraftStore } from "./helpers/open-test-draft.ts";

const SHEET = "Ürün Kodu;Stok;Başlık\nKOD-1;7;Fincan\nKOD-2;beş;Tabak\nKOD-3;9;Kase\n";

describe("planDraft", () => {
  it("plans the cells as they were corrected, as a file with these cells", async () => {
    const { draft, plan, planText, decisions } = await openDraftStore();
    const live = await draft(SHEET);
    await live.edit({ version: 1 }, [{ row: 3, column: 1, value: "5" }]);

    const [ours, file] = [await plan(live), await planText(SHEET.replace("beş", "5"))];

    expect(await decisions(ours)).toEqual(await decisions(file));
    expect(ours.progress.draft).toEqual({ id: live.id, version: 2, excluded: 0 });
    expect((await live.details()).run).toEqual({ id: ours.id, isCurrent: true });
  });

  it("leaves excluded rows out and says how many there are", async () => {
    const { draft, plan, decisions } = await openDraftStore();
    const live = await draft(SHEET);
    await live.exclude({ version: 1 }, { rows: [3, 4], isExcluded: true });

    const run = await plan(live);

    expect(await decisions(run)).toMatchObject([{ row: 2 }]);
    expect(run.warnings).toMatchObject([
      {
        code: "W_ROWS_EXCLUDED",
        message: { tr: "Taslakta 2 satır çıkarıldı; bu satırlar planda yok." },
      },
    ]);
  });

  it("refuses a plan whose draft was changed afterwards", async () => {
    const { draft, plan, connection } = await openDraftStore();
    const live = await draft(SHEET);
    const run = await plan(live);
    await assertPlanCurrent(connection, run);

    await live.edit({ version: 1 }, [{ row: 3, column: 1, value: "5" }]);

    await expect(assertPlanCurrent(connection, run)).rejects.toMatchObject({
      code: "E_PLAN_DRAFT",
    });
    expect((await live.details()).run).toEqual({ id: run.id, isCurrent: false });
  });

  it("refuses a draft whose columns are not settled", async () => {
    const { draft, plan } = await openDraftStore();
    const live = await draft("Xyz;Stok\nKOD-1;7\n");

    await expect(plan(live)).rejects.toMatchObject({ code: "E_DRAFT_UNREADY" });
  });
});

const WORKBOOK_SHEET = [
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
    const live = await store.draft(WORKBOOK_SHEET);
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

    const again = await uploadAgain(store, await store.draft(WORKBOOK_SHEET));

    const [, row] = await again.rows([...(await again.order())]);
    expect(row?.cells[5]).toBe("B3: “beş” bir adet olarak okunamadı.");
  });

  it("holds the failing rows alone, which stay wrong until they are changed", async () => {
    const store = await openDraftStore();
    const live = await store.draft(WORKBOOK_SHEET);

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

    const again = await uploadAgain(store, await store.draft(WORKBOOK_SHEET), "errors");

    expect(await codesOf(again)).toEqual([["E_NOT_A_NUMBER"], ["E_ROW_UNCHANGED"]]);
  });

  it("writes the columns of an earlier workbook anew", async () => {
    const store = await openDraftStore();
    const once = await uploadAgain(store, await store.draft(WORKBOOK_SHEET));
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

const column = (
  key: string,
  header: string,
): Parameters<typeof writeTemplate>[0]["columns"][number] => ({
  key,
  header,
  required: false,
  kind: "text",
  note: "",
});

/** A filled-in template, whose hidden second row holds the machine keys. */
async function openTemplate({ folder, draftOf }: DraftStore): Promise<LiveDraft> {
  const path = join(folder, "sablon.xlsx");
  await writeTemplate({
    path,
    dataSheet: "Ürünler",
    guideSheet: { name: "Rehber", header: ["Sütun"], rows: [] },
    columns: [column("product_code", "Ürün Kodu"), column("stock", "Stok")],
    lists: [],
    meta: {},
    rows: [["KOD-1", "7"]],
  });
  return await draftOf(path);
}

it("shows no machine keys among the samples of a column", async () => {
  const live = await openTemplate(await openDraftStore());

  const columns = (await live.details()).columns?.columns.map(({ samples }) => samples);

  expect([...(await live.order())]).toEqual([3]);
  expect(columns).toEqual([["KOD-1"], ["7"]]);
});

it("does not warn of the hidden row of machine keys when it is planned", async () => {
  const store = await openDraftStore();

  const run = await store.plan(await openTemplate(store));

  expect(run.warnings.map(({ code }) => code)).not.toContain("W_HIDDEN_ROWS");
});
