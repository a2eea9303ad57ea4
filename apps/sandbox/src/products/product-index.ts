/** Products by id, code, status and time, so that a page costs the same however many products there are. */

import type { ListingStatus } from "@catalog/contract";

import type { SandboxProduct } from "./product-state.ts";

/** First index from `from` up to `to` at which the test holds; it must hold for all after that. */
export function findFirst(to: number, holds: (index: number) => boolean, from: number = 0): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Order of two places: negative where the first one comes first. */
type ComparePlaces = (a: number, b: number) => number;

/** The order of addition. */
export const byAddition: ComparePlaces = (a, b) => a - b;

/** Inserts a place that the sorted list does not have. */
function insertPlace(sorted: number[], place: number, compare: ComparePlaces): void {
  const last = sorted.at(-1);
  if (last === undefined || compare(last, place) < 0) sorted.push(place);
  else sorted.splice(indexOfPlace(sorted, place, compare), 0, place);
}

/** Removes a place from the sorted list that has it. */
function removePlace(sorted: number[], place: number, compare: ComparePlaces): void {
  sorted.splice(indexOfPlace(sorted, place, compare), 1);
}

function indexOfPlace(sorted: readonly number[], place: number, compare: ComparePlaces): number {
  return findFirst(sorted.length, (index) => {
    const other = sorted[index];
    return other === undefined || compare(other, place) >= 0;
  });
}

interface CodeIndex {
  add(code: string, place: number): void;
  remove(code: string, place: number): void;
  /** Places of products whose code is equal to this one without regard to case, in ascending order. */
  withCode(code: string): readonly number[];
  /** Places of products whose code starts with this text. */
  withPrefix(prefix: string): readonly number[];
  clear(): void;
}

