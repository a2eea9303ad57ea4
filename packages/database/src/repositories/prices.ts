/** The price rules of one store, what its products cost, and the prices that rules began from. */

import type { RepositoryOptions } from "../locks/leases.ts";
import type { Steps } from "../sql/database.ts";
import { fromJson, toJson } from "../sql/queries.ts";
import type { PriceSchema, ProductId } from "../sql/schema.ts";
import { createSharedRules } from "./shared-rules.ts";

/** The rules as they were saved last. */
export interface SavedPriceRules {
  /** Grows by one with each change of the rules; 0 before the first one. */
  readonly version: number;
  /** Grows with each change of the costs or bases. */
  readonly costsVersion: number;
  /** As they were handed in. */
  readonly rules: readonly unknown[];
  readonly savedAtMs: number;
  /**
   * Version of the rules that the stores of the marketplace share, where these are them: the store has
   * none of its own. @default they are the store's own
   */
  readonly sharedVersion?: number | undefined;
}

/** What a product costs its seller. */
export interface ProductCost {
  /** Product codes with the same key are the same product. */
  readonly codeKey: string;
  readonly code: string;
  /** In minor units. */
  readonly cost: number;
}

/** The store's price to which rules on the store's own price are applied. */
export interface PriceBase {
  readonly productId: ProductId;
  /** In minor units. */
  readonly price: number;
  readonly atMs: number;
  /** Prices that rules have made of it, the latest first. */
  readonly made: readonly number[];
}

/** A base as it is kept, with what came of it. */
export interface KeptPriceBase extends PriceBase {
  /**
   * Whether a request with a price was begun for the product since, or with a price that rules have
   * made. Otherwise nothing came of the plan that took the base.
   */
  readonly wasSent: boolean;
}

/** What a store keeps about prices. */
export interface PriceRepository {
  /** Returns the store's own rules; without any, those that are shared. */
  readRules(): Promise<SavedPriceRules>;
  /** Has the rules hold in all stores that have none of their own; `false` where there are none. */
  shareRules(): Promise<boolean>;
  /** Makes shared rules this store's own, and of no other one; `false` where there are none. */
  unshareRules(): Promise<boolean>;
  /** Replaces all rules; returns the new version. */
  saveRules(rules: readonly unknown[]): Promise<number>;
  /** The costs, sorted by code. */
  listCosts(): Promise<readonly ProductCost[]>;
  /** Adds costs and replaces those of known codes. */
  saveCosts(costs: readonly ProductCost[]): Promise<void>;
  /** Deletes all costs; returns how many there were. */
  removeCosts(): Promise<number>;
  listBases(): Promise<readonly KeptPriceBase[]>;
  saveBases(bases: readonly PriceBase[]): Promise<void>;
  /** Forgets all bases, so that the store's present prices become the next ones; returns how many. */
  forgetBases(): Promise<number>;
}

/** Rows written in one statement's transaction. */
const BATCH = 500;

/** Creates the repository of a store; prices of other stores are not visible. */
export function createPriceRepository(options: RepositoryOptions): PriceRepository {
  const rules = createRuleStore(options);
  return { ...rules, ...createCostStore(options, rules), ...createBaseStore(options, rules) };
}

interface RuleStore extends Pick<
  PriceRepository,
  "readRules" | "saveRules" | "shareRules" | "unshareRules"
> {
  /** Makes plans of the present costs and bases out of date, in the transaction that changes them. */
  readonly noteChange: () => Steps<void>;
}

const toSaved = (found: PriceSchema["price_rules"] | undefined): SavedPriceRules => ({
  version: found?.version ?? 0,
  costsVersion: found?.costs_version ?? 0,
  rules: found === undefined ? [] : fromJson<readonly unknown[]>(found.rules_json),
  savedAtMs: found?.saved_at_ms ?? 0,
});

/** The one key of the rules of prices. */
const ALL = "all";

