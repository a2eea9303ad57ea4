import { join } from "node:path";

import { NetworkError } from "@catalog/client/errors";
import { idSchemas } from "@catalog/contract";
import { createNameIndexes, type NameIndexes, proposeFixes } from "@catalog/mapping";
import { streamXlsx } from "@catalog/sheets";
import { describe, expect, it } from "vitest";

import { listCategoryChoices } from "../../src/drafts/draft-names.ts";
import type { DraftIssue } from "../../src/drafts/draft-views.ts";
import type { LiveDraft } from "../../src/drafts/drafts.ts";
import { openDraftStore } from "./helpers/open-test-draft.ts";

/** Values that would correct the cells of a row, by the code of their issue. */
async function fixesOf(
  draft: LiveDraft,
  row: number,
): Promise<Readonly<Record<string, DraftIssue["fixes"]>>> {
  const [found] = await draft.rows([row]);
  return Object.fromEntries((found?.issues ?? []).map(({ code, fixes }) => [code, fixes]));
}

const ID = "5f0000000000000000000001";

/** A price in a column that does not tell its decimal sign. */
const amount = (tr: string, en: string) => ({ tr, en });

const months = (count: number) => ({ tr: `${count} Ay`, en: `${count} months` });

it.each([
  ["1234567890123", "0.00E+00", ["1234567890123"]],
  ["1234567890123456", "0.00E+00", []],
  ["45000", "dd.mm.yyyy", []],
])("fixes of a cell whose format shows something else are for %s in %s", (text, format, fixes) => {
  const known = { choices: [], codes: [], codeWithZeros: undefined, nearModel: undefined };
  const cell = { field: "title", ...known };

  expect(
    proposeFixes({ ...cell, text, format, issue: { code: "E_CELL_FORMAT", value: text } }),
  ).toEqual(fixes);
});

