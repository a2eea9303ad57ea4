import { describe, expect, it } from "vitest";

import { listDrafts } from "../../src/drafts/drafts.ts";
import { openDraftStore } from "./helpers/open-test-draft.ts";

describe("columns of a draft", () => {
  it("are read without one of two with the same header once a person has left it out", async () => {
    const { draft, plan, decisions } = await openDraftStore();
    const live = await draft("Ürün Kodu;Stok;Stok\nKOD-1;7;8\n");
    const before = live.details();

    await live.setColumns({ version: 1 }, { leftOut: [1] });
    await live.check();

    expect(before).toMatchObject({
      state: "columns",
      columns: { problems: [{ code: "E_HEADER_DUP" }] },
    });
    expect(live.details()).toMatchObject({ state: "ready", counts: { errors: 0 } });
    expect(live.details().columns?.columns[1]).toMatchObject({ header: "Stok", field: "-" });
    expect(await decisions(await plan(live))).toMatchObject([{ payload: { stock_count: 8 } }]);
  });

  it("have the field that the cells of an unknown header may be", async () => {
    const { draft } = await openDraftStore();

    const live = await draft("Ürün Kodu;Tutar bilgisi\nKOD-1;349,90 TL\nKOD-2;19,90 TL\n");

    expect(live.details().columns?.columns[1]).toMatchObject({ field: null, guess: "price" });
  });

  it("that differ for each product take no text for all rows", async () => {
    const { draft } = await openDraftStore();

    const live = await draft("Ürün Kodu;Stok\nKOD-1;7\n");
    const missing = live.details().columns?.missing ?? [];

    const isForAll = Object.fromEntries(missing.map(({ key, isForAll: can }) => [key, can]));
    expect(isForAll).toMatchObject({ title: false, category: true });
  });
});

describe("the reading of a draft", () => {
  it("says the encoding of a file that was read at once, with others to choose from", async () => {
    const { draft } = await openDraftStore();
    const live = await draft("Ürün Kodu;Stok\nKOD-1;7\n");
    const { reading } = live.details();

    await live.setReading({ version: 1 }, { encoding: "windows-1254" });
    await live.check();

    expect(reading.encoding).toEqual({ value: "utf-8", isGuessed: true });
    expect(reading.encodings.map(({ encoding }) => encoding)).toContain("cp857");
    const { encoding } = live.details().reading;
    expect(encoding).toEqual({ value: "windows-1254", isGuessed: false });
  });

  it.each([
    ["bos.csv", "", true],
    ["belge.csv", "%PDF-1.7\n", true],
    ["liste.csv", "Ürün Kodu;Stok\nKOD-1;7\n", false],
  ])("of %s is unusable: %s", async (name, text, isUnusable) => {
    const { draft, connection } = await openDraftStore();

    const live = await draft(text, name);

    expect(live.details().reading.isUnusable).toBe(isUnusable);
    expect(listDrafts(connection)).toMatchObject([{ isUnusable }]);
  });
});
