import { rmSync } from "node:fs";
import { join } from "node:path";

import { InputError } from "@catalog/i18n";
import { streamXlsx } from "@catalog/sheets";
import { describe, expect, it } from "vitest";

import { readDefaultValues } from "../../src/columns/column-profiles.ts";
import { type LiveDraft, openDrafts } from "../../src/drafts/drafts.ts";
import { openDraftStore } from "./helpers/open-test-draft.ts";

describe("columns of a draft", () => {
  it("are read without one of two with the same header once a person has left it out", async () => {
    const { draft, plan, decisions } = await openDraftStore();
    const live = await draft("Ürün Kodu;Stok;Stok\nKOD-1;7;8\n");
    const before = await live.details();

    await live.setColumns({ version: 1 }, { leftOut: [1] });
    await live.check();

    expect(before).toMatchObject({
      state: "columns",
      columns: { problems: [{ code: "E_HEADER_DUP" }] },
    });
    expect(before.columns?.problems[0]?.message.tr).toMatch(/Hangisinin kullanılacağını seçin/u);
    expect(before.columns?.columns.slice(1)).toMatchObject([
      { confidence: "open", reason: { tr: "Aynı başlık birden çok sütunda var." } },
      { confidence: "open", reason: { tr: "Aynı başlık birden çok sütunda var." } },
    ]);
    expect((await live.details()).columns?.columns[2]?.confidence).toBe("sure");
    expect(await live.details()).toMatchObject({ state: "ready", counts: { errors: 0 } });
    expect((await live.details()).columns?.columns[1]).toMatchObject({
      header: "Stok",
      field: "-",
    });
    expect(await decisions(await plan(live))).toMatchObject([{ payload: { stock_count: 8 } }]);
  });

  it("say which are for one store only, and edits of either are honoured", async () => {
    const { draft, plan, decisions } = await openDraftStore(["ankara", "merkez"]);
    const live = await draft(
      "Ürün Kodu;Stok;Stok [ankara];Stok [merkez];Fiyat [ankara]\nKOD-1;7;;3;10,00\nKOD-2;8;bir;3;12,00\n",
    );

    const columns = (await live.details()).columns?.columns ?? [];
    const [, wrong] = await live.rows([2, 3]);
    await live.edit({ version: 1 }, [
      { row: 2, column: 1, value: "11" },
      { row: 3, column: 2, value: "6" },
    ]);

    expect(columns.map(({ field, label, reason }) => [field, label.tr, reason.tr])).toEqual([
      ["product_code", "Ürün Kodu", "Başlık bu alanın kendi adı."],
      ["stock", "Stok", "Başlık bu alanın kendi adı."],
      [
        "store",
        "Stok (yalnız ankara)",
        "Bu mağazada dolu hücreleri “Stok” (B) sütununun yerine geçer.",
      ],
      ["store", "Stok (yalnız merkez)", "Başka bir mağazanın sütunu; bu mağazada kullanılmaz."],
      [
        "price",
        "Fiyat (yalnız ankara)",
        "Yalnız bu mağaza için; bütün mağazalar için bir sütunu yok.",
      ],
    ]);
    expect(wrong?.issues).toMatchObject([{ code: "E_NOT_A_NUMBER", column: 2 }]);
    expect(await decisions(await plan(live))).toMatchObject([
      { payload: { stock_count: 11 } },
      { payload: { stock_count: 6 } },
    ]);
  });

  it("say of a status of Shopify that it tells which rows are on sale", async () => {
    const { draft } = await openDraftStore();
    const live = await draft(
      [
        "Handle;Title;Body (HTML);Vendor;Status;Option1 Name;Option1 Value;Variant SKU;Variant Price;Variant Inventory Qty;Image Src",
        "kupa;Kupa;Kupa;Acme;active;Renk;Mavi;KOD-1;10.00;7;https://a.example/1.jpg",
      ].join("\n"),
    );

    const columns = (await live.details()).columns?.columns ?? [];

    const reasonOf = (header: string) => columns.find((one) => one.header === header)?.reason.tr;
    expect(reasonOf("Status")).toBe(
      "Hangi satırların satışta olduğunu söylüyor; satışta olmayanlar gönderilmez.",
    );
    expect(reasonOf("Option1 Value")).toContain("aynı ürünün seçenekleri");
  });

  it("say what costs and price rules use though it is not sent", async () => {
    const { draft, connection } = await openDraftStore();
    await connection.memory.prices.saveRules([{ number: 1, source: "column:Bayi Net" }]);
    const live = await draft(
      "Ürün Kodu;Stok;Maliyet;Bayi Net;Desi;Sonuç\nKOD-1;7;3,50;4,20;1;gönderildi\n",
    );

    const columns = (await live.details()).columns?.columns ?? [];

    expect(
      columns.map(({ header, field, isUsed, label }) => [header, field, isUsed, label.tr]),
    ).toEqual([
      ["Ürün Kodu", "product_code", false, "Ürün Kodu"],
      ["Stok", "stock", false, "Stok"],
      ["Maliyet", "-", true, "Maliyet"],
      ["Bayi Net", null, true, "Fiyat kuralları"],
      ["Desi", "-", false, "Kullanılmıyor"],
      ["Sonuç", "-", false, "Kullanılmıyor"],
    ]);
    expect(columns[2]?.reason.tr).toContain("maliyetin altında");
  });

  it("change listed products by a text for all rows, and not by a default for new ones", async () => {
    const { draft, plan, decisions, connection } = await openDraftStore();
    const [all, fresh] = [
      await draft("Ürün Kodu;Stok\nKOD-1;7\n"),
      await draft("Ürün Kodu;Stok\nKOD-2;7\n"),
    ];

    await all.setColumns({ version: 1 }, { constants: { shipping_template: "Standart" } });
    await all.check();
    await fresh.setColumns({ version: 1 }, { defaults: { shipping_template: " Standart " } });
    await fresh.check();

    expect((await fresh.details()).columns?.defaults).toEqual({ shipping_template: "Standart" });
    // The small marketplace tells no template of a product, so that the change is only named.
    const [changed] = await decisions(await plan(all));
    expect(changed).toMatchObject({ issues: [{ code: "W_NOT_COMPARABLE" }] });
    const [kept] = await decisions(await plan(fresh));
    expect(kept).toMatchObject({ payload: { stock_count: 7 }, issues: [] });

    await fresh.setColumns({ version: 2 }, { defaults: { shipping_template: "" } });
    expect(await readDefaultValues(connection.memory.profiles)).toEqual(new Map());
  });

  it("give a value to new products of their draft alone, before the store's own", async () => {
    const { draft, connection, plan } = await openDraftStore();
    const table = "Ürün Kodu;Stok\nKOD-1;7\n";
    const [live, later] = [await draft(table), await draft(`${table}KOD-2;3\n`)];

    await live.setColumns({ version: 1 }, { defaults: { shipping_template: "Standart" } });
    await live.check();
    await live.setColumns({ version: 2 }, { forNew: { shipping_template: " Hızlı " } });
    const shown = (await live.details()).columns;
    await live.check();

    expect(shown).toMatchObject({
      defaults: { shipping_template: "Hızlı" },
      forNew: { shipping_template: "Hızlı" },
    });
    await later.setColumns({ version: 1 }, {});
    expect((await later.details()).columns).toMatchObject({
      defaults: { shipping_template: "Standart" },
      forNew: {},
    });
    await plan(live);
    expect(await readDefaultValues(connection.memory.profiles)).toEqual(
      new Map([["shipping_template", "Standart"]]),
    );
    await expect(live.setColumns({ version: 3 }, { forNew: { category: "x" } })).rejects.toThrow(
      InputError,
    );
  });

  it("store no default for a version that somebody changed, or that its field does not take", async () => {
    const { draft, connection } = await openDraftStore();
    const live = await draft("Ürün Kodu;Stok\nKOD-1;7\n");
    const set = (version: number, defaults: Record<string, string>): Promise<void> =>
      live.setColumns({ version }, { defaults });

    await expect(set(2, { shipping_template: "Standart" })).rejects.toMatchObject({
      code: "E_DRAFT_CHANGED",
    });
    await expect(set(1, { category: "Fincan" })).rejects.toThrow(InputError);
    await expect(set(1, { condition: "kırık dökük" })).rejects.toThrow(InputError);

    expect(await readDefaultValues(connection.memory.profiles)).toEqual(new Map());
    expect(await live.details()).toMatchObject({ version: 1, state: "ready" });
  });

  it("have the field that the cells of an unknown header may be", async () => {
    const { draft } = await openDraftStore();

    const live = await draft("Ürün Kodu;Tutar bilgisi\nKOD-1;349,90 TL\nKOD-2;19,90 TL\n");

    expect((await live.details()).columns?.columns[1]).toMatchObject({
      field: null,
      guess: "price",
    });
  });

  it("that differ for each product take no text for all rows", async () => {
    const { draft } = await openDraftStore();

    const live = await draft("Ürün Kodu;Stok\nKOD-1;7\n");
    const missing = (await live.details()).columns?.missing ?? [];

    const isForAll = Object.fromEntries(missing.map(({ key, isForAll: can }) => [key, can]));
    expect(isForAll).toMatchObject({ title: false, category: true });
  });
});

