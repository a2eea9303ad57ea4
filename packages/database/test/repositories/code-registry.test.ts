import { type CodeBook } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { createCodeBook } from "../../src/index.ts";
import { openStore, type TestStore } from "../helpers/open-test-journal.ts";
import { openRaw } from "../helpers/raw.ts";
import { planToSend, seen, toProductId } from "../helpers/runs-and-rows.ts";

const suspectKey = (code: string): string => code.toLowerCase();

const openBook = ({ database, clock }: TestStore, storeId = "store-1"): CodeBook =>
  createCodeBook({
    database,
    clock,
    suspectKey,
    store: { baseUrl: "https://marketplace.test", storeId },
  });

/** Sends an add of the code that is answered with the id. */
async function send(
  { journal }: TestStore,
  row: number,
  { code, id }: { readonly code: string; readonly id?: string },
): Promise<void> {
  const key = await planToSend(journal, { runId: "run-1", row, code });
  journal.beginSending(key);
  if (id === undefined) return;
  const productId = toProductId(id);
  await journal.settle({ ...key, from: "sending" }, { to: "done", cause: "answer", productId });
}

describe("createCodeBook", () => {
  it("finds look-alike codes in the last listing and in the ledger", async () => {
    const store = await openStore();
    const product = seen("p1", { product_code: "AB-1" });
    await store.journal.saveSeen([{ ...product, suspectKey: "ab-1" }]);
    await send(store, 1, { code: "Ab-1", id: "p2" });
    await send(store, 2, { code: "cd-2" });

    expect(await openBook(store).readAlike("run-9", ["ab-1", "cd-2", "zz"])).toEqual([
      { code: "AB-1", suspectKey: "ab-1", where: "store", id: "p1" },
      { code: "Ab-1", suspectKey: "ab-1", where: "sent", id: "run-1" },
      { code: "cd-2", suspectKey: "cd-2", where: "sent", id: "run-1" },
    ]);
    expect(await openBook(store, "store-2").readAlike("run-9", ["ab-1"])).toEqual([]);
  });

  it("fills in the keys of adds of an older version and of later ones", async () => {
    const store = await openStore();
    await send(store, 1, { code: "AB-1", id: "p1" });
    const book = openBook(store);
    await book.readAlike("run-9", ["x"]);
    await send(store, 2, { code: "AB-2", id: "p2" });

    await book.readAlike("run-9", ["x"]);

    const raw = openRaw(store.path);
    expect(raw.rows("SELECT suspect_key FROM op ORDER BY row_no")).toEqual([
      { suspect_key: "ab-1" },
      { suspect_key: "ab-2" },
    ]);
  });

  it("finds codes on rows of other runs that are being sent, and not of runs that are only planned", async () => {
    const store = await openStore({ runs: ["run-1", "run-2"] });
    await planToSend(store.journal, { runId: "run-1", row: 1, code: "AB-1" });
    await planToSend(store.journal, { runId: "run-2", row: 1, code: "AB-2" });
    await store.runLog.update("run-1", { state: "stopped" });
    await store.runLog.update("run-2", { state: "planned" });

    expect(await openBook(store).readAlike("run-9", ["ab-1", "ab-2"])).toEqual([
      { code: "AB-1", suspectKey: "ab-1", where: "waiting", id: "run-1" },
    ]);
    expect(await openBook(store).readAlike("run-1", ["ab-1", "ab-2"])).toEqual([]);
  });

  it("pairs sent codes with listed ones, the rewritten ones first", async () => {
    const store = await openStore();
    await send(store, 1, { code: "x-1", id: "p1" });
    await send(store, 2, { code: "x-2", id: "p2" });
    await send(store, 3, { code: "x-3", id: "p3" });
    await store.journal.saveSeen([
      seen("p1", { product_code: "x-1" }),
      seen("p2", { product_code: "X-2" }),
    ]);

    expect(await openBook(store).readPairs(10)).toEqual([
      { sent: "x-2", shown: "X-2" },
      { sent: "x-1", shown: "x-1" },
    ]);
    expect(await openBook(store).readPairs(1)).toEqual([{ sent: "x-2", shown: "X-2" }]);
  });

  it("remembers how the store rewrites codes", async () => {
    const store = await openStore();
    expect(await openBook(store).readWay()).toBeUndefined();
    await openBook(store).saveWay(["trim", "upper"]);

    expect(await openBook(store).readWay()).toEqual(["trim", "upper"]);
    await openBook(store).saveWay(undefined);
    expect(await openBook(store).readWay()).toEqual([]);
  });
});
