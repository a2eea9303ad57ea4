import { describe, expect, it } from "vitest";

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
