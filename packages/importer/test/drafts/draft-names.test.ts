import { NetworkError } from "@catalog/client/errors";
import { idSchemas } from "@catalog/contract";
import { createNameIndexes, type NameIndexes } from "@catalog/mapping";
import { describe, expect, it } from "vitest";

import { listCategoryChoices } from "../../src/drafts/draft-names.ts";
import { openDraftStore } from "./helpers/open-test-draft.ts";

const SHEET = "Ürün Kodu;Stok;Kategori\nA-1;7;Fincn\nA-2;9;Fincn\nA-3;9;Fincan\n";

describe("open names of a draft", () => {
  it("are listed once, with their rows and choices", async () => {
    const { draft } = await openDraftStore();

    const live = await draft(
      "Ürün Kodu;Başlık;Stok;Kategori\nA-1;Kupa;7;Fincn\nA-2;Tas;9;Fincn\nA-3;Çay;9;Fincan\n",
    );

    expect((await live.details()).openNames).toBe(1);
    expect(await live.names()).toEqual([
      {
        field: "category",
        label: { tr: "Kategori", en: "Category" },
        value: "Fincn",
        rows: 2,
        row: 2,
        column: 3,
        product: { code: "A-1", title: "Kupa" },
        choices: [{ target: "Ev > Fincan", label: "Ev > Fincan" }],
        category: null,
      },
    ]);
    expect((await live.rows([2]))[0]?.issues[0]).toMatchObject({
      column: 3,
      fixes: ["Ev > Fincan"],
    });
  });

  it("are answered for all later files", async () => {
    const { draft, connection } = await openDraftStore();
    const live = await draft(SHEET);

    const answer = { field: "category", value: "Fincn", target: "Ev > Fincan" };
    const result = await live.answerName({ version: 1 }, { ...answer, isRemembered: true });

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

    const answer = { field: "category", value: "Fincn", target: "Ev > Fincan" };
    const result = await live.answerName({ version: 1 }, { ...answer, isRemembered: false });
    const cells = (await live.rows([2, 3])).map((row) => row.cells[2]);
    const undone = await live.undo({ version: 2 });

    expect(result).toMatchObject({ openNames: 0, counts: { errors: 0, edited: 2 } });
    expect(cells).toEqual(["Ev > Fincan", "Ev > Fincan"]);
    expect(undone).toMatchObject({ openNames: 1, counts: { errors: 2, edited: 0 } });
    expect(await connection.memory.rules.list()).toEqual([]);
  });
});

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
