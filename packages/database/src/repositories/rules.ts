/** The rules of a store, and how they were changed, so that a change can be undone. */

import type { RepositoryOptions } from "../locks/leases.ts";
import { type Steps, together } from "../sql/database.ts";
import { fromJson, toJson } from "../sql/queries.ts";
import type { Schema } from "../sql/schema.ts";
import { createSharedRules } from "./shared-rules.ts";

/** What a person has said that a text means in one field of a store's sheets. */
export interface Rule {
  /** Two rules with one key are the same rule; the later one replaces the earlier. */
  readonly key: string;
  readonly field: string;
  /** The text as it stands in files. */
  readonly value: string;
  /** Its meaning as people read it. */
  readonly target: string;
  /** Id of the meaning, where the name alone is ambiguous. */
  readonly targetId: string | null;
  /** Further meanings in their order, where the category of a row decides. @default none */
  readonly further?: readonly RuleMeaning[] | undefined;
  /** Whether it holds in all stores of the marketplace that have no rule of their own. @default false */
  readonly isShared?: true | undefined;
}

/** One of the meanings of a text. */
export type RuleMeaning = Pick<Rule, "target" | "targetId">;

/** One rule before and after a change; `null` where there was none. */
export interface RuleChange {
  readonly before: Rule | null;
  readonly after: Rule | null;
}

/** What undoing a batch of changes did. */
export interface UndoneRules {
  readonly batch: number;
  /** When the batch was begun. */
  readonly atMs: number;
  /** Changes that were undone: each rule is what it was before. */
  readonly restored: readonly RuleChange[];
  /** Rules that were changed again since, which stay as they are. */
  readonly left: readonly RuleChange[];
}

/** The rules of one store, and how they were changed. */
export interface RuleRepository {
  /** Returns the store's own rules, and those that it shares with others, sorted by field and value. */
  list(): Promise<readonly Rule[]>;
  /**
   * Has the rule hold in all stores of the marketplace, and no longer as this store's own; `false`
   * where it has none with this key.
   */
  share(key: string): Promise<boolean>;
  /** Makes a shared rule one of this store's own, and of no other one; `false` where there is none. */
  unshare(key: string): Promise<boolean>;
  /**
   * Writes all or none; a rule with a known key replaces the earlier one. Returns the batch under
   * which the changes are undone: the given one, or a new one. `undefined` where nothing changed.
   */
  save(rules: readonly Rule[], batch?: number): Promise<number | undefined>;
  /** Deletes a rule; returns whether there was one. */
  remove(key: string): Promise<boolean>;
  /**
   * Restores what the rules of a batch were before it, except those that were changed since.
   * `undefined` where there is nothing to undo. @default the last batch that was not undone
   */
  undo(batch?: number): Promise<UndoneRules | undefined>;
}

/** Batches that can be undone; older ones are forgotten. */
const MAX_BATCHES = 100;

/** What a transaction does with the rules of a store, as steps; see {@link RuleRepository}. */
export interface RuleTables {
  saveRules(rules: readonly Rule[], batch?: number): Steps<number | undefined>;
  undoRules(batch?: number): Steps<UndoneRules | undefined>;
}

/** Creates the rule repository of a store; rules of other stores are not visible. */
export function createRuleRepository(options: RepositoryOptions): RuleRepository {
  const { database } = options;
  const store = database.storeKey(options.store);
  const rules = createRuleTable(options, store);
  const { change, undo } = createRuleChanges(options);
  const shared = createSharedRules<Rule>(options, "names");
  const list = async (): Promise<readonly Rule[]> => {
    const [own, common] = await Promise.all([rules.list(), shared.list()]);
    const keys = new Set(own.map(({ key }) => key));
    const others = common.flatMap(({ value }) =>
      keys.has(value.key) ? [] : [{ ...value, isShared: true } as const],
    );
    return others.length === 0 ? own : [...own, ...others].toSorted(byPlace);
  };
  return {
    list,
    async share(key) {
      const own = (await rules.list()).find((rule) => rule.key === key);
      if (own === undefined) return false;
      // Beside a shared rule of the same meaning, the store's own one does no harm.
      await shared.put(key, own);
      await database.transaction(() => change(new Map([[key, null]])));
      return true;
    },
    async unshare(key) {
      const found = (await shared.list()).find((one) => one.key === key);
      if (found === undefined) return false;
      const own = (await rules.list()).some((rule) => rule.key === key);
      if (!own) await database.transaction(() => change(byKey([found.value])));
      await shared.put(key, null);
      return true;
    },
    async save(given, batch) {
      const common = new Map((await shared.list()).map(({ key, value }) => [key, value]));
      const own = new Set(common.size === 0 ? [] : (await rules.list()).map(({ key }) => key));
      // A copy of a shared rule would not follow it.
      const wanted = given.filter(
        (rule) => own.has(rule.key) || !isSameRule(rule, common.get(rule.key) ?? null),
      );
      return await database.transaction(() => change(byKey(wanted), batch));
    },
    async remove(key) {
      return (await database.transaction(() => change(new Map([[key, null]])))) !== undefined;
    },
    undo: (batch) => database.transaction(() => undo(batch)),
  };
}

/** Creates the steps, for transactions that change other tables as well. */
export function createRuleTables(options: RepositoryOptions): RuleTables {
  const { change, undo } = createRuleChanges(options);
  return { saveRules: (rules, batch) => change(byKey(rules), batch), undoRules: undo };
}

const byPlace = (one: Rule, other: Rule): number =>
  one.field === other.field
    ? Number(one.value > other.value) - Number(one.value < other.value)
    : Number(one.field > other.field) - Number(one.field < other.field);

const byKey = (rules: readonly Rule[]): ReadonlyMap<string, Rule> =>
  new Map(rules.map((rule) => [rule.key, rule]));

