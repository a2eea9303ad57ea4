import { systemClock } from "@catalog/clock";
import { describe, expect, it, onTestFinished } from "vitest";

import type { RepositoryOptions } from "../../src/locks/leases.ts";
import { openPostgres } from "../../src/postgres/open-postgres.ts";
import { createProfileRepository, type Profile } from "../../src/repositories/memory.ts";
import { createPriceRepository } from "../../src/repositories/prices.ts";
import { createRuleRepository, type Rule } from "../../src/repositories/rules.ts";
import { createTestDatabase } from "../../src/testing/index.ts";
import { openTestJournal } from "../helpers/open-test-journal.ts";
import { describeOnPostgres } from "../helpers/open-test-postgres.ts";
import { OTHER_STORE, STORE } from "../helpers/runs-and-rows.ts";

const ELSEWHERE = { ...OTHER_STORE, baseUrl: "https://other.test" };

const rule = (value: string, target: string): Rule => ({
  key: `brand\n${value}`,
  field: "brand",
  value,
  target,
  targetId: null,
});

const profile = (name: string, field: string): Profile => ({
  name,
  headerKey: "h-1",
  headers: ["Kod"],
  columns: { Kod: field },
  constants: {},
  decimal: null,
  learntFrom: null,
});

/** Two stores of one marketplace, and one of another. */
type Stores = readonly [RepositoryOptions, RepositoryOptions, RepositoryOptions];

async function openFile(): Promise<Stores> {
  const { database, clock } = await openTestJournal();
  const at = (store: typeof STORE): RepositoryOptions => ({ database, clock, store });
  return [at(STORE), at(OTHER_STORE), at(ELSEWHERE)];
}

async function openServer(): Promise<Stores> {
  const server = await createTestDatabase();
  const open = async (store: typeof STORE): Promise<RepositoryOptions> => {
    const database = await openPostgres({ url: server.url, clock: systemClock, store });
    onTestFinished(() => database.close());
    return { database, clock: systemClock, store };
  };
  onTestFinished(() => server[Symbol.asyncDispose]());
  return [await open(STORE), await open(OTHER_STORE), await open(ELSEWHERE)];
}

function testShared(open: () => Promise<Stores>): void {
  it("hold in all stores of the marketplace, after a store's own ones", async () => {
    const stores = await open();
    const [first, second, other] = stores.map((store) => createRuleRepository(store));
    await first?.save([rule("ACME", "Acme"), rule("KARACA", "Karaca")]);
    await second?.save([rule("KARACA", "Karaca Home")]);

    const shared = [await first?.share("brand\nACME"), await first?.share("brand\nKARACA")];

    const acme = { ...rule("ACME", "Acme"), isShared: true };
    expect(shared).toEqual([true, true]);
    expect(await first?.list()).toEqual([acme, { ...rule("KARACA", "Karaca"), isShared: true }]);
    expect(await second?.list()).toEqual([acme, rule("KARACA", "Karaca Home")]);
    expect(await other?.list()).toEqual([]);
    expect(await first?.share("brand\nNONE")).toBe(false);
  });

  it("are not copied where a store says the same, and can be its own again", async () => {
    const [first, second] = (await open()).map((store) => createRuleRepository(store));
    await first?.save([rule("ACME", "Acme")]);
    await first?.share("brand\nACME");

    await second?.save([rule("ACME", "Acme")]);
    const isAlone = await second?.unshare("brand\nACME");

    expect([isAlone, await second?.list(), await first?.list()]).toEqual([
      true,
      [rule("ACME", "Acme")],
      [],
    ]);
    expect(await second?.unshare("brand\nACME")).toBe(false);
  });

  it("of prices are those of a store that has none, with a version that never comes again", async () => {
    const [first, second] = (await open()).map((store) => createPriceRepository(store));
    const read = async () => {
      const { rules, version, sharedVersion } = (await second?.readRules()) ?? {};
      return [rules, `${version} ${sharedVersion}`];
    };
    const seen = [await read()];
    await first?.saveRules([{ number: 1 }]);
    await first?.shareRules();
    seen.push(await read());
    await first?.unshareRules();
    seen.push(await read());
    await first?.shareRules();
    seen.push(await read());
    await second?.saveRules([{ number: 2 }]);
    seen.push(await read());

    expect(seen).toEqual([
      [[], "0 undefined"],
      [[{ number: 1 }], "0 1"],
      [[], "0 undefined"],
      [[{ number: 1 }], "0 3"],
      [[{ number: 2 }], "1 undefined"],
    ]);
  });

  it("are profiles too", async () => {
    const [one, two, three] = await open();
    const [first, second, other] = [one, two, three].map((store) => createProfileRepository(store));
    if (first === undefined || second === undefined || other === undefined) throw new Error("gone");
    await first.save(profile("erp", "product_code"));
    await first.save(profile("depo", "stock"));
    await second.save(profile("depo", "price"));

    expect([await first.share("erp"), await first.share("depo")]).toEqual([1, 1]);
    expect(await second.read("erp", "h-1")).toMatchObject({ isShared: true });
    expect((await second.list()).map(({ name, isShared }) => [name, isShared])).toEqual([
      ["depo", undefined],
      ["erp", true],
    ]);
    expect(await other.readLatest("h-1")).toBeUndefined();
    expect(await second.unshare("erp")).toBe(1);
    expect([await first.read("erp", "h-1"), await second.read("erp", "h-1")]).toEqual([
      undefined,
      profile("erp", "product_code"),
    ]);
  });
}

describe("shared rules of a file", () => testShared(openFile));

describeOnPostgres("shared rules of a server", () => {
  testShared(openServer);

  it("are written by nobody who is in a store", async () => {
    const [{ database }] = await openServer();
    const add = database.build.insertInto("shared_rule").values({
      base_url: STORE.baseUrl,
      kind: "names",
      key: "brand\nACME",
      value_json: "{}",
      version: 1,
      at_ms: 1,
    });

    await expect(database.execute(database.run(add))).rejects.toThrow("row-level security");
  });
});
