import { join } from "node:path";

import { streamXlsx } from "@catalog/sheets";
import { describe, expect, it } from "vitest";

import { type LiveDraft, openDrafts } from "../../src/drafts/drafts.ts";
import { openDraftStore } from "./helpers/open-test-draft.ts";

const SHEET = "Ürün Kodu;Stok;Başlık\nKOD-1;7;Fincan\nKOD-2;beş;Tabak\nKOD-3;9;Işıklı tabak\n";

/** Codes of issues by row. */
async function issuesOf(draft: LiveDraft): Promise<Readonly<Record<number, readonly string[]>>> {
  const rows = await draft.rows([...(await draft.order())]);
  return Object.fromEntries(rows.map(({ row, issues }) => [row, issues.map(({ code }) => code)]));
}

const node = (name: string, code: string): string =>
  `<${name}><Urun_Kodu>${code}</Urun_Kodu><Stok>7</Stok></${name}>`;

describe("openDraft", () => {
  it("shows every row with its issues at their cells", async () => {
    const { draft } = await openDraftStore();

    const live = await draft(SHEET);

    expect(await live.details()).toMatchObject({
      state: "ready",
      version: 1,
      counts: { rows: 3, errors: 1, edited: 0, excluded: 0 },
      canUndo: false,
      canRedo: false,
    });
    expect([...(await live.order({ show: "errors" }))]).toEqual([3]);
    const [row] = await live.rows([3]);
    expect(row).toMatchObject({ row: 3, name: "3", cells: ["KOD-2", "beş", "Tabak"] });
    expect(row?.issues.map(({ column, severity }) => [column, severity])).toEqual([[1, "error"]]);
  });

  it("checks a row again when its cell is corrected", async () => {
    const { draft } = await openDraftStore();
    const live = await draft(SHEET);

    const result = await live.edit({ version: 1 }, [{ row: 3, column: 1, value: "5" }]);

    expect(result).toMatchObject({ version: 2, isAll: true, counts: { errors: 0, edited: 1 } });
    expect(result.rows).toMatchObject([{ row: 3, cells: ["KOD-2", "5", "Tabak"], edited: [1] }]);
    expect(result.canUndo).toBe(true);
  });

  it("refuses the change of a tab that has not seen the latest one, and writes nothing", async () => {
    const { draft } = await openDraftStore();
    const live = await draft(SHEET);
    await live.edit({ version: 1 }, [{ row: 3, column: 1, value: "5" }]);

    const second = live.edit({ version: 1 }, [{ row: 2, column: 1, value: "1" }]);

    await expect(second).rejects.toMatchObject({ code: "E_DRAFT_CHANGED" });
    expect(await live.rows([2])).toMatchObject([{ cells: ["KOD-1", "7", "Fincan"], edited: [] }]);
  });

  it("takes edits back and does them again, until a new edit forgets them", async () => {
    const { draft } = await openDraftStore();
    const live = await draft(SHEET);
    await live.edit({ version: 1 }, [{ row: 3, column: 1, value: "5" }]);
    await live.edit({ version: 2 }, [{ row: 3, column: 1, value: "6" }]);

    const cell = async (): Promise<string | undefined> => (await live.rows([3]))[0]?.cells[1];
    const seen = [await cell()];
    await live.undo({ version: 3 });
    seen.push(await cell());
    await live.undo({ version: 4 });
    seen.push(await cell());
    await live.redo({ version: 5 });
    seen.push(await cell());
    const { canRedo } = await live.edit({ version: 6 }, [{ row: 2, column: 1, value: "1" }]);

    expect(seen).toEqual(["6", "5", "beş", "5"]);
    expect(canRedo).toBe(false);
  });

  it("checks all rows with a code that an edit gives or takes", async () => {
    const { draft } = await openDraftStore();
    const live = await draft(SHEET);

    const same = await live.edit({ version: 1 }, [{ row: 4, column: 0, value: "KOD-1" }]);
    const apart = await live.edit({ version: 2 }, [{ row: 4, column: 0, value: "KOD-4" }]);

    expect(same.rows.map(({ row }) => row)).toEqual([2, 4]);
    expect(same.rows.every(({ issues }) => issues[0]?.code === "E_CODE_DUPLICATE")).toBe(true);
    expect(apart.rows.map(({ row, issues }) => [row, issues.length])).toEqual([
      [2, 0],
      [4, 0],
    ]);
  });

  it("warns of rows that say the same, of which the first is sent", async () => {
    const { draft } = await openDraftStore();

    const live = await draft(`${SHEET}KOD-1;7;Fincan\nKOD-3;8;Tabak\n`);

    const numbers = await live.order({ code: "E_CODE_DUPLICATE" });
    const found = (await live.rows([...numbers])).map(({ row, issues }) => [
      row,
      issues[0]?.severity,
    ]);
    expect(found).toEqual([
      [4, "error"],
      [5, "warning"],
      [6, "error"],
    ]);
  });

  it("does not compare a row with one that is left out", async () => {
    const { draft } = await openDraftStore();
    const live = await draft(`${SHEET}KOD-3;8;Tabak\n`);

    const result = await live.exclude({ version: 1 }, { rows: [5], isExcluded: true });

    expect(result.rows.map(({ row, issues }) => [row, issues])).toEqual([
      [4, []],
      [5, []],
    ]);
  });

  it("leaves rows out, and takes them in again", async () => {
    const { draft } = await openDraftStore();
    const live = await draft(SHEET);

    const out = await live.exclude({ version: 1 }, { rows: [3], isExcluded: true });
    const back = await live.undo({ version: 2 });

    expect(out.counts).toMatchObject({ rows: 2, errors: 0, excluded: 1 });
    expect(out.rows).toMatchObject([{ isExcluded: true, issues: [] }]);
    expect(back.counts).toMatchObject({ rows: 3, errors: 1, excluded: 0 });
  });

  it("finds text whatever its case and its kind of i", async () => {
    const { draft } = await openDraftStore();
    const live = await draft(SHEET);

    expect([...(await live.order({ text: "ISIK" }))]).toEqual([4]);
    expect([...(await live.order({ text: "kod-2" }))]).toEqual([3]);
    expect([...(await live.order({ text: "yok" }))]).toEqual([]);
  });

  it("lets a row with too many cells be corrected", async () => {
    const { draft } = await openDraftStore();
    const rows = Array.from({ length: 10 }, (_, at) => `A-${at};1;Tabak\n`).join("");
    const live = await draft(`Ürün Kodu;Stok;Başlık\n${rows}B-1;2;Fincan;mavi\nB-2;3\n`);
    expect(await issuesOf(live)).toMatchObject({ 12: ["E_COLUMN_COUNT"], 13: [] });

    const result = await live.edit({ version: 1 }, [
      { row: 12, column: 2, value: "Fincan mavi" },
      { row: 12, column: 3, value: "" },
    ]);

    expect(result.rows).toMatchObject([{ cells: ["B-1", "2", "Fincan mavi"], issues: [] }]);
  });

  it("says why a file cannot be read, also where it is opened later", async () => {
    const { connection, draftOf, write } = await openDraftStore();

    const live = await draftOf(write("bos.csv", ""));
    const later = await openDrafts(connection).open(live.id);

    for (const opened of [live, later]) {
      expect(await opened.details()).toMatchObject({
        state: "reading",
        columns: null,
        counts: null,
        reading: { problem: { code: "E_FILE_EMPTY" } },
      });
      expect(await opened.renew()).toBe(false);
    }
  });

  it("takes up what another process has found, for which changes wait", async () => {
    const { connection, draft } = await openDraftStore();
    const { id } = await draft(SHEET);
    const other = await openDrafts(connection).open(id);
    await other.setReading({ version: 1 }, { headerRow: 1 });
    let checks = 0;
    const live = await openDrafts(connection).open(id, {
      async checkElsewhere(options) {
        checks += 1;
        await other.check(options);
      },
    });

    const checked = live.check();
    const edited = await live.edit({ version: 2 }, [{ row: 3, column: 1, value: "5" }]);
    await checked;
    await live.check();

    expect(edited.rows).toMatchObject([{ row: 3, issues: [] }]);
    expect(await live.details()).toMatchObject({ state: "ready", version: 3 });
    expect(checks).toBe(1);
  });

  it("has to be checked where a check was cut off, wherever it stood", async () => {
    const { connection, draft } = await openDraftStore();
    const live = await draft(SHEET);
    await live.setReading({ version: 1 }, { headerRow: 1 });

    const reading = await live.renew();
    await connection.memory.drafts.update(live.id, { state: "checking" });
    const checking = await live.renew();
    await live.check();

    expect([reading, checking, await live.renew()]).toEqual([true, true, false]);
  });

  it.each([
    ["liste.fods", "ods"],
    ["liste.xlsm", "xlsx"],
    ["liste.txt", "csv"],
  ])("knows what %s is before it can be read", async (name, kind) => {
    const { draftOf, write } = await openDraftStore();

    const live = await draftOf(write(name, ""));

    expect((await live.details()).reading).toMatchObject({
      kind,
      problem: { code: "E_FILE_EMPTY" },
    });
  });

  it("asks for the sheet of a workbook, and reads it once it is given", async () => {
    const { draftOf, folder } = await openDraftStore();
    const path = join(folder, "liste.xlsx");
    const columns = [{ header: "Ürün Kodu" }, { header: "Stok" }];
    const sheets = [
      { name: "Ürünler", columns, rows: [["KOD-9", 5]] },
      { name: "Aksesuarlar", columns, rows: [["KOD-1", 7.5]] },
    ];
    await streamXlsx({ path, sheets });

    const live = await draftOf(path);
    const { reading } = await live.details();
    await live.setReading({ version: 1 }, { sheet: "Aksesuarlar" });
    await live.check();

    expect(reading).toMatchObject({
      kind: "xlsx",
      sheets: [
        { name: "Ürünler", rows: 2 },
        { name: "Aksesuarlar", rows: 2 },
      ],
      sheet: null,
      problem: { code: "E_SHEET_CHOICE" },
    });
    expect(await live.details()).toMatchObject({
      state: "ready",
      reading: {
        sheet: { value: ["Aksesuarlar"], isGuessed: false },
        headerRow: { value: 1, isGuessed: true },
        problem: null,
      },
    });
    expect(await live.rows([...(await live.order())])).toMatchObject([{ cells: ["KOD-1", "7.5"] }]);
  });

  it("reads the record of XML that a person chooses", async () => {
    const { draftOf, write } = await openDraftStore();
    const urunler = node("Urun", "KOD-1") + node("Urun", "KOD-2");
    const document = `<K>${urunler}${node("Set", "S-1")}${node("Set", "S-2")}</K>`;

    const live = await draftOf(write("katalog.xml", document));
    const { reading } = await live.details();
    await live.setReading({ version: 1 }, { sheet: "K/Urun" });
    await live.check();

    expect(reading).toMatchObject({
      kind: "xml",
      sheets: [
        { name: "K/Urun", rows: 2, hasProducts: true },
        { name: "K/Set", rows: 2 },
      ],
      sheet: null,
      problem: { code: "E_RECORD_CHOICE" },
    });
    expect(await live.details()).toMatchObject({
      state: "ready",
      reading: { kind: "xml", sheet: { value: ["K/Urun"], isGuessed: false }, problem: null },
    });
    const rows = await live.rows([...(await live.order())]);
    expect(rows).toMatchObject([{ cells: ["KOD-1", "7"] }, { cells: ["KOD-2", "7"] }]);
  });

  it("reads another row of headers, and forgets the edits of the cells before", async () => {
    const { draft } = await openDraftStore();
    const live = await draft(`Liste;;\n${SHEET}`);
    expect((await live.details()).reading).toMatchObject({
      headerRow: { value: 2, isGuessed: true },
      preview: [{ row: 1, cells: ["Liste", "", ""] }, { row: 2 }, { row: 3 }, {}, {}],
    });
    await live.edit({ version: 1 }, [{ row: 4, column: 1, value: "5" }]);

    await live.setReading({ version: 2 }, { headerRow: 3 });
    await live.check();

    expect(await live.details()).toMatchObject({ version: 3, canUndo: false, canRedo: false });
    expect((await live.details()).reading.headerRow).toEqual({ value: 3, isGuessed: false });
  });

  it("checks again with another field for a column", async () => {
    const { draft } = await openDraftStore();
    const live = await draft("Kod;Stok\nKOD-1;7\n".replace("Kod", "Xyz"));
    expect(await live.details()).toMatchObject({ state: "columns", counts: null });

    await live.setColumns({ version: 1 }, { columns: { Xyz: "product_code" } });
    await live.check();

    expect(await live.details()).toMatchObject({
      state: "ready",
      version: 2,
      counts: { errors: 0 },
    });
    expect((await live.details()).columns?.columns[0]).toMatchObject({
      field: "product_code",
      confidence: "sure",
      isChosen: true,
    });
  });

  it("replaces text in all cells", async () => {
    const { draft } = await openDraftStore();
    const live = await draft(SHEET);
    const change = { kind: "replace", find: "TABAK", replace: "Kase" } as const;

    const preview = await live.previewBulk({ change, scope: {} }, "tr");
    const result = await live.bulk({ version: 1 }, { change, scope: {} }, "tr");

    expect(preview).toMatchObject({ cells: 2, rows: 2, isTooMany: false });
    expect(result.rows.map(({ cells }) => cells[2])).toEqual(["Kase", "Işıklı Kase"]);
  });

  it("goes on with a draft that another process had open", async () => {
    const { draft, connection } = await openDraftStore();
    const first = await draft(SHEET);

    const live = await openDrafts(connection).open(first.id);
    const result = await live.edit({ version: 1 }, [{ row: 3, column: 1, value: "5" }]);

    expect(await live.details()).toMatchObject({ state: "ready" });
    expect(result.counts.errors).toBe(0);
  });
});

