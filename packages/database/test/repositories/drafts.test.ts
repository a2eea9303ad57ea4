import { toProductId } from "@catalog/runs/testing";
import { describe, expect, it } from "vitest";

import type { DraftIssue } from "../../src/repositories/draft-rows.ts";
import {
  createDraftRepository,
  type DraftRepository,
  type DraftTables,
} from "../../src/repositories/drafts.ts";
import { noSteps, type Steps } from "../../src/sql/database.ts";
import { openTestJournal } from "../helpers/open-test-journal.ts";
import { OTHER_STORE } from "../helpers/runs-and-rows.ts";

const FILE = {
  name: "a.csv",
  path: "/a.csv",
  sha256: "0a",
  bytes: 3,
  createdBy: { name: "ayşe", id: 7 },
};

const editTo = (after: string, column = 1) => ({ row: 2, column, before: null, after });

const issue = (code: string, severity: DraftIssue["severity"]): DraftIssue => ({
  code,
  severity,
  column: 1,
  message: { tr: code, en: code },
  suggestion: null,
  fixes: ["7"],
});

/** A draft of four rows, of which one is no product. */
async function openRows(): Promise<DraftRepository> {
  const drafts = createDraftRepository(await openTestJournal());
  await drafts.create({ id: "d-1", ...FILE });
  await drafts.appendRows("d-1", [
    { row: 2, cells: ["A", 1], folded: "a\n1" },
    { row: 3, cells: ["B", true], traits: { 1: "formula" }, folded: "b\ntrue" },
    { row: 4, cells: ["A", null], formats: { 0: "0.0" }, folded: "a\n" },
    { row: 5, cells: ["# not"], folded: "not" },
  ]);
  const keys = { joined: null, alikeKey: "a" };
  await drafts.saveKeys("d-1", [
    { ...keys, row: 2, status: "ok", codeKey: "A" },
    { ...keys, row: 3, status: "ok", codeKey: "a" },
    { ...keys, row: 4, status: "ok", codeKey: "A" },
    { ...keys, row: 5, status: "left", codeKey: null, alikeKey: null },
  ]);
  const found = { codeKey: null, names: ["brand x"] };
  const [bad, odd] = [issue("E_X", "error"), issue("W_Y", "warning")];
  await drafts.saveFindings(
    "d-1",
    [
      { ...found, row: 2, status: "error", issues: [bad, bad, odd] },
      { ...found, row: 3, status: "warn", issues: [odd] },
    ],
    { isRepeated: false },
  );
  return drafts;
}

