import { describe, expect, it } from "vitest";

import { createProfileRepository, type Profile, type ProfileRepository } from "../../src/index.ts";
import { openTestJournal, type TestJournal } from "../helpers/open-test-journal.ts";

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

const openFixture = ({ database, clock }: TestJournal, storeId = "store-1"): ProfileRepository =>
  createProfileRepository({
    database,
    clock,
    store: { baseUrl: "https://marketplace.test", storeId },
  });

describe("createProfileRepository", () => {
  it("reads a profile by its name and its headers, from every process", async () => {
    const store = await openTestJournal();
    await openFixture(store).save(profile("erp", "h-1"));
    await openFixture(store).save(profile("erp", "h-2", { decimal: null }));

    const elsewhere = openFixture(await openTestJournal({ path: store.path, runs: [] }));
    expect(await elsewhere.read("erp", "h-1")).toEqual(profile("erp", "h-1"));
    expect(await elsewhere.read("erp", "h-3")).toBeUndefined();
    expect(await elsewhere.list()).toHaveLength(2);
  });

  it("finds the latest profile for some headers, and does not list nameless ones", async () => {
    const store = await openTestJournal();
    const repository = openFixture(store);
    await repository.save(profile("erp", "h-1"));
    await store.clock.advance(10);
    await repository.save(profile("", "h-1", { constants: {} }));

    expect(await repository.readLatest("h-1")).toEqual(profile("", "h-1", { constants: {} }));
    expect((await repository.list()).map(({ name }) => name)).toEqual(["erp"]);
  });

  it("replaces a profile of the same name and headers, and deletes all profiles of a name", async () => {
    const repository = openFixture(await openTestJournal());
    await repository.save(profile("erp", "h-1"));
    await repository.save(profile("erp", "h-1", { decimal: "point" }));
    await repository.save(profile("erp", "h-2"));

    expect((await repository.read("erp", "h-1"))?.decimal).toBe("point");
    expect([await repository.remove("erp"), await repository.remove("erp")]).toEqual([2, 0]);
  });

  it("keeps the profiles of stores apart", async () => {
    const store = await openTestJournal();
    await openFixture(store).save(profile("erp", "h-1"));

    expect(await openFixture(store, "store-2").readLatest("h-1")).toBeUndefined();
  });
});