describe("fixes of a cell", () => {
  it.each([
    ["Para Birimi", "TRYY", "E_VALUE_UNKNOWN", ["TL", "USD", "EUR"]],
    [
      "Durum (Sıfır/İkinci El)",
      "açık kutu",
      "E_VALUE_UNKNOWN",
      [
        { tr: "Sıfır", en: "New" },
        { tr: "İkinci El", en: "Used" },
      ],
    ],
    ["Stok", "-3", "E_STOCK_NEGATIVE", ["0"]],
    ["Stok", "2 koli", "E_NOT_A_NUMBER", []],
    ["Stok", "var", "E_NOT_A_NUMBER", []],
    ["Stok", "12.000", "E_NUMBER_AMBIGUOUS", ["12000", "12"]],
    ["Stok", "1.250", "E_NUMBER_AMBIGUOUS", ["1250"]],
    ["Satış Fiyatı", "yok", "E_NOT_A_NUMBER", []],
    [
      "Satış Fiyatı",
      "1.250",
      "E_NUMBER_AMBIGUOUS",
      [amount("1.250,00", "1,250.00"), amount("1,25", "1.25")],
    ],
    ["Satış Fiyatı", "12,3456", "E_PRICE_PRECISION", ["12,35", "12,34"]],
    ["Satış Fiyatı", "0,0041", "E_PRICE_PRECISION", ["0,01"]],
    ["Satış Fiyatı", "1.299 TL", "E_NUMBER_AMBIGUOUS", [amount("1.299,00 TL", "1,299.00 TL")]],
    ["Başlık", "Masa &amp; sandalye", "W_TEXT_CODES", ["Masa & sandalye"]],
    ["Görsel 1", "www.ornek.com/a/1.jpg", "E_IMAGE_URL", ["https://www.ornek.com/a/1.jpg"]],
    ["Başlık", "<SİL>", "E_CLEAR_REQUIRED", [""]],
  ])("are the values for %s “%s”", async (header, text, code, fixes) => {
    const { draft } = await openDraftStore();

    const live = await draft(`Ürün Kodu;${header}\nKOD-1;"${text}"\n`);

    expect(await fixesOf(live, 2)).toEqual({ [code]: fixes });
  });

  it.each([
    [["12,50", "7,25", "1299.9"], "E_NUMBER_MIXED", ["1299,9"]],
    [["12.50", "7.25", "1.299,90 TL"], "E_NUMBER_MIXED", ["1299.90 TL"]],
    [["12.50", "7.25", "3,5", "1.250"], "E_NUMBER_AMBIGUOUS", ["1,250.00", "1.25"]],
    [["12.50", "3,5", "1.250"], "E_NUMBER_AMBIGUOUS", ["1250"]],
    [["12.50", "1299,9"], "E_NUMBER_MIXED", []],
    [["12.50", "7.25", "1.299"], "E_PRICE_PRECISION", ["1,299.00", "1.30", "1.29"]],
  ])("write the last number as the column %j does", async (prices, code, fixes) => {
    const { draft } = await openDraftStore();
    const rows = prices.map((price, at) => `KOD-${at};"${price}"\n`);
    const live = await draft(`Ürün Kodu;Satış Fiyatı\n${rows.join("")}`);
    const last = prices.length + 1;

    const found = await fixesOf(live, last);
    const edits = fixes.map((value) => [{ row: last, column: 1, value }]);
    const left: number[] = [];
    for (const [at, edit] of edits.entries()) {
      const { rows: edited } = await live.edit({ version: at + 1 }, edit);
      left.push(edited[0]?.issues.length ?? -1);
    }

    expect(found).toEqual({ [code]: fixes });
    expect(left).toEqual(fixes.map(() => 0));
  });

  it.each(["1.299,00", "1,299.00"])("correct a price of 1.299 as %s", async (value) => {
    const { draft } = await openDraftStore();
    const live = await draft("Ürün Kodu;Satış Fiyatı\nKOD-1;1.299\n");

    const result = await live.edit({ version: 1 }, [{ row: 2, column: 1, value }]);

    expect(result.counts).toMatchObject({ errors: 0, warnings: 0 });
  });

  it.each([
    ["12.50", "1111,50", "1299.90", "1111.50"],
    ["12,50", "1111.50", "1299,90", "1111,50"],
  ])(
    "write in a column like %s what was typed as %s in the way of the example",
    async (price, value, example, fix) => {
      const { draft } = await openDraftStore();
      const live = await draft(`Ürün Kodu;Satış Fiyatı\nKOD-1;${price}\nKOD-2;${price}\n`);

      const { rows } = await live.edit({ version: 1 }, [{ row: 3, column: 1, value }]);

      const row = rows.find((each) => each.row === 3);
      expect(row?.issues).toMatchObject([{ code: "E_NUMBER_MIXED", fixes: [fix] }]);
      expect(row?.issues[0]?.suggestion?.tr).toContain(`örneğin ${example}.`);
      expect(row?.issues[0]?.suggestion?.en).toContain(`such as ${example}.`);
    },
  );

  it("correct the issue when they are put into the cell", async () => {
    const { draft } = await openDraftStore();
    const live = await draft("Ürün Kodu;Satış Fiyatı;Para Birimi\nKOD-1;1.299;TRYY\n");

    const result = await live.edit({ version: 1 }, [
      { row: 2, column: 1, value: "1299" },
      { row: 2, column: 2, value: "TL" },
    ]);

    expect(result.counts).toMatchObject({ errors: 0, warnings: 0 });
  });

  it("are the periods that agree with the type of a warranty", async () => {
    const { draft } = await openDraftStore();

    const live = await draft(
      "Ürün Kodu;Garanti Tipi;Garanti Süresi\nKOD-1;Garantisiz;12\nKOD-2;Servis;0\n",
    );

    expect(await fixesOf(live, 2)).toEqual({ E_WARRANTY: [months(0)] });
    expect(await fixesOf(live, 3)).toEqual({ E_WARRANTY: [months(12), months(24), months(36)] });
  });

  it("are the other spelling of codes that look alike", async () => {
    const { draft } = await openDraftStore();

    const live = await draft("Ürün Kodu;Stok\nSIP-1;1\nSİP-1;2\n");

    expect(await fixesOf(live, 2)).toEqual({ E_CODE_SUSPECT: ["SİP-1"] });
    expect(await fixesOf(live, 3)).toEqual({ E_CODE_SUSPECT: ["SIP-1"] });
  });

  it("are the spelling of a code that the store has shown, in place of a code that it has not", async () => {
    const { draft, planText } = await openDraftStore();
    await planText("Ürün Kodu;Stok\nKOD-1;7\n");

    const live = await draft("Ürün Kodu;Stok\nKOD1;8\nYOK-1;9\n");
    const [alike] = await live.rows([2]);

    expect(alike?.issues).toMatchObject([{ severity: "warning", column: 0 }]);
    expect(alike?.issues[0]?.message.tr).toContain("mağazada “KOD-1” var");
    expect(await fixesOf(live, 2)).toEqual({ E_CODE_SUSPECT: ["KOD-1"] });
    expect(await fixesOf(live, 3)).toEqual({ E_CODE_ABSENT: [] });
  });

  it("give a code its lost zeros back, or keep it as a text", async () => {
    const { draftOf, folder } = await openDraftStore();
    const path = join(folder, "kodlar.xlsx");
    const columns = [{ header: "Ürün Kodu" }, { header: "Stok" }];
    const rows = [
      ["00123", 5],
      [456, 7],
    ];
    await streamXlsx({ path, sheets: [{ name: "Ürünler", columns, rows }] });

    const live = await draftOf(path);
    const fixes = await fixesOf(live, 3);
    const result = await live.edit({ version: 1 }, [{ row: 3, column: 0, value: "456" }]);

    expect(fixes).toEqual({ E_CODE_SUSPECT: ["00456", "456"] });
    expect(result.counts).toMatchObject({ errors: 0 });
  });

  it("give a code the zeros that it has in the store, where its product id tells", async () => {
    const { draft, connection } = await openDraftStore();
    const shown = { id: idSchemas.product.parse(ID), product_code: "000103", title: "Çatal" };
    const seen = { codeKey: "000103", status: "approved", product: shown };
    await connection.journal.saveSeen([seen]);

    const live = await draft(`Ürün ID;Ürün Kodu;Stok\n${ID};103;5\n${ID};104;5\n`);
    const [zeros] = (await live.rows([2]))[0]?.issues ?? [];
    const fixes = [await fixesOf(live, 2), await fixesOf(live, 3)];
    const result = await live.edit({ version: 1 }, [{ row: 2, column: 1, value: "000103" }]);

    expect(zeros).toMatchObject({ code: "E_ID_CODE_MISMATCH", column: 1, severity: "error" });
    expect(fixes).toEqual([{ E_ID_CODE_MISMATCH: ["000103"] }, { E_ID_CODE_MISMATCH: [] }]);
    expect(result.rows[0]?.issues).toEqual([]);
  });
});

