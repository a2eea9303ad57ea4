import { describe, expect, it } from "vitest";

import { createRuleRepository, type Rule, type RuleRepository } from "../../src/index.ts";
import { openTestJournal, type TestJournal } from "../helpers/open-test-journal.ts";

const rule = (value: string, target: string, rest: Partial<Rule> = {}): Rule => ({
  key: `brand\n${value.toLowerCase()}`,
  field: "brand",
  value,
  target,
  targetId: null,
  ...rest,
});

const openFixture = ({ database, clock }: TestJournal, storeId = "store-1"): RuleRepository =>
  createRuleRepository({
    database,
    clock,
    store: { baseUrl: "https://marketplace.test", storeId },
  });

describe("createRuleRepository", () => {
  it("keeps rules over processes, and lists them by field and value", async () => {
    const store = await openTestJournal();
    const saved = [rule("KARACA", "Karaca Home"), rule("ACME", "Acme", { targetId: "b-1" })];

    await openFixture(store).save(saved);

    const elsewhere = openFixture(await openTestJournal({ path: store.path, runs: [] }));
    expect(await elsewhere.list()).toEqual(saved.toReversed());
  });

  it("replaces a rule of the same key", async () => {
    const repository = openFixture(await openTestJournal());
    await repository.save([rule("KARACA", "Karaca")]);

    await repository.save([rule("Karaca", "Karaca Home")]);

    expect(await repository.list()).toEqual([rule("Karaca", "Karaca Home")]);
  });

  it("deletes a rule, and reports when there was none", async () => {
    const repository = openFixture(await openTestJournal());
    await repository.save([rule("KARACA", "Karaca")]);

    const { key } = rule("KARACA", "");
    expect([await repository.remove(key), await repository.remove(key)]).toEqual([true, false]);
    expect(await repository.list()).toEqual([]);
  });

  it("keeps the rules of stores apart", async () => {
    const store = await openTestJournal();
    await openFixture(store).save([rule("KARACA", "Karaca")]);

    expect(await openFixture(store, "store-2").list()).toEqual([]);
  });
});