describe("the reading of a draft", () => {
  it("stays as it is where the file is gone, and names the file and the next step", async () => {
    const { draft, folder } = await openDraftStore();
    const live = await draft("Ürün Kodu;Stok\nKOD-1;7\n", "liste.csv");
    rmSync(join(folder, "liste.csv"));

    const change = live.setReading({ version: 1 }, { delimiter: "," });

    await expect(change).rejects.toThrow("“liste.csv” was deleted from the server");
    expect(await live.details()).toMatchObject({ state: "ready", version: 1, counts: { rows: 1 } });
  });

  it("offers no encodings for a file with the mark of UTF-8, as pasted cells have it", async () => {
    const { draft } = await openDraftStore();

    const live = await draft("\uFEFFÜrün Kodu;Stok\nKOD-1;7\n");

    expect((await live.details()).reading).toMatchObject({
      encoding: { value: "utf-8", isGuessed: true },
      encodings: [],
    });
  });

  it("says the encoding of a file that was read at once, with others to choose from", async () => {
    const { draft } = await openDraftStore();
    const live = await draft("Ürün Kodu;Stok\nKOD-1;7\n");
    const { reading } = await live.details();

    await live.setReading({ version: 1 }, { encoding: "windows-1254" });
    await live.check();

    expect(reading.encoding).toEqual({ value: "utf-8", isGuessed: true });
    expect(reading.encodings.map(({ encoding }) => encoding)).toContain("cp857");
    const { encoding } = (await live.details()).reading;
    expect(encoding).toEqual({ value: "windows-1254", isGuessed: false });
  });

  it.each([
    ["bos.csv", "", true],
    ["belge.csv", "%PDF-1.7\n", true],
    ["liste.csv", "Ürün Kodu;Stok\nKOD-1;7\n", false],
  ])("of %s is unusable: %s", async (name, text, isUnusable) => {
    const { draft, connection } = await openDraftStore();

    const live = await draft(text, name);

    expect((await live.details()).reading.isUnusable).toBe(isUnusable);
    expect(await openDrafts(connection).list()).toMatchObject([{ isUnusable }]);
  });
});