/** Creates an index of the codes that `codeAt` gives for each place. */
function createCodeIndex(codeAt: (place: number) => string): CodeIndex {
  const byCode = new Map<string, number[]>();
  /** Every place in the order of codes; made when a prefix is first asked for. */
  let sorted: number[] | undefined;

  const compare: ComparePlaces = (a, b) => compareTexts(codeAt(a), codeAt(b)) || a - b;

  return {
    add(code, place) {
      const key = code.toLowerCase();
      const same = byCode.get(key);
      if (same === undefined) byCode.set(key, [place]);
      else insertPlace(same, place, byAddition);
      if (sorted !== undefined) insertPlace(sorted, place, compare);
    },
    remove(code, place) {
      const key = code.toLowerCase();
      const same = byCode.get(key) ?? [];
      if (same.length <= 1) byCode.delete(key);
      else removePlace(same, place, byAddition);
      if (sorted !== undefined) removePlace(sorted, place, compare);
    },
    withCode: (code) => byCode.get(code.toLowerCase()) ?? [],
    withPrefix(prefix) {
      sorted ??= [...byCode.values()].flat().toSorted(compare);
      const places = sorted;
      const codeOf = (index: number): string => codeAt(places[index] ?? 0);
      const start = findFirst(places.length, (index) => codeOf(index) >= prefix);
      let end = start;
      while (end < places.length && codeOf(end).startsWith(prefix)) end += 1;
      return places.slice(start, end);
    },
    clear() {
      byCode.clear();
      sorted = undefined;
    },
  };
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** When a product is shown: from a time in milliseconds since 1970, or from its approval. */
type HiddenUntil = number | "approval";

interface VisibleProducts {
  /** Adds a place; it is hidden where `until` is given, until `reveal` is called at that time. */
  add(place: number, until: HiddenUntil | undefined): void;
  /** Removes a place; called before its product changes. */
  remove(place: number): void;
  /** Shows the places whose time has come; returns whether there were any. */
  reveal(nowMs: number): boolean;
  /** Places that are shown in this status, in ascending order. */
  inStatus(status: ListingStatus): readonly number[];
  isListed(place: number): boolean;
  /** Hidden places, in ascending order. */
  hidden(): readonly number[];
  clear(): void;
}

interface Due {
  readonly place: number;
  readonly atMs: number;
}

/** Creates an empty list; `statusOf` gives the status of a place. */
function createVisibleProducts(statusOf: (place: number) => ListingStatus): VisibleProducts {
  const shown: Record<ListingStatus, number[]> = { approved: [], passive: [], veto: [] };
  const hidden = new Map<number, HiddenUntil>();
  /** Hidden places by time; an entry that `hidden` no longer has is passed over. */
  const dues: Due[] = [];

  const show = (place: number): void => insertPlace(shown[statusOf(place)], place, byAddition);
  /** Index of the first place that is due later. */
  const firstAfter = (timeMs: number): number =>
    findFirst(dues.length, (index) => (dues[index]?.atMs ?? Infinity) > timeMs);

  return {
    add(place, until) {
      if (until === undefined) return show(place);
      hidden.set(place, until);
      if (until !== "approval") dues.splice(firstAfter(until), 0, { place, atMs: until });
    },
    remove(place) {
      if (!hidden.delete(place)) removePlace(shown[statusOf(place)], place, byAddition);
    },
    reveal(nowMs) {
      const due = dues
        .splice(0, firstAfter(nowMs))
        .filter(({ place, atMs }) => hidden.get(place) === atMs && hidden.delete(place));
      for (const { place } of due) show(place);
      return due.length > 0;
    },
    inStatus: (status) => shown[status],
    isListed: (place) => !hidden.has(place),
    hidden: () => [...hidden.keys()].toSorted(byAddition),
    clear() {
      for (const places of Object.values(shown)) places.length = 0;
      hidden.clear();
      dues.length = 0;
    },
  };
}

/** The products that listings show now. */
export interface ListedProducts {
  /** A number that changes when any product does. */
  readonly version: number;
  /** Whether no product was added before the time of one before it. */
  readonly isChronological: boolean;
  /** Places of the products in this status, in ascending order. */
  inStatus(status: ListingStatus): readonly number[];
  isListed(place: number): boolean;
  /** The product at a place that one of the other methods returned. */
  at(place: number): SandboxProduct;
  /** The place of a product, listed or not. */
  placeOf(id: string): number | undefined;
  /** Places of products with this code in any case, listed or not, in ascending order. */
  withCode(code: string): readonly number[];
  /** Places of products whose code starts with this text, listed or not. */
  withPrefix(prefix: string): readonly number[];
}

interface ProductIndex {
  readonly size: number;
  /** Every product, in the order of addition; a copy. */
  products(): readonly SandboxProduct[];
  get(id: string): SandboxProduct | undefined;
  /** Products with exactly this code, in the order of addition. */
  withCode(code: string): readonly SandboxProduct[];
  /** Adds a product at the end, or replaces the one with its id at its place. */
  put(product: SandboxProduct): void;
  clear(): void;
  /** Products that no listing shows at this time. */
  hidden(nowMs: number): readonly SandboxProduct[];
  /** Products that listings show at this time. */
  listed(nowMs: number): ListedProducts;
}

/** The store's products, and what finds them. */
interface IndexState {
  /** In the order of addition. */
  readonly all: SandboxProduct[];
  readonly placeById: Map<string, number>;
  readonly codes: CodeIndex;
  readonly visible: VisibleProducts;
  version: number;
  isChronological: boolean;
}

export function createProductIndex(): ProductIndex {
  const state = createState();
  const { all, placeById, codes, visible } = state;
  const at = (place: number): SandboxProduct => productAt(all, place);
  const listed = createView(state);

  return {
    get size() {
      return all.length;
    },
    products: () => [...all],
    get(id) {
      const place = placeById.get(id);
      return place === undefined ? undefined : all[place];
    },
    withCode(code) {
      const same = codes.withCode(code).map(at);
      return same.filter(({ product_code }) => product_code === code);
    },
    put: (product) => put(state, product),
    clear() {
      all.length = 0;
      [placeById, codes, visible].forEach((part) => part.clear());
      state.isChronological = true;
      state.version += 1;
    },
    hidden(nowMs) {
      visible.reveal(nowMs);
      return visible.hidden().map(at);
    },
    listed(nowMs) {
      if (visible.reveal(nowMs)) state.version += 1;
      return listed;
    },
  };
}

function createState(): IndexState {
  const all: SandboxProduct[] = [];
  return {
    all,
    placeById: new Map(),
    codes: createCodeIndex((place) => productAt(all, place).product_code),
    visible: createVisibleProducts((place) => productAt(all, place).status),
    version: 0,
    isChronological: true,
  };
}

function put(state: IndexState, product: SandboxProduct): void {
  const { all, placeById, codes, visible } = state;
  const place = placeById.get(product.id) ?? all.length;
  const before = all[place];
  if (before === undefined) {
    const lastMs = all.at(-1)?.addedAtMs ?? -Infinity;
    state.isChronological &&= lastMs <= product.addedAtMs;
  } else {
    codes.remove(before.product_code, place);
    visible.remove(place);
  }
  placeById.set(product.id, place);
  all[place] = product;
  codes.add(product.product_code, place);
  visible.add(place, product.hiddenUntilMs);
  state.version += 1;
}

function createView(state: IndexState): ListedProducts {
  const { all, placeById, codes, visible } = state;
  return {
    get version() {
      return state.version;
    },
    get isChronological() {
      return state.isChronological;
    },
    inStatus: (status) => visible.inStatus(status),
    isListed: (place) => visible.isListed(place),
    at: (place) => productAt(all, place),
    placeOf: (id) => placeById.get(id),
    withCode: (code) => codes.withCode(code),
    withPrefix: (prefix) => codes.withPrefix(prefix),
  };
}

function productAt(all: readonly SandboxProduct[], place: number): SandboxProduct {
  const product = all[place];
  if (product === undefined) throw new RangeError(`no product is at the place ${place}`);
  return product;
}
