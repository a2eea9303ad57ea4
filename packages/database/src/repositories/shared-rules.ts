/** What holds in all stores of one marketplace that have nothing of their own. */

import type { RepositoryOptions } from "../locks/leases.ts";
import { type Steps, toStoreAddress } from "../sql/database.ts";
import { fromJson, toJson } from "../sql/queries.ts";
import type { Schema } from "../sql/schema.ts";

type SharedKind = Schema["shared_rule"]["kind"];

/** One thing that is shared. */
export interface Shared<Value> {
  readonly key: string;
  readonly value: Value;
  /** Grows with each change of it. */
  readonly version: number;
  readonly atMs: number;
}

/** What is shared of one kind. */
export interface SharedRules<Value> {
  /** Sorted by key. */
  list(): Promise<readonly Shared<Value>[]>;
  /** `null` shares it no longer. */
  put(key: string, value: Value | null): Promise<void>;
}

/** Opens what the stores of a store's marketplace share of a kind. */
export function createSharedRules<Value>(
  { database, clock, ...options }: RepositoryOptions,
  kind: SharedKind,
): SharedRules<Value> {
  const { baseUrl } = toStoreAddress(options.store);
  const query = database.build
    .selectFrom("shared_rule")
    .selectAll()
    .where("base_url", "=", baseUrl)
    .where("kind", "=", kind);
  return {
    async list() {
      const found = await database.execute(database.all(query.orderBy("key")));
      return found.flatMap(({ key, value_json: json, version, at_ms: atMs }) => {
        const value = fromJson<Value | null>(json);
        return value === null ? [] : [{ key, value, version, atMs }];
      });
    },
    async put(key, value) {
      // A store of a server cannot write for others by mistake.
      const wide = database.across("sharing");
      await wide.transaction(function* put(): Steps<void> {
        const known = yield* wide.get(query.where("key", "=", key));
        yield* wide.upsert("shared_rule", ["base_url", "kind", "key"], {
          base_url: baseUrl,
          kind,
          key,
          value_json: toJson(value),
          // A plan knows by it that something has changed, also where it was taken away in between.
          version: (known?.version ?? 0) + 1,
          at_ms: clock.now(),
        });
      });
    },
  };
}
