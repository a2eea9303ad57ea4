/** The price rules and costs of a store: read for a plan, and the bases of prices that it needs. */

import { type Connection, createStoredNameLists } from "@catalog/connection";
import type { Category } from "@catalog/contract";
import type { PriceRule } from "@catalog/pricing";
import type { CandidateRow, PricedProduct } from "@catalog/runs";

type ProductId = NonNullable<PricedProduct["productId"]>;

type PriceRepository = Connection["memory"]["prices"];
type KeptBase = Awaited<ReturnType<PriceRepository["listBases"]>>[number];
type PriceBase = Parameters<PriceRepository["saveBases"]>[0][number];

/** The rules, costs and bases of a store as they are now. */
export interface PriceRules {
  /** Version of the rules; 0 before the first ones. */
  readonly version: number;
  readonly savedAtMs: number;
  /** The versions of rules, costs and bases as one text; `undefined` where there have never been any. */
  readonly stamp: string | undefined;
  readonly rules: readonly PriceRule[];
  /** Whether they are those of all stores of the marketplace, as this one has none of its own. */
  readonly isShared: boolean;
  /** In minor units, by the key of the product code. */
  readonly costs: ReadonlyMap<string, number>;
  readonly bases: PriceBases;
  /** The path of a category that we have sent; `undefined` for one that is not known. */
  readonly nameCategory: (
    id: NonNullable<CandidateRow["changes"]["category_id"]>,
  ) => string | undefined;
}

/** What one product's price began from. */
export interface PriceBases {
  /**
   * The base of a product that the store shows at a price. A base of which nothing was sent, such as
   * that of a plan that was thrown away, gives way to another price of the store.
   */
  read(productId: ProductId, price: number | undefined): PriceBase | undefined;
  /** Keeps a base until {@link PriceBases.save}; the last one of a product counts. */
  note(base: PriceBase): void;
  /** Writes what was noted. */
  save(): Promise<void>;
}

interface StoredRules extends Awaited<ReturnType<PriceRepository["readRules"]>> {
  readonly rules: readonly PriceRule[];
}

/** Reads the rules of a store alone, without its costs and bases. */
export async function readStoredRules({
  prices,
}: Pick<Connection["memory"], "prices">): Promise<StoredRules> {
  const { rules, ...saved } = await prices.readRules();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- saved as they were parsed
  return { ...saved, rules: rules as readonly PriceRule[] };
}

/** Reads the rules of a store. */
export async function readPriceRules({
  memory: { prices, names: cache },
  baseUrl,
}: Pick<Connection, "memory" | "baseUrl">): Promise<PriceRules> {
  const { rules, ...saved } = await readStoredRules({ prices });
  const costs = new Map((await prices.listCosts()).map(({ codeKey, cost }) => [codeKey, cost]));
  const hasStore = rules.some(({ source }) => source === "store");
  const bases = createBases(prices, hasStore ? await prices.listBases() : []);
  const hasCategory = rules.some(({ category }) => category !== undefined);
  const paths = hasCategory
    ? toPaths(await createStoredNameLists({ cache, baseUrl }).categories())
    : new Map<string, string>();
  const stamp = toStamp(saved);
  const isShared = saved.sharedVersion !== undefined;
  return { ...saved, isShared, stamp, rules, costs, bases, nameCategory: (id) => paths.get(id) };
}

/** Reads what a plan made with the present rules has as its stamp. */
export const readPricesStamp = async ({
  memory: { prices },
}: Pick<Connection, "memory">): Promise<PriceRules["stamp"]> => toStamp(await prices.readRules());

const toStamp = ({
  version,
  costsVersion,
  sharedVersion,
}: Pick<
  Awaited<ReturnType<PriceRepository["readRules"]>>,
  "version" | "costsVersion" | "sharedVersion"
>) => {
  if (sharedVersion !== undefined) return `${version} ${costsVersion} shared ${sharedVersion}`;
  return version + costsVersion === 0 ? undefined : `${version} ${costsVersion}`;
};

const toPaths = (categories: readonly Category[]): ReadonlyMap<string, string> =>
  new Map(
    categories.map(({ id, name, category_path: path }) => [id, `${path ?? ""} > ${name}`] as const),
  );

function createBases(prices: PriceRepository, stored: readonly KeptBase[]): PriceBases {
  const known = new Map(stored.map((base) => [base.productId, base]));
  const noted = new Map<ProductId, PriceBase>();
  return {
    // What a plan has noted is no base yet: the product may be read again before it is decided.
    read(productId, price) {
      const base = known.get(productId);
      if (base === undefined || base.wasSent || price === undefined) return base;
      // A price that a rule has made may be ours all the same, sent from another home.
      return price === base.price || base.made.includes(price) ? base : undefined;
    },
    note: (base) => void noted.set(base.productId, base),
    async save() {
      await prices.saveBases([...noted.values()]);
      noted.clear();
    },
  };
}