const SHEET = "Ürün Kodu;Stok;Kategori\nA-1;7;Fincn\nA-2;9;Fincn\nA-3;9;Fincan\n";

describe("open names of a draft", () => {
  it("are listed once, with their rows and choices", async () => {
    const { draft } = await openDraftStore();

    const live = await draft(
      "Ürün Kodu;Başlık;Stok;Kategori\nA-1;Kupa;7;Fincn\nA-2;Tas;9;Fincn\nA-3;Çay;9;Fincan\n",
    );

    expect((await live.details()).openNames).toBe(1);
    expect((await live.names()).names).toEqual([
      {
        field: "category",
        label: { tr: "Kategori", en: "Category" },
        value: "Fincn",
        rows: 2,
        row: 2,
        column: 3,
        product: { code: "A-1", title: "Kupa" },
        titles: ["Kupa", "Tas"],
        choices: [
          {
            target: "Ev > Fincan",
            label: "Ev > Fincan",
            hint: { tr: "Adı benziyor", en: "Its name is alike" },
            reason: "words",
          },
        ],
        category: null,
        answer: null,
      },
    ]);
    expect((await live.names({ isQuick: true })).names).toMatchObject([
      { value: "Fincn", rows: 2, row: 2, column: 3, titles: ["Kupa"], choices: [] },
    ]);
    expect((await live.rows([2]))[0]?.issues[0]).toMatchObject({
      column: 3,
      fixes: ["Ev > Fincan"],
    });
  });

  it("are answered for all later files", async () => {
    const { draft, connection } = await openDraftStore();
    const live = await draft(SHEET);

    const result = await live.answerNames({ version: 1 }, [{ ...ANSWER, isRemembered: true }]);

    expect(result).toMatchObject({ version: 2, openNames: 0, counts: { errors: 0, edited: 0 } });
    expect((await live.rows([2, 4])).map(({ cells, readAs }) => [cells[2], readAs])).toEqual([
      ["Fincn", [{ column: 2, text: "Ev > Fincan" }]],
      ["Fincan", []],
    ]);
    expect(await connection.memory.rules.list()).toMatchObject([{ value: "Fincn" }]);
  });

  it("are answered for this draft alone by edits that can be undone", async () => {
    const { draft, connection } = await openDraftStore();
    const live = await draft(SHEET);

    const result = await live.answerNames({ version: 1 }, [{ ...ANSWER, isRemembered: false }]);
    const cells = (await live.rows([2, 3])).map((row) => row.cells[2]);
    const undone = await live.undo({ version: 2 });

    expect(result).toMatchObject({ openNames: 0, counts: { errors: 0, edited: 2 } });
    expect(cells).toEqual(["Ev > Fincan", "Ev > Fincan"]);
    expect(undone).toMatchObject({ openNames: 1, counts: { errors: 2, edited: 0 } });
    expect(await connection.memory.rules.list()).toEqual([]);
  });

  it("are open again where their remembered answers are undone, and answered where redone", async () => {
    const { draft, connection } = await openDraftStore();
    const live = await draft(TWO_NAMES);
    const rules = async (): Promise<readonly string[]> =>
      (await connection.memory.rules.list()).map(({ value, target }) => `${value}: ${target}`);
    const answers = async (): Promise<readonly unknown[]> =>
      (await live.names()).names.map(({ value, answer }) => [value, answer?.target ?? null]);

    const remembered = { ...ANSWER, isRemembered: true };
    const given = [remembered, { ...remembered, value: "Fincanlr" }];
    const answered = await live.answerNames({ version: 1 }, given);
    const after = [await rules(), await answers()];
    const undone = await live.undo({ version: 2 });
    const before = [await rules(), await answers()];
    const redone = await live.redo({ version: 3 });

    expect(answered).toMatchObject({ openNames: 0, counts: { errors: 0 }, canUndo: true });
    expect(after).toEqual([
      ["Fincanlr: Ev > Fincan", "Fincn: Ev > Fincan"],
      [
        ["Fincn", "Ev > Fincan"],
        ["Fincanlr", "Ev > Fincan"],
      ],
    ]);
    expect(undone).toMatchObject({ openNames: 2, counts: { errors: 3 }, canRedo: true });
    expect(before).toEqual([
      [],
      [
        ["Fincn", null],
        ["Fincanlr", null],
      ],
    ]);
    expect(redone).toMatchObject({ openNames: 0, counts: { errors: 0 } });
    expect(await rules()).toHaveLength(2);
  });

  it("keep a rule that was changed elsewhere since the answer that is undone", async () => {
    const { draft, connection } = await openDraftStore();
    const live = await draft(SHEET);
    await live.answerNames({ version: 1 }, [{ ...ANSWER, isRemembered: true }]);
    const [rule] = await connection.memory.rules.list();

    if (rule !== undefined) {
      await connection.memory.rules.save([{ ...rule, target: "Ev > Tabak" }]);
    }
    await live.undo({ version: 2 });

    expect(await connection.memory.rules.list()).toMatchObject([{ target: "Ev > Tabak" }]);
  });

  it("below a category of the file are looked for below one of the store", async () => {
    const { draft } = await openDraftStore();
    const live = await draft(
      "Ürün Kodu;Stok;Kategori\nA-1;7;Dükkân > Fincn\nA-2;7;Başka > Fincn\n",
    );
    const of = { field: "category", value: "Dükkân > Fincn", target: "Ev > Fincan" };

    const found = await live.namesBelow({ from: "dukkan", to: "Ev > Fincan" });

    expect(found).toEqual({ exact: [of], near: [], left: 0 });
    await expect(live.namesBelow({ from: "Dükkân", to: "Yok" })).rejects.toThrow("Yok");
  });

  it("that were answered meanwhile are not answered again", async () => {
    const { draft, connection } = await openDraftStore();
    const live = await draft(SHEET);
    await live.answerNames({ version: 1 }, [{ ...ANSWER, isRemembered: true }]);

    const other = { ...ANSWER, target: "Ev > Tabak", isRemembered: true };
    await live.answerNames({ version: 2 }, [other]);

    expect(await connection.memory.rules.list()).toMatchObject([{ target: "Ev > Fincan" }]);
  });
});

