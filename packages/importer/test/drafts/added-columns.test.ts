import { describe, expect, it } from "vitest";

import { openDraft } from "../../src/drafts/live-draft.ts";
import { openDraftStore } from "./helpers/open-test-draft.ts";

const SHEET = "Ürün Kodu;Fiyat;Stok\nKOD-1;5;8\nKOD-2;5;9;fazla\nKOD-3;5;8\nKOD-4;5;8\nKOD-5;5;8\n";
const TITLE = 4;

const toTitle = { field: "title", lang: "tr" } as const;

const cellsOf = async (
  live: Awaited<ReturnType<typeof openDraft>>,
): Promise<readonly (readonly string[])[]> => (await live.rows([2, 3])).map(({ cells }) => cells);

describe("a column that the file lacks", () => {
  it("is added after all cells of the file, and its cells are edited, planned and written", async () => {
    const { draft, plan, connection } = await openDraftStore();
    const live = await draft("Ürün Kodu;Stok\nKOD-1;8\n");

    const added = await live.addColumn({ version: 1 }, toTitle);
    await live.edit({ version: added.version }, [{ row: 2, column: 2, value: "Mavi Çanta" }]);
    const opened = await openDraft(connection, live.id);
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