describe("createDraftRepository", () => {
  it("keeps drafts of one store over processes, the latest first", async () => {
    const store = await openTestJournal();
    const drafts = createDraftRepository(store);
    await drafts.create({ id: "d-1", ...FILE });
    await drafts.create({ id: "d-2", ...FILE });
    await drafts.update("d-2", {
      state: "ready",
      check: { decimal: null },
      run: { id: "r", version: 1 },
    });

    const elsewhere = createDraftRepository(await openTestJournal({ path: store.path, runs: [] }));

    expect((await elsewhere.list()).map(({ id }) => id)).toEqual(["d-2", "d-1"]);
    expect(await elsewhere.read("d-2")).toMatchObject({
      ...FILE,
      state: "ready",
      version: 1,
      check: { decimal: null },
      source: null,
      run: { id: "r", version: 1 },
    });
    expect(await createDraftRepository({ ...store, store: OTHER_STORE }).list()).toEqual([]);
  });

  it("shows a draft of products once it is finished, and removes its products with it", async () => {
    const store = await openTestJournal();
    const drafts = createDraftRepository(store);
    const product = { id: toProductId("p-1"), title: "Fincan", price: 12.5 };
    await drafts.begin({ id: "d-1", path: "/d.xlsx", createdBy: null });
    await drafts.saveBasis("d-1", [{ row: 2, product }]);

    const before = [await drafts.list(), await drafts.read("d-1")];
    const basis = { products: 1, priceUnit: "minor", readAtMs: 7, runs: [] } as const;
    await drafts.finish("d-1", { name: "1 ürün", sha256: "0b", bytes: 9, basis });
    const after = await drafts.read("d-1");
    const found = await drafts.readBasis("d-1", [2, 3]);
    await drafts.remove("d-1");

    expect(before).toEqual([[], undefined]);
    expect(after).toMatchObject({ name: "1 ürün", state: "reading", basis });
    expect([...found]).toEqual([[2, product]]);
    expect((await drafts.readBasis("d-1", [2])).size).toBe(0);
  });

  it("names the file of a draft that was never finished when the next one is begun", async () => {
    const store = await openTestJournal();
    const drafts = createDraftRepository(store);
    const begin = (id: string) => drafts.begin({ id, path: `/${id}.xlsx`, createdBy: null });

    const removed = [await begin("d-1"), await begin("d-2")];
    await store.clock.advance(25 * 3_600_000);
    removed.push(await begin("d-3"));

    expect(removed).toEqual([[], [], ["/d-1.xlsx", "/d-2.xlsx"]]);
  });

  it("gives rows back as they were stored", async () => {
    const drafts = await openRows();

    const rows = await drafts.readRows("d-1", { after: 2, limit: 2 });

    expect(rows).toMatchObject([
      { row: 3, cells: ["B", true], traits: { 1: "formula" }, edits: {}, status: "warn" },
      { row: 4, cells: ["A", null], formats: { 0: "0.0" }, edits: {}, status: "ok" },
    ]);
    expect((await drafts.readRowsAt("d-1", [4, 2, 9])).map(({ row }) => row)).toEqual([2, 4]);
  });

  it("reads more rows than one query can name, in the order of the sheet", async () => {
    const drafts = createDraftRepository(await openTestJournal());
    await drafts.create({ id: "d-1", ...FILE });
    const numbers = Array.from({ length: 1_300 }, (_, index) => index + 2);
    await drafts.appendRows(
      "d-1",
      numbers.map((row) => ({ row, cells: [], folded: "" })),
    );

    const rows = await drafts.readRowsAt("d-1", numbers.toReversed());

    expect(rows.map(({ row }) => row)).toEqual(numbers);
  });

  it("counts rows by what is wrong with them, each row once", async () => {
    const drafts = await openRows();

    expect(await drafts.counts("d-1")).toEqual({
      ok: 1,
      warn: 1,
      error: 1,
      excluded: 0,
      edited: 0,
      kinds: [
        { code: "W_Y", severity: "warning", rows: 2 },
        { code: "E_X", severity: "error", rows: 1 },
      ],
      openNames: 1,
    });
  });

  it("counts the products of drafts, and their errors", async () => {
    const drafts = await openRows();

    expect(await drafts.sizes(["d-1", "d-unknown"])).toEqual(
      new Map([["d-1", { rows: 3, errors: 1 }]]),
    );
    expect(await drafts.sizes([])).toEqual(new Map());
  });

  it("lists the rows of every filter, but none that is no product", async () => {
    const drafts = await openRows();
    await drafts.saveChanges("d-1", [{ row: 4, edits: { 1: "9" }, folded: "a\n9" }]);
    const filters = [
      {},
      { show: "errors" },
      { show: "warnings" },
      { show: "edited" },
      { show: "excluded" },
      { code: "W_Y" },
      { folded: "9" },
      { show: "errors", code: "W_Y", folded: "a" },
    ] as const;

    const found = await Promise.all(filters.map((filter) => drafts.order("d-1", filter)));
    expect(found.map((rows) => Array.from(rows))).toEqual([
      [2, 3, 4],
      [2],
      [3],
      [4],
      [],
      [2, 3],
      [4],
      [2],
    ]);
  });

  it("finds rows with one code, and codes that look alike", async () => {
    const drafts = await openRows();

    expect(await drafts.rowsWithCode("d-1", "A", 9)).toEqual([2, 4]);
    expect(await drafts.rowsAlike("d-1", "a", 9)).toEqual([2, 3, 4]);
    expect(await drafts.repeatedCodes("d-1")).toEqual(["A"]);
    expect(await drafts.alikeKeys("d-1")).toEqual(["a"]);
    expect(await drafts.openNames("d-1")).toEqual([{ key: "brand x", rows: 2, first: 2 }]);
  });

  it("finds the shortest code that is only digits and begins with a zero", async () => {
    const drafts = await openRows();
    const codes = ["0", "0A", "00421", "0-1", "007", "7", "070", "0 1"];
    const rows = codes.map((codeKey, index) => ({ row: 10 + index, codeKey }));
    await drafts.appendRows(
      "d-1",
      rows.map(({ row }) => ({ row, cells: [], folded: "" })),
    );
    expect(await drafts.shortestZeroLed("d-1")).toBeUndefined();

    await drafts.saveKeys(
      "d-1",
      rows.map(({ row, codeKey }) => ({
        row,
        codeKey,
        joined: null,
        alikeKey: null,
        status: "ok",
      })),
    );

    expect(await drafts.shortestZeroLed("d-1")).toEqual({ row: 14, codeKey: "007" });
  });

  it("replaces what was found of a row", async () => {
    const drafts = await openRows();

    const clean = { codeKey: null, names: [], issues: [], status: "ok" } as const;
    await drafts.saveFindings("d-1", [{ ...clean, row: 2 }], { isRepeated: true });

    expect(await drafts.counts("d-1")).toMatchObject({
      ok: 2,
      error: 0,
      kinds: [{ code: "W_Y", rows: 1 }],
    });
    expect(await drafts.rowsWithName("d-1", "brand x")).toEqual([3]);
  });

  it("gives the first rows of each open name", async () => {
    const drafts = await openRows();
    const named = { codeKey: null, issues: [], status: "ok" } as const;
    const [both, one] = [
      { ...named, names: ["n", "o"] },
      { ...named, names: ["n"] },
    ];
    const rows = [
      { ...both, row: 2 },
      { ...one, row: 3 },
      { ...both, row: 4 },
    ];
    await drafts.saveFindings("d-1", rows, { isRepeated: true });

    expect(await drafts.rowsOfNames("d-1", 2)).toEqual(
      new Map([
        ["n", [2, 3]],
        ["o", [2, 4]],
      ]),
    );
  });

  it("reads the edits of one cell up to a batch, in their order", async () => {
    const drafts = await openRows();
    for (const [at, after] of ["7", "8", "9"].entries()) {
      const batch = { batch: at + 1, by: null, atMs: 5 };
      await drafts.logEdits("d-1", [editTo(after), editTo("other", 0)], batch);
    }

    const found = await drafts.readCellEdits("d-1", { row: 2, column: 1 }, 2);

    expect(found).toEqual([editTo("7"), editTo("8")]);
  });

  it("changes only the version that the caller has seen, all or nothing", async () => {
    const drafts = await openRows();
    const edit = { row: 2, column: 1, before: null, after: "7" };
    const log = (tables: DraftTables): Steps<void> =>
      tables.logEdits("d-1", [edit], { batch: 1, by: "ayşe", atMs: 5 });
    const fail = function* fail(tables: DraftTables): Steps<never> {
      yield* log(tables);
      throw new Error("cut off");
    };

    await expect(drafts.change("d-1", 1, fail)).rejects.toThrow("cut off");
    expect(await drafts.readBatch("d-1", 1)).toEqual([]);
    expect(await drafts.change("d-1", 1, () => noSteps("done"))).toBe("done");
    expect(await drafts.change("d-1", 1, log)).toBeUndefined();

    expect(await drafts.read("d-1")).toMatchObject({ version: 2 });
    expect(await drafts.lastBatch("d-1")).toBe(0);
  });

  it("forgets the batches that a new edit replaces", async () => {
    const drafts = await openRows();
    const edit = { row: 2, column: 1, before: null, after: "7" };
    for (const batch of [1, 2, 3]) {
      await drafts.logEdits("d-1", [edit], { batch, by: null, atMs: 5 });
    }

    await drafts.dropBatchesAfter("d-1", 1);

    expect(await drafts.lastBatch("d-1")).toBe(1);
    expect(await drafts.readBatch("d-1", 1)).toEqual([edit]);
  });

  it("deletes a draft with everything of it", async () => {
    const drafts = await openRows();

    expect([await drafts.remove("d-1"), await drafts.remove("d-1")]).toEqual([true, false]);

    expect(await drafts.read("d-1")).toBeUndefined();
    expect(await drafts.readRows("d-1", { after: 0, limit: 9 })).toEqual([]);
    expect((await drafts.counts("d-1")).kinds).toEqual([]);
  });
});
