import type { Clock } from "@catalog/clock";

import type { Database } from "../sql/database.ts";
import { readStoreKey, type StoreAddress } from "../store-key.ts";

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
}

/** The rules of one store. */
export interface RuleRepository {
  /** Returns the rules sorted by field and value. */
  list(): Promise<readonly Rule[]>;
  /** Writes all or none; a rule with a known key replaces the earlier one. */
  save(rules: readonly Rule[]): Promise<void>;
  /** Deletes a rule; returns whether there was one. */
  remove(key: string): Promise<boolean>;
}

/** The database, the clock and the store of a repository. */
export interface RepositoryOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly store: StoreAddress;
}

/** Creates the rule repository of a store; rules of other stores are not visible. */
export function createRuleRepository({
  database,
  clock,
  ...options
}: RepositoryOptions): RuleRepository {
  const { build } = database;
  const store = readStoreKey(database, options.store);
  return {
    async list() {
      const query = build.selectFrom("value_rule").selectAll().where("store", "=", store);
      const found = await database.execute(database.all(query.orderBy("field").orderBy("value")));
      return found.map(({ key, field, value, target, target_id: targetId }) => ({
        key,
        field,
        value,
        target,
        targetId,
      }));
    },
    async save(rules) {
      await database.transaction(function* saveAll() {
        for (const { targetId, ...rule } of rules) {
          const columns = { ...rule, store, target_id: targetId, created_at_ms: clock.now() };
          yield* database.run(
            build
              .insertInto("value_rule")
              .values(columns)
              .onConflict((conflict) => conflict.columns(["store", "key"]).doUpdateSet(columns)),
          );
        }
      });
    },
    async remove(key) {
      const query = build.deleteFrom("value_rule").where("store", "=", store);
      return (await database.execute(database.run(query.where("key", "=", key)))) > 0;
    },
  };
}