function createRuleStore({ database, clock, ...options }: RepositoryOptions): RuleStore {
  const shared = createSharedRules<readonly unknown[]>({ database, clock, ...options }, "prices");
  const readShared = async () => (await shared.list()).find(({ key }) => key === ALL);
  const store = database.storeKey(options.store);
  const query = database.build.selectFrom("price_rules").selectAll().where("store", "=", store);
  /** Changes what is saved; two that change it at once do not take each other's version. */
  function* change(next: (saved: SavedPriceRules) => SavedPriceRules): Steps<SavedPriceRules> {
    const { version, costsVersion, rules, savedAtMs } = next(toSaved(yield* database.get(query)));
    yield* database.upsert("price_rules", ["store"], {
      store,
      version,
      costs_version: costsVersion,
      rules_json: toJson(rules),
      saved_at_ms: savedAtMs,
    });
    return { version, costsVersion, rules, savedAtMs };
  }
  const readOwn = async (): Promise<SavedPriceRules> =>
    toSaved(await database.execute(database.get(query)));
  const saveRules = async (rules: readonly unknown[]): Promise<number> => {
    const next = (saved: SavedPriceRules): SavedPriceRules => ({
      ...saved,
      version: saved.version + 1,
      rules,
      savedAtMs: clock.now(),
    });
    return (await database.transaction(() => change(next))).version;
  };
  return {
    async readRules() {
      const own = await readOwn();
      const common = own.rules.length > 0 ? undefined : await readShared();
      if (common === undefined) return own;
      const { value: rules, version: sharedVersion, atMs: savedAtMs } = common;
      return { ...own, rules, sharedVersion, savedAtMs };
    },
    async shareRules() {
      const { rules } = await readOwn();
      if (rules.length === 0) return false;
      await shared.put(ALL, rules);
      await saveRules([]);
      return true;
    },
    async unshareRules() {
      const common = await readShared();
      if (common === undefined) return false;
      if ((await readOwn()).rules.length === 0) await saveRules(common.value);
      await shared.put(ALL, null);
      return true;
    },
    *noteChange() {
      yield* change((saved) => ({ ...saved, costsVersion: saved.costsVersion + 1 }));
    },
    saveRules,
  };
}

function createCostStore(
  { database, clock, ...options }: RepositoryOptions,
  { noteChange }: Pick<RuleStore, "noteChange">,
): Pick<PriceRepository, "listCosts" | "saveCosts" | "removeCosts"> {
  const { build } = database;
  const store = database.storeKey(options.store);
  return {
    async listCosts() {
      const query = build
        .selectFrom("product_cost")
        .select(["code_key", "code", "cost"])
        .where("store", "=", store);
      const found = await database.execute(database.all(query.orderBy("code")));
      return found.map(({ code_key: codeKey, code, cost }) => ({ codeKey, code, cost }));
    },
    async saveCosts(costs) {
      for (let at = 0; at < costs.length; at += BATCH) {
        await database.transaction(function* saveBatch() {
          for (const { codeKey, code, cost } of costs.slice(at, at + BATCH)) {
            const columns = { store, code_key: codeKey, code, cost, saved_at_ms: clock.now() };
            yield* database.upsert("product_cost", ["store", "code_key"], columns);
          }
          yield* noteChange();
        });
      }
    },
    async removeCosts() {
      const query = build.deleteFrom("product_cost").where("store", "=", store);
      return await database.transaction(function* remove() {
        const removed = yield* database.run(query);
        yield* noteChange();
        return removed;
      });
    },
  };
}

function createBaseStore(
  { database, ...options }: RepositoryOptions,
  { noteChange }: Pick<RuleStore, "noteChange">,
): Pick<PriceRepository, "listBases" | "saveBases" | "forgetBases"> {
  const { build } = database;
  const store = database.storeKey(options.store);
  /** Requests of any outcome, as a price whose answer was lost may stand in the store. */
  const sent = build
    .selectFrom("price_base")
    .innerJoin("op", (join) =>
      join.onRef("op.product_id", "=", "price_base.product_id").on("op.store", "=", store),
    )
    .select(["op.product_id", "op.price", "op.begun_at_ms"])
    .where("price_base.store", "=", store)
    .where("op.price", "is not", null);
  return {
    async listBases() {
      const query = build.selectFrom("price_base").selectAll().where("store", "=", store);
      const found = await database.execute(database.all(query));
      const requests = await database.execute(database.all(sent));
      const sentOf = Map.groupBy(requests, ({ product_id: id }) => id);
      return found.map(({ product_id: productId, price, at_ms: atMs, made_json: json }) => {
        const made = fromJson<readonly number[]>(json);
        const wasSent = (sentOf.get(productId) ?? []).some(
          (one) => one.begun_at_ms >= atMs || made.includes(one.price ?? Number.NaN),
        );
        return { productId, price, atMs, made, wasSent };
      });
    },
    async saveBases(bases) {
      for (let at = 0; at < bases.length; at += BATCH) {
        await database.transaction(function* saveBatch() {
          for (const { productId, price, atMs, made } of bases.slice(at, at + BATCH)) {
            yield* database.upsert("price_base", ["store", "product_id"], {
              store,
              product_id: productId,
              price,
              at_ms: atMs,
              made_json: toJson(made),
            });
          }
        });
      }
    },
    async forgetBases() {
      const query = build.deleteFrom("price_base").where("store", "=", store);
      // A plan that was made from a base would send a price that the next plan takes for a new base.
      return await database.transaction(function* forget() {
        const forgotten = yield* database.run(query);
        yield* noteChange();
        return forgotten;
      });
    },
  };
}
