import { describe, expect, it } from "vitest";

import { createProfileBook, type Profile, type ProfileBook } from "../../src/index.ts";
import { openStore, type TestStore } from "../helpers/open-test-journal.ts";

const profile = (name: string, headerKey: string, rest: Partial<Profile> = {}): Profile => ({
  name,
  headerKey,
  headers: ["Kod", "Ücret"],
  columns: { Ücret: "price" },
  constants: { stock: "5" },
  decimal: "comma",
  learntFrom: "fiyat.csv",
  ...rest,
});

const openBook = ({ database, clock }: TestStore, storeId = "store-1"): ProfileBook =>
  createProfileBook({ database, clock, store: { baseUrl: "https://marketplace.test", storeId } });

describe("createProfileBook", () => {
  it("reads a profile by its name and its headers, from every process", async () => {
    const store = await openStore();
    await openBook(store).save(profile("erp", "h-1"));
    await openBook(store).save(profile("erp", "h-2", { decimal: null }));

    const elsewhere = openBook(await openStore({ path: store.path, runs: [] }));
    expect(await elsewhere.read("erp", "h-1")).toEqual(profile("erp", "h-1"));
    expect(await elsewhere.read("erp", "h-3")).toBeUndefined();
    expect(await elsewhere.list()).toHaveLength(2);
  });

  it("finds the latest profile for some headers, and does not list nameless ones", async () => {
    const store = await openStore();
    const book = openBook(store);
    await book.save(profile("erp", "h-1"));
    await store.clock.advance(10);
    await book.save(profile("", "h-1", { constants: {} }));

    expect(await book.readLatest("h-1")).toEqual(profile("", "h-1", { constants: {} }));
    expect((await book.list()).map(({ name }) => name)).toEqual(["erp"]);
  });

  it("replaces a profile of the same name and headers, and deletes all profiles of a name", async () => {
    const book = openBook(await openStore());
    await book.save(profile("erp", "h-1"));
    await book.save(profile("erp", "h-1", { decimal: "point" }));
    await book.save(profile("erp", "h-2"));

    expect((await book.read("erp", "h-1"))?.decimal).toBe("point");
    expect([await book.remove("erp"), await book.remove("erp")]).toEqual([2, 0]);
  });

  it("keeps the profiles of stores apart", async () => {
    const store = await openStore();
    await openBook(store).save(profile("erp", "h-1"));

    expect(await openBook(store, "store-2").readLatest("h-1")).toBeUndefined();
  });
});