const SHEET = "Ürün Kodu;Fiyat;Stok\nKOD-1;5;8\nKOD-2;5;9;fazla\nKOD-3;5;8\nKOD-4;5;8\nKOD-5;5;8\n";
const TITLE = 4;

const toTitle = { field: "title", lang: "tr" } as const;

const cellsOf = async (live: LiveDraft): Promise<readonly (readonly string[])[]> =>
  (await live.rows([2, 3])).map(({ cells }) => cells);

describe("a column that the file lacks", () => {
  it("is added after all cells of the file, and its cells are edited, planned and written", async () => {
    const { draft, plan, connection } = await openDraftStore();
    const live = await draft("Ürün Kodu;Stok\nKOD-1;8\n");

    const added = await live.addColumn({ version: 1 }, toTitle);
    await live.edit({ version: added.version }, [{ row: 2, column: 2, value: "Mavi Çanta" }]);
    const opened = await openDrafts(connection).open(live.id);
    const columns = (await opened.details()).columns?.columns;
    const run = await plan(opened);
    const [row] = await connection.journal.readRows(run.id, { limit: 10 });

    expect(columns?.map(({ header, field }) => [header, field])).toEqual([
      ["Ürün Kodu", "product_code"],
      ["Stok", "stock"],
      ["Başlık", "title"],
    ]);
    expect(run.file).toMatchObject({ header: ["Ürün Kodu", "Stok", "Başlık"], added: 1 });
    expect(row?.changes).toContainEqual(expect.objectContaining({ field: "title" }));
  });

  it("is taken back by undo and comes again by redo, with its cells", async () => {
    const { draft } = await openDraftStore();
    const live = await draft("Ürün Kodu;Stok\nKOD-1;8\n");
    await live.addColumn({ version: 1 }, toTitle);
    await live.edit({ version: 2 }, [{ row: 2, column: 2, value: "Mavi Çanta" }]);

    await live.undo({ version: 3 });
    await live.undo({ version: 4 });
    const without = (await live.rows([2]))[0]?.cells;
    const count = (await live.details()).columns?.columns.length;
    await live.redo({ version: 5 });
    await live.redo({ version: 6 });

    expect({ without, count }).toEqual({ without: ["KOD-1", "8"], count: 2 });
    expect((await live.rows([2]))[0]?.cells).toEqual(["KOD-1", "8", "Mavi Çanta"]);
  });

  it("does not make whole a row whose cells may have slipped", async () => {
    const { draft } = await openDraftStore();
    const live = await draft(SHEET);

    await live.addColumn({ version: 1 }, toTitle);
    await live.edit({ version: 2 }, [
      { row: 2, column: TITLE, value: "A" },
      { row: 3, column: TITLE, value: "B" },
    ]);
    const codes = (await live.rows([2, 3])).map(({ issues }) => issues.map(({ code }) => code));

    expect(await cellsOf(live)).toEqual([
      ["KOD-1", "5", "8", "", "A"],
      ["KOD-2", "5", "9", "fazla", "B", ""],
    ]);
    expect(codes).toEqual([[], ["E_COLUMN_COUNT"]]);
  });

  it("is refused for a field that has a column, and for what is no field", async () => {
    const { draft } = await openDraftStore();
    const live = await draft("Ürün Kodu;Stok\nKOD-1;8\n");

    const add = (field: string): Promise<unknown> =>
      live.addColumn({ version: 1 }, { field, lang: "tr" });

    await expect(add("stock")).rejects.toThrow("the field has a column");
    await expect(add("renk")).rejects.toThrow("there is no such field");
  });
});

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
