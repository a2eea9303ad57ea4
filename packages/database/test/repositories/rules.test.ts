import { describe, expect, it } from "vitest";

import { createRuleBook, type Rule, type RuleBook } from "../../src/index.ts";
import { openStore, type TestStore } from "../helpers/open-test-journal.ts";

const rule = (value: string, target: string, rest: Partial<Rule> = {}): Rule => ({
  key: `brand\n${value.toLowerCase()}`,
  field: "brand",
  value,
  target,
  targetId: null,
  ...rest,
});

const openBook = ({ database, clock }: TestStore, storeId = "store-1"): RuleBook =>
  createRuleBook({ database, clock, store: { baseUrl: "https://marketplace.test", storeId } });

describe("createRuleBook", () => {
  it("keeps rules over processes, and lists them by field and value", async () => {
    const store = await openStore();
    const saved = [rule("KARACA", "Karaca Home"), rule("ACME", "Acme", { targetId: "b-1" })];

    await openBook(store).save(saved);

    const elsewhere = openBook(await openStore({ path: store.path, runs: [] }));
    expect(await elsewhere.list()).toEqual(saved.toReversed());
  });

  it("replaces a rule of the same key", async () => {
    const book = openBook(await openStore());
    await book.save([rule("KARACA", "Karaca")]);

    await book.save([rule("Karaca", "Karaca Home")]);

    expect(await book.list()).toEqual([rule("Karaca", "Karaca Home")]);
  });

  it("deletes a rule, and reports when there was none", async () => {
    const book = openBook(await openStore());
    await book.save([rule("KARACA", "Karaca")]);

    const { key } = rule("KARACA", "");
    expect([await book.remove(key), await book.remove(key)]).toEqual([true, false]);
    expect(await book.list()).toEqual([]);
  });

  it("keeps the rules of stores apart", async () => {
    const store = await openStore();
    await openBook(store).save([rule("KARACA", "Karaca")]);

    expect(await openBook(store, "store-2").list()).toEqual([]);
  });
});
