/** The true state of a simulated world: what is in the store, since when, and from which sender. */

import {
  type ListingStatus,
  type ProductAdd,
  type ProductId,
  type ProductUpdate,
  type StoreProduct,
  idSchemas,
} from "@catalog/contract";

import type { Random } from "./random.ts";
import {
  type Edit,
  EDITED_FIELDS,
  type EditedField,
  OLD_PRICE,
  OLD_STOCK,
  type OldProduct,
} from "./scenario.ts";

export interface TrueProduct {
  readonly id: ProductId;
  readonly code: string;
  readonly by: "store" | "us" | "other";
  /** Row that it is from, such as `r-1/3`; `undefined` for another program's product. */
  readonly tag: string | undefined;
  /** State of the home that has sent it; another state does not know it. */
  readonly line: string | undefined;
  /** Whether its sender was told that it was refused. */
  readonly isDenied: boolean;
  readonly body: StoreProduct;
  readonly status: ListingStatus;
  readonly addedAtMs: number;
  readonly visibleAtMs: number;
}

/** A value of a field, with the time at which it was written. */
export interface Standing {
  readonly value: unknown;
  readonly sinceMs: number;
  /** A run, or another writer. */
  readonly by: string;
}

/** One answered read of a listing. */
export interface Read {
  readonly atMs: number;
  readonly status: ListingStatus;
  /** The code that was read; `undefined` covers every code. */
  readonly code: string | undefined;
  readonly byIds: boolean;
}

/** Sender of a product; `undefined` for another program. */
export interface MarketSender {
  readonly line: string;
  readonly isDenied: boolean;
}

export interface MarketOptions {
  readonly nowMs: () => number;
  readonly lagMs: () => number;
  readonly storesCode: (code: string) => string;
  readonly isFilterUseless: boolean;
  readonly products: readonly OldProduct[];
  readonly random: Random;
}

export interface ListFilter {
  readonly status: ListingStatus;
  readonly code?: string | undefined;
  readonly ids?: readonly ProductId[] | undefined;
  readonly addedAfterMs?: number | undefined;
}

export interface Market {
  readonly products: ReadonlyMap<ProductId, TrueProduct>;
  readonly reads: readonly Read[];
  /** Number of writes carried out. */
  readonly writes: number;
  add(body: ProductAdd, sender?: MarketSender): ProductId;
  /** Returns whether the product exists. */
  update(body: ProductUpdate, by: string): boolean;
  /** A person changes a product in the panel; without products it has no effect. */
  edit(edit: Edit): void;
  /** Values of a product's field, oldest first. */
  historyOf(id: ProductId, field: EditedField): readonly Standing[];
  /** Counting reveals nothing about a code. */
  count(status: ListingStatus): number;
  list(filter: ListFilter): readonly StoreProduct[];
}

export function createMarket(options: MarketOptions): Market {
  const { nowMs, lagMs, random } = options;
  const products = new Map<ProductId, TrueProduct>();
  const reads: Read[] = [];
  const flips = new Map<number, { readonly id: ProductId; readonly to: ListingStatus }[]>();
  let writes = 0;
  const history = new Map<string, Standing[]>();

  const stand = (body: StoreProduct, by: string): void => {
    for (const field of EDITED_FIELDS) {
      const key = `${body.id} ${field}`;
      const past = history.get(key) ?? [];
      history.set(key, past);
      const value = body[field];
      if (past.at(-1)?.value !== value) past.push({ value, by, sinceMs: nowMs() });
    }
  };
  const put = (product: TrueProduct, by: string): void => {
    products.set(product.id, product);
    stand(product.body, by);
  };
  const flipAt = (read: number, id: ProductId, to: ListingStatus): void => {
    flips.set(read, [...(flips.get(read) ?? []), { id, to }]);
  };
  options.products.forEach(({ code, status, flip }, at) => {
    const id = idSchemas.product.parse(`old-${at}`);
    const body = {
      id,
      product_code: code,
      title: `Old ${code}`,
      stock: OLD_STOCK,
      price: OLD_PRICE,
    };
    const old = {
      by: "store",
      tag: undefined,
      line: undefined,
      isDenied: false,
      addedAtMs: -Infinity,
      visibleAtMs: -Infinity,
    } as const;
    put({ id, code, body, status, ...old }, "store");
    if (flip !== undefined) flipAt(flip.atRead, id, flip.to);
  });
  const flipDue = (): void => {
    for (const { id, to } of flips.get(reads.length) ?? []) {
      const product = products.get(id);
      if (product !== undefined) products.set(id, { ...product, status: to });
    }
  };

  return {
    products,
    reads,
    get writes() {
      return writes;
    },
    add(body, sender) {
      const by = sender === undefined ? "other" : "us";
      if (by === "us") writes += 1;
      const id = idSchemas.product.parse(`new-${products.size}`);
      const code = options.storesCode(body.product_code);
      const shown = {
        id,
        product_code: code,
        title: body.title,
        description: body.description,
        price: body.price,
        stock: body.stock_count,
      };
      const visibleAtMs = nowMs() + lagMs();
      if (random.chance(0.2)) flipAt(reads.length + random.between(1, 8), id, "passive");
      const tag = by === "us" ? body.description : undefined;
      const times = { addedAtMs: nowMs(), visibleAtMs };
      const { line, isDenied = false } = sender ?? {};
      put({ id, code, by, tag, line, isDenied, body: shown, status: "approved", ...times }, by);
      return id;
    },
    update(body, by) {
      const product = products.get(body.product_id);
      if (product === undefined) return false;
      writes += 1;
      const stock = body.stock_count ?? product.body.stock;
      const title = body.title ?? product.body.title;
      const price = body.price ?? product.body.price;
      put({ ...product, body: { ...product.body, title, stock, price } }, by);
      return true;
    },
    edit({ product: number, field, value }) {
      const all = [...products.values()];
      const product = all[number % Math.max(1, all.length)];
      if (product === undefined) return;
      put({ ...product, body: { ...product.body, [field]: value } }, "other");
    },
    historyOf: (id, field) => history.get(`${id} ${field}`) ?? [],
    count: (status) => [...products.values()].filter((product) => product.status === status).length,
    list({ status, code, ids, addedAfterMs }) {
      // A filter that never finds anything is no read of a code.
      if (code !== undefined && options.isFilterUseless) return [];
      reads.push({ atMs: nowMs(), status, code, byIds: ids !== undefined });
      const found: StoreProduct[] = [];
      for (const product of products.values()) {
        const isShown = product.status === status && product.visibleAtMs <= nowMs();
        if (isShown && isAskedFor(product, { code, ids, addedAfterMs })) found.push(product.body);
      }
      flipDue();
      return found;
    },
  };
}

function isAskedFor(
  { id, code: shown, addedAtMs }: TrueProduct,
  { code, ids, addedAfterMs = -Infinity }: Omit<ListFilter, "status">,
): boolean {
  if (addedAtMs <= addedAfterMs && addedAtMs > -Infinity) return false;
  if (ids !== undefined && !ids.includes(id)) return false;
  return code === undefined || isLike(shown, code);
}

/** The specification does not state that the filter is exact, so it is not. */
function isLike(shown: string, code: string): boolean {
  return shown.toLowerCase().includes(code.trim().toLowerCase());
}
