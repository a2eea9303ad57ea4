import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";

import { createTestConnection, startMarketplaceServer } from "@catalog/connection/testing";
import { describe, expect, it } from "vitest";

import { openDrafts } from "../../src/drafts/drafts.ts";
import { updateFeedDraft } from "../../src/drafts/feed-draft.ts";

type Row = readonly [code: string, title: string, stock: string];

const toKey = (rows: readonly { readonly cells: readonly unknown[] }[]): readonly string[] =>
  rows.map(({ cells }) => String(cells[0]));

async function openFeed() {
  const { connection } = await createTestConnection({
    baseUrl: (await startMarketplaceServer()).baseUrl,
  });
  const update = async (rows: readonly Row[], header = ["Ürün Kodu", "Başlık", "Stok"]) => {
    return await updateFeedDraft(connection, {
      feed: "key",
      name: "stok.xml",
      suppliers: ["stok.xml"],
      lang: "tr",
      header,
      rows: rows.map((cells) => ({ key: cells[0], cells })),
      products: rows.length,
      toKey,
      columns: new Map(),
      decimal: undefined,
    });
  };
  const cellsOf = async (id: string): Promise<readonly (readonly string[])[]> => {
    const live = await openDrafts(connection).open(id);
    return (await live.rows([...(await live.order())])).map(({ cells }) => cells);
  };
  return { connection, update, cellsOf };
}

describe("the draft of a feed", () => {
  it("names its feed, keeps corrections and exclusions, and follows the feed otherwise", async () => {
    const { connection, update, cellsOf } = await openFeed();
    const made = await update([
      ["A-1", "Fincan", "4"],
      ["A-2", "Tabak", "5"],
      ["A-3", "Çatal", "6"],
    ]);
    const id = made?.id ?? "";
    const live = await openDrafts(connection).open(id);
    const { version } = await live.details();
    await live.edit({ version }, [{ row: 2, column: 1, value: "Kahve Fincanı" }]);

    const next = await update([
      ["A-4", "Bıçak", "9"],
      ["A-1", "Fincan", "1"],
      ["A-3", "Çatal", "6"],
    ]);

    expect(next).toEqual({ id, products: 3 });
    expect(await cellsOf(id)).toEqual([
      ["A-1", "Kahve Fincanı", "1"],
      ["A-3", "Çatal", "6"],
      ["A-4", "Bıçak", "9"],
    ]);
    expect((await openDrafts(connection).list()).map(({ name, rows }) => [name, rows])).toEqual([
      ["stok.xml: yeni ürünler", 3],
    ]);
  });

  it("stays as it is where nothing changes, and goes with its last product", async () => {
    const { connection, update } = await openFeed();
    const rows: readonly Row[] = [["A-1", "Fincan", "4"]];
    const { id = "" } = (await update(rows)) ?? {};
    const before = await connection.memory.drafts.read(id);

    await update(rows);
    const after = await connection.memory.drafts.read(id);
    const none = await update([]);

    expect(after?.version).toBe(before?.version);
    expect([none, await openDrafts(connection).list()]).toEqual([undefined, []]);
  });

  it("writes its workbook where a row has changed or the workbook is gone, and not else", async () => {
    const { connection, update, cellsOf } = await openFeed();
    const { id = "" } = (await update([["A-1", "Fincan", "4"]])) ?? {};
    const path = (await connection.memory.drafts.read(id))?.path ?? "";
    const whole = readFileSync(path);
    const writes = async (row: Row): Promise<boolean> => {
      await update([row]);
      const isWritten = existsSync(path) && readFileSync(path, "utf8") !== "as it was";
      writeFileSync(path, "as it was");
      return isWritten;
    };
    writeFileSync(path, "as it was");

    const same = await writes(["A-1", "Fincan", "4"]);
    const changed = await writes(["A-1", "Fincan", "5"]);
    rmSync(path);
    const gone = await writes(["A-1", "Fincan", "5"]);
    const again = await writes(["A-1", "Fincan", "5"]);

    expect([same, changed, gone, again]).toEqual([false, true, true, false]);
    expect(whole.length).toBeGreaterThan(1_000);
    expect(await cellsOf(id)).toEqual([["A-1", "Fincan", "5"]]);
  });

  it("is made again where the feed has other columns, or a person has removed it", async () => {
    const { connection, update } = await openFeed();
    const rows: readonly Row[] = [["A-1", "Fincan", "4"]];
    const first = await update(rows);
    const second = await update(rows, ["Ürün Kodu", "Başlık", "Adet"]);
    await openDrafts(connection).remove(second?.id ?? "");
    const third = await update(rows);

    expect(new Set([first?.id, second?.id, third?.id]).size).toBe(3);
    expect(await openDrafts(connection).list()).toHaveLength(1);
  });
});
