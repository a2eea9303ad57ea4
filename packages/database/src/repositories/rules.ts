import { type Clock } from "@catalog/clock";

import { type Database } from "../sqlite/sqlite.ts";
import { readStoreKey, type StoreAddress } from "../store-key.ts";

/** What a person once said that a text means in one field of a store's sheets. */
export interface Rule {
  /** Two rules with one key are one rule: the later word counts. */
  readonly key: string;
  readonly field: string;
  /** As it stands in files. */
  readonly value: string;
  /** What it means, as people read it. */
  readonly target: string;
  /** The id of what it means, where the name alone would not do. */
  readonly targetId: string | null;
}

/** The rules of one store. */
export interface RuleBook {
  /** By field and value. */
  list(): Promise<readonly Rule[]>;
  /** Writes all or none; a rule with a known key replaces it. */
  save(rules: readonly Rule[]): Promise<void>;
  /** Says whether there was such a rule. */
  remove(key: string): Promise<boolean>;
}

/** Where rules are kept, and whose they are. */
export interface StoreBookOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly store: StoreAddress;
}

/** The rule book of a store; the rules of other stores are unknown to it. */
export function createRuleBook({ database, clock, ...options }: StoreBookOptions): RuleBook {
  const { build } = database;
  const store = readStoreKey(database, options.store);
  return {
    async list() {
      const query = build.selectFrom("value_rule").selectAll().where("store", "=", store);
      return database
        .all(query.orderBy("field").orderBy("value"))
        .map(({ key, field, value, target, target_id: targetId }) => ({
          key,
          field,
          value,
          target,
          targetId,
        }));
    },
    async save(rules) {
      database.transaction(() => {
        for (const { targetId, ...rule } of rules) {
          const columns = { ...rule, store, target_id: targetId, created_at_ms: clock.now() };
          database.run(
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
      return database.run(query.where("key", "=", key)) > 0;
    },
  };
}