const ANSWER = { field: "category", value: "Fincn", target: "Ev > Fincan" };

const TWO_NAMES =
  "Ürün Kodu;Stok;Kategori\nA-1;7;Fincn\nA-2;9;Fincn\nA-3;9;Fincanlr\nA-4;9;Fincan\n";

interface Lists {
  readonly lists: NameIndexes;
  /** Categories whose brands were fetched. */
  readonly asked: string[];
}

/** Categories of one name, of which some have the brand. */
function createLists(count: number, hasBrand: (at: number) => boolean, isDown = false): Lists {
  const asked: string[] = [];
  const categories = Array.from({ length: count }, (_, at) => ({
    id: idSchemas.category.parse(`c-${at}`),
    name: "Aksesuar",
    category_path: `Bölüm ${at} > Aksesuar`,
  }));
  const lists = createNameIndexes({
    categories: async () => categories,
    brands: async (category) => {
      asked.push(category);
      if (isDown) throw new NetworkError("reset", { endpoint: "brand.list", phase: "none" });
      const at = Number(category.slice(2));
      return hasBrand(at) ? [{ id: idSchemas.brand.parse("b-1"), name: "Kuzeytek" }] : [];
    },
    models: async () => [],
    properties: async () => [],
    shippingTemplates: async () => [],
  });
  return { lists, asked };
}