it("refuses a file that has nothing below its header, and takes another header row", async () => {
  const { draft } = await openDraftStore();

  const live = await draft("Ürün Kodu;Stok\n");
  const { reading, state, columns, counts } = await live.details();

  expect(reading).toMatchObject({ problem: { code: "E_ROWS_NONE" }, isUnusable: false });
  expect(reading.problem?.message.tr).toContain("Dosyada başlıktan başka satır yok.");
  expect([state, columns, counts]).toEqual(["reading", null, null]);
});

it("forgets the header row of a sheet when another one is read, and keeps the list of sheets", async () => {
  const { draftOf, folder } = await openDraftStore();
  const path = join(folder, "sayfalar.xlsx");
  const columns = [{ header: "Ürün Kodu" }, { header: "Stok" }];
  const sheets = ["Yaz", "Kış"].map((name) => ({ name, columns, rows: [["A-1", 5]] }));
  await streamXlsx({ path, sheets });
  const live = await draftOf(path);
  await live.setReading({ version: 1 }, { sheet: "Yaz", headerRow: 9 });
  await live.check();
  const { problem, sheets: listed, isUnusable } = (await live.details()).reading;

  await live.setReading({ version: 2 }, { sheet: ["Yaz", "Kış"] });
  await live.check();

  expect([problem?.code, listed.length, isUnusable]).toEqual(["E_HEADER_ROW", 2, false]);
  expect((await live.details()).reading).toMatchObject({
    problem: null,
    headerRow: { value: 1, isGuessed: true },
    sheet: { value: ["Yaz", "Kış"] },
  });
});
