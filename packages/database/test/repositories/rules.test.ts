import { systemClock } from "@catalog/clock";
import { describe, expect, it } from "vitest";

import { createRuleRepository, type Rule } from "../../src/repositories/rules.ts";
import { openTestJournal } from "../helpers/open-test-journal.ts";
import { describeOnPostgres, openTestPostgres } from "../helpers/open-test-postgres.ts";
import { OTHER_STORE, STORE } from "../helpers/runs-and-rows.ts";

const rule = (value: string, target: string, rest: Partial<Rule> = {}): Rule => ({
  key: `brand\n${value.toLowerCase()}`,
  field: "brand",
  value,
  target,
  targetId: null,
  ...rest,
});

describe("createRuleRepository", () => {
  it("keeps rules over processes, and lists them by field and value", async () => {
    const store = await openTestJournal();
    const saved = [rule("KARACA", "Karaca Home"), rule("ACME", "Acme", { targetId: "b-1" })];

    await createRuleRepository(store).save(saved);

    const elsewhere = createRuleRepository(await openTestJournal({ path: store.path, runs: [] }));
    expect(await elsewhere.list()).toEqual(saved.toReversed());
  });

  it("replaces a rule of the same key", async () => {
    const repository = createRuleRepository(await openTestJournal());
    await repository.save([rule("KARACA", "Karaca")]);

    await repository.save([rule("Karaca", "Karaca Home")]);

    expect(await repository.list()).toEqual([rule("Karaca", "Karaca Home")]);
  });

  it("deletes a rule, and reports when there was none", async () => {
    const repository = createRuleRepository(await openTestJournal());
    await repository.save([rule("KARACA", "Karaca")]);

    const { key } = rule("KARACA", "");
    expect([await repository.remove(key), await repository.remove(key)]).toEqual([true, false]);
    expect(await repository.list()).toEqual([]);
  });

  it("keeps the rules of stores apart", async () => {
    const store = await openTestJournal();
    await createRuleRepository(store).save([rule("KARACA", "Karaca")]);

    expect(await createRuleRepository({ ...store, store: OTHER_STORE }).list()).toEqual([]);
  });

  it("undoes the last change, then the one before it", async () => {
    const repository = createRuleRepository(await openTestJournal());
    const [old, other] = [rule("KARACA", "Karaca"), rule("ACME", "Acme")];
    await repository.save([old]);
    await repository.save([rule("KARACA", "Karaca Home"), other]);
    await repository.remove(other.key);

    const removed = await repository.undo();
    const saved = await repository.undo();
    const after = await repository.list();
    await repository.undo();

    expect(removed?.restored).toEqual([{ before: other, after: null }]);
    expect(saved?.restored).toHaveLength(2);
    expect(after).toEqual([old]);
    expect(await repository.list()).toEqual([]);
    expect(await repository.undo()).toBeUndefined();
  });

  it("leaves what was changed since, and undoes no batch twice", async () => {
    const repository = createRuleRepository(await openTestJournal());
    const batch = await repository.save([rule("KARACA", "Karaca"), rule("ACME", "Acme")]);
    await repository.save([rule("KARACA", "Karaca Home")]);

    const undone = await repository.undo(batch);

    expect(undone).toMatchObject({ restored: [{ before: null }], left: [{ before: null }] });
    expect(await repository.list()).toEqual([rule("KARACA", "Karaca Home")]);
    expect(await repository.undo(batch)).toBeUndefined();
  });

  it("undoes answers of one batch together, and notes nothing where nothing changes", async () => {
    const repository = createRuleRepository(await openTestJournal());
    const first = rule("KARACA", "Karaca");
    const batch = await repository.save([first]);
    await repository.save([rule("ACME", "Acme")], batch);

    expect(await repository.save([first])).toBeUndefined();
    expect((await repository.undo())?.restored).toHaveLength(2);
    expect(await repository.list()).toEqual([]);
  });

  it("undoes only changes of its own store, and forgets the oldest ones", async () => {
    const store = await openTestJournal();
    const repository = createRuleRepository(store);
    const elsewhere = createRuleRepository({ ...store, store: OTHER_STORE });
    await repository.save([rule("KARACA", "0")]);
    for (let change = 1; change <= 101; change += 1) {
      await repository.save([rule("ACME", String(change))]);
    }

    expect(await elsewhere.undo()).toBeUndefined();
    expect(await repository.undo(1)).toBeUndefined();
    expect(await repository.undo(2)).toBeUndefined();
    expect(await repository.undo(3)).toMatchObject({ left: [{ after: { target: "2" } }] });
  });
});

describeOnPostgres("createRuleRepository on PostgreSQL", () => {
  it("undoes the last change", async () => {
    const { database } = await openTestPostgres();
    const repository = createRuleRepository({ database, clock: systemClock, store: STORE });
    await repository.save([rule("KARACA", "Karaca")]);
    await repository.save([rule("KARACA", "Karaca Home"), rule("ACME", "Acme")]);

    expect((await repository.undo())?.restored).toHaveLength(2);
    expect(await repository.list()).toEqual([rule("KARACA", "Karaca")]);
  });
});