function createRuleChanges(options: RepositoryOptions) {
  const store = options.database.storeKey(options.store);
  const rules = createRuleTable(options, store);
  const log = createChangeTable(options, store);
  /** Changes rules, and notes what they were; returns the batch of the notes. */
  function* change(
    wanted: ReadonlyMap<string, Rule | null>,
    joined?: number,
  ): Steps<number | undefined> {
    const known = yield* rules.readAll();
    const changed = Array.from(wanted, ([key, after]) => ({
      key,
      before: known.get(key) ?? null,
      after,
    })).filter(({ before, after }) => !isSameRule(before, after));
    if (changed.length === 0) return undefined;
    const batch = joined ?? (yield* log.nextBatch());
    yield* log.note(batch, changed);
    yield* together(changed.map(({ key, after }) => rules.put(key, after)));
    return batch;
  }
  function* undo(wanted?: number): Steps<UndoneRules | undefined> {
    const batch = wanted ?? (yield* log.lastWaiting());
    if (batch === undefined) return undefined;
    const notes = yield* log.readWaiting(batch);
    const [first] = notes;
    if (first === undefined) return undefined;
    const known = yield* rules.readAll();
    const [restored, left]: [RuleChange[], RuleChange[]] = [[], []];
    // The last change of a rule comes first, as only then the one before it stands.
    for (const { key, before, after } of notes.toReversed()) {
      const isCurrent = isSameRule(known.get(key) ?? null, after);
      (isCurrent ? restored : left).unshift({ before, after });
      if (!isCurrent) continue;
      yield* rules.put(key, before);
      if (before === null) known.delete(key);
      else known.set(key, before);
    }
    yield* log.mark(batch);
    return { batch, atMs: first.atMs, restored, left };
  }
  return { change, undo };
}

function createRuleTable({ database, clock }: RepositoryOptions, store: number) {
  const { build } = database;
  const ofStore = build.selectFrom("value_rule").selectAll().where("store", "=", store);
  return {
    async list(): Promise<readonly Rule[]> {
      const query = ofStore.orderBy("field").orderBy("value");
      return (await database.execute(database.all(query))).map(toRule);
    },
    *readAll(): Steps<Map<string, Rule>> {
      const found = yield* database.all(ofStore);
      return new Map(found.map((row) => [row.key, toRule(row)]));
    },
    *put(key: string, rule: Rule | null): Steps<number> {
      if (rule === null) {
        const query = build.deleteFrom("value_rule").where("store", "=", store);
        return yield* database.run(query.where("key", "=", key));
      }
      const { targetId, further = [], isShared: _, ...rest } = rule;
      const columns = {
        ...rest,
        store,
        target_id: targetId,
        created_at_ms: clock.now(),
        further_json: further.length === 0 ? null : toJson(further),
      };
      return yield* database.upsert("value_rule", ["store", "key"], columns);
    },
  };
}

/** A change under the key of its rule. */
interface NotedChange extends RuleChange {
  readonly key: string;
}

/** The changes of a store's rules; those that wait were not undone. */
function createChangeTable({ database, clock }: RepositoryOptions, store: number) {
  const { build } = database;
  const ofStore = build.selectFrom("rule_change").where("store", "=", store);
  const notUndone = ofStore.where("undone_at_ms", "is", null);
  const insert = database.prepareInsert("rule_change", [
    "store",
    "batch",
    "key",
    "before_json",
    "after_json",
    "at_ms",
  ]);
  return {
    note: (batch: number, changes: readonly NotedChange[]): Steps<number> =>
      insert(
        changes.map(({ key, before, after }) => ({
          store,
          batch,
          key,
          before_json: toNullableJson(before),
          after_json: toNullableJson(after),
          at_ms: clock.now(),
        })),
      ),
    *nextBatch(): Steps<number> {
      const last = yield* database.get(ofStore.select("batch").orderBy("batch", "desc").limit(1));
      const batch = (last?.batch ?? 0) + 1;
      const old = build.deleteFrom("rule_change").where("store", "=", store);
      yield* database.run(old.where("batch", "<=", batch - MAX_BATCHES));
      return batch;
    },
    *readWaiting(batch: number) {
      const query = notUndone.selectAll().where("batch", "=", batch).orderBy("id");
      const found = yield* database.all(query);
      return found.map(({ key, before_json: before, after_json: after, at_ms: atMs }) => ({
        key,
        before: fromNullableJson(before),
        after: fromNullableJson(after),
        atMs,
      }));
    },
    *lastWaiting(): Steps<number | undefined> {
      const last = notUndone.select("batch").orderBy("batch", "desc").limit(1);
      return (yield* database.get(last))?.batch;
    },
    *mark(batch: number): Steps<void> {
      const undone = build.updateTable("rule_change").set({ undone_at_ms: clock.now() });
      yield* database.run(undone.where("store", "=", store).where("batch", "=", batch));
    },
  };
}

const toRule = ({
  key,
  field,
  value,
  target,
  target_id: targetId,
  further_json: further,
}: Schema["value_rule"]): Rule => ({
  key,
  field,
  value,
  target,
  targetId,
  ...(further !== null && { further: fromJson<readonly RuleMeaning[]>(further) }),
});

const isSameRule = (one: Rule | null, other: Rule | null): boolean =>
  one === null || other === null
    ? one === other
    : one.field === other.field &&
      one.value === other.value &&
      one.target === other.target &&
      one.targetId === other.targetId &&
      toJson(one.further ?? []) === toJson(other.further ?? []);

const toNullableJson = (rule: Rule | null): string | null => (rule === null ? null : toJson(rule));

const fromNullableJson = (json: string | null): Rule | null =>
  json === null ? null : fromJson<Rule>(json);