describe("choices of a category name that several categories have", () => {
  it("begin with those in which the brand of the rows is", async () => {
    const { lists } = createLists(11, (at) => at === 7);

    const choices = await listCategoryChoices({ lists }, "Aksesuar", ["Kuzeytek"]);

    expect(choices).toHaveLength(5);
    expect(choices.slice(0, 2)).toEqual([
      {
        target: "Bölüm 7 > Aksesuar",
        label: "Bölüm 7 > Aksesuar",
        hint: { tr: "“Kuzeytek” markası burada var", en: "brand “Kuzeytek” is here" },
      },
      {
        target: "Bölüm 0 > Aksesuar",
        label: "Bölüm 0 > Aksesuar",
        hint: { tr: "“Kuzeytek” markası burada yok", en: "brand “Kuzeytek” is not here" },
      },
    ]);
  });

  it("fetch the brands of at most twelve categories, and of none for rows without a brand", async () => {
    const many = createLists(40, () => false);
    const none = createLists(40, () => false);

    await listCategoryChoices(many, "Aksesuar", ["Kuzeytek"]);
    const plain = await listCategoryChoices(none, "Aksesuar", []);

    expect([many.asked.length, none.asked.length]).toEqual([12, 0]);
    expect(plain.map(({ hint }) => hint)).toEqual(Array.from({ length: 5 }, () => undefined));
  });

  it("have no hint where the brands cannot be fetched", async () => {
    const { lists } = createLists(2, () => true, true);

    const choices = await listCategoryChoices({ lists }, "Aksesuar", ["Kuzeytek"]);

    expect(choices.map(({ hint }) => hint)).toEqual([undefined, undefined]);
  });

  it("are none for a name that only one category has", async () => {
    const { lists } = createLists(1, () => true);

    expect(await listCategoryChoices({ lists }, "Aksesuar", ["Kuzeytek"])).toEqual([]);
  });
});
