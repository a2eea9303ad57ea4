import { describe, expect, it } from "vitest";

import { createCodeRegistry, createFilterProofs } from "../../src/repositories/code-registry.ts";
import { openTestJournal, type TestJournal } from "../helpers/open-test-journal.ts";
import { openRaw } from "../helpers/raw.ts";
import { OTHER_STORE, planToSend, seen, sendDone } from "../helpers/runs-and-rows.ts";

const suspectKey = (code: string): string => code.toLowerCase();

/** Sends an add of the code that is answered with the id, or not at all. */
async function send(
  { journal }: TestJournal,
  row: number,
  { code, id }: { readonly code: string; readonly id?: string },
): Promise<void> {
  const add = { runId: "run-1", row, code };
  if (id === undefined) journal.beginSending(await planToSend(journal, add));
  else await sendDone(journal, add, id);
}

describe("createCodeRegistry", () => {
  it("finds look-alike codes in the last listing and in the ledger", async () => {
    const store = await openTestJournal();
    const product = seen("p1", { product_code: "AB-1" });
    await store.journal.saveSeen([{ ...product, suspectKey: "ab-1" }]);
    await send(store, 1, { code: "Ab-1", id: "p2" });
    await send(store, 2, { code: "cd-2" });

    expect(
      await createCodeRegistry({ ...store, suspectKey }).readLookAlikes("run-9", [
        "ab-1",
        "cd-2",
        "zz",
      ]),
    ).toEqual([
      { code: "AB-1", suspectKey: "ab-1", where: "store", id: "p1" },
      { code: "Ab-1", suspectKey: "ab-1", where: "sent", id: "run-1" },
      { code: "cd-2", suspectKey: "cd-2", where: "sent", id: "run-1" },
    ]);
    expect(
      await createCodeRegistry({ ...store, store: OTHER_STORE, suspectKey }).readLookAlikes(
        "run-9",
        ["ab-1"],
      ),
    ).toEqual([]);
  });

  it("leaves out what the run itself has sent, and the products of it", async () => {
    const store = await openTestJournal();
    await send(store, 1, { code: "AB-1", id: "p1" });
    const product = seen("p1", { product_code: "AB-1" });
    await store.journal.saveSeen([{ ...product, suspectKey: "ab-1" }]);

    expect(
      await createCodeRegistry({ ...store, suspectKey }).readLookAlikes("run-1", ["ab-1"]),
    ).toEqual([]);
    expect(
      await createCodeRegistry({ ...store, suspectKey }).readLookAlikes("run-9", ["ab-1"]),
    ).toHaveLength(2);
  });

  it("fills in the keys of adds that were sent since it last did", async () => {
    const store = await openTestJournal();
    await send(store, 1, { code: "AB-1", id: "p1" });
    const repository = createCodeRegistry({ ...store, suspectKey });
    await repository.readLookAlikes("run-9", ["x"]);
    await send(store, 2, { code: "AB-2", id: "p2" });

    await repository.readLookAlikes("run-9", ["x"]);

    const raw = openRaw(store.path);
    expect(raw.rows("SELECT suspect_key FROM op ORDER BY row_no")).toEqual([
      { suspect_key: "ab-1" },
      { suspect_key: "ab-2" },
    ]);
  });

  it("finds codes on rows of other runs that are being sent, and not of runs that are only planned", async () => {
    const store = await openTestJournal({ runs: ["run-1", "run-2"] });
    await planToSend(store.journal, { runId: "run-1", row: 1, code: "AB-1" });
    await planToSend(store.journal, { runId: "run-2", row: 1, code: "AB-2" });
    await store.runs.update("run-1", { state: "stopped" });
    await store.runs.update("run-2", { state: "planned" });

    expect(
      await createCodeRegistry({ ...store, suspectKey }).readLookAlikes("run-9", ["ab-1", "ab-2"]),
    ).toEqual([{ code: "AB-1", suspectKey: "ab-1", where: "waiting", id: "run-1" }]);
    expect(
      await createCodeRegistry({ ...store, suspectKey }).readLookAlikes("run-1", ["ab-1", "ab-2"]),
    ).toEqual([]);
  });

  it("pairs sent codes with listed ones, the rewritten ones first", async () => {
    const store = await openTestJournal();
    await send(store, 1, { code: "x-1", id: "p1" });
    await send(store, 2, { code: "x-2", id: "p2" });
    await send(store, 3, { code: "x-3", id: "p3" });
    await store.journal.saveSeen([
      seen("p1", { product_code: "x-1" }),
      seen("p2", { product_code: "X-2" }),
    ]);

    expect(await createCodeRegistry({ ...store, suspectKey }).readPairs(10)).toEqual([
      { sent: "x-2", shown: "X-2" },
      { sent: "x-1", shown: "x-1" },
    ]);
    expect(await createCodeRegistry({ ...store, suspectKey }).readPairs(1)).toEqual([
      { sent: "x-2", shown: "X-2" },
    ]);
  });

  it("remembers how the store rewrites codes", async () => {
    const store = await openTestJournal();
    expect(await createCodeRegistry({ ...store, suspectKey }).readNormalization()).toBeUndefined();
    await createCodeRegistry({ ...store, suspectKey }).saveNormalization(["trim", "upper"]);

    expect(await createCodeRegistry({ ...store, suspectKey }).readNormalization()).toEqual([
      "trim",
      "upper",
    ]);
    await createCodeRegistry({ ...store, suspectKey }).saveNormalization(undefined);
    expect(await createCodeRegistry({ ...store, suspectKey }).readNormalization()).toEqual([]);
  });
});

it("createFilterProofs keeps the latest proof of each filter, separately for each store", async () => {
  const { database } = await openTestJournal();
  const ours = { baseUrl: "https://a.example", storeId: "s1" };
  const others = { baseUrl: "https://a.example", storeId: "s2" };
  const proofs = createFilterProofs({ database, store: ours });

  await proofs.saveProof("ids", { works: true, atMs: 5 });
  await proofs.saveProof("product_code", { works: true, atMs: 6 });
  await proofs.saveProof("product_code", { works: false, atMs: 7 });

  const again = createFilterProofs({ database, store: ours });
  expect(await again.readProof("ids")).toEqual({ works: true, atMs: 5 });
  expect(await again.readProof("product_code")).toEqual({ works: false, atMs: 7 });
  expect(await again.readProof("start_date")).toBeUndefined();
  const foreign = createFilterProofs({ database, store: others });
  expect(await foreign.readProof("ids")).toBeUndefined();
});
