/** An export of a small store whose products change status while their listings are read. */

import { ApiError, ShapeError } from "@catalog/client/errors";
import { type ListingEnd, readPages } from "@catalog/client/paging";
import type { Connection } from "@catalog/connection";
import type { Page, PageQuery } from "@catalog/contract";
import { type Listing, readListings } from "@catalog/exporter/read-listings";

import type { Random } from "./random.ts";

type ExportJob = Awaited<ReturnType<Connection["memory"]["exportStaging"]["open"]>>;
type StagedItem = Parameters<ExportJob["save"]>[0][number];
type ExportCheckpoint = NonNullable<Awaited<ReturnType<ExportJob["readCheckpoint"]>>>;

const STATUSES = ["approved", "passive", "veto"] as const;
type Status = (typeof STATUSES)[number];

interface Product {
  readonly id: string;
  status: Status | "gone";
  /** Answer after which it changed last. */
  changedAt: number;
}

/**
 * A product that changes again sooner could hide from any number of looks: it may always be in a
 * listing that is not asked for.
 */
const ANSWERS_BETWEEN_CHANGES = 4;

/** The end of an export in a restless store. */
export interface PlayedExport {
  readonly broken: readonly string[];
  /** Whether the reading found the store still. */
  readonly isConsistent: boolean;
}

/** A process that dies in its export. */
class Killed extends Error {}

interface Shop {
  readonly products: Product[];
  readonly listings: readonly Listing[];
  /** Answers given so far. */
  calls: number;
  /** Call at which the process dies; none after it. */
  diesAt: number;
}

/**
 * Exports a store, with a kill in between in some worlds. Between two answers at most one product
 * changes, or the process is away and several do.
 */
export async function playExport(random: Random): Promise<PlayedExport> {
  const shop = createShop(random);
  const lasting = new Set(shop.products.map(({ id }) => id));
  const job = createJob();
  if (random.chance(0.3)) {
    shop.diesAt = random.between(1, 12);
    await readListings({ listings: shop.listings, job }).catch(rethrowOthers);
    shop.diesAt = Infinity;
    for (let left = random.below(4); left > 0; left -= 1) move(shop, random);
  }
  const end = await readListings({ listings: shop.listings, job }).catch(rethrowOthers);
  // A reading that fails writes no file.
  if (end === undefined) return { isConsistent: false, broken: [] };
  const { isConsistent, isChecked, missing } = end;
  const gone = new Set(shop.products.filter(({ status }) => status === "gone").map(({ id }) => id));
  const lost = [...lasting].filter((id) => !gone.has(id) && !job.ids.has(id));
  return {
    isConsistent,
    broken: [
      // The totals of this store are right.
      ...(isChecked ? [] : ["an export says that the totals cannot be right"]),
      ...(isConsistent && lost.length > missing
        ? [`an export misses ${lost.join(", ")} and reports ${missing}`]
        : []),
    ],
  };
}

/** The client refuses a listing whose pages repeat, as those of a store that moves may. */
function rethrowOthers(error: unknown): undefined {
  if (!(error instanceof Killed) && !(error instanceof ShapeError)) throw error;
}

function createShop(random: Random): Shop {
  const pageSize = random.between(3, 6);
  const restlessness = random.pick([0.02, 0.1, 0.3]);
  const width = random.between(1, 4);
  const products = Array.from({ length: random.below(40) }, (_, index): Product => {
    const status = random.chance(0.7) ? "approved" : random.pick(STATUSES);
    return { id: `p-${index}`, status, changedAt: -Infinity };
  });
  const isPastEndRefused = random.chance(0.3);
  const shop: Shop = { products, listings: [], calls: 0, diesAt: Infinity };
  const answer = async (status: Status, page: number, size: number) => {
    // Pages that are asked for side by side are answered in any order.
    for (let turn = random.below(width); turn > 0; turn -= 1) await Promise.resolve();
    shop.calls += 1;
    if (shop.calls === shop.diesAt) throw new Killed("killed");
    if (random.chance(restlessness)) move(shop, random);
    const listed = products.filter((product) => product.status === status);
    const shown = listed.slice((page - 1) * size, page * size);
    if (isPastEndRefused && page > 1 && shown.length === 0) throw noSuchPage();
    return { total: listed.length, items: shown.map(({ id }) => ({ id, rank: 0, item: { id } })) };
  };
  const listings = STATUSES.map((status): Listing => {
    const fetch: Listing["fetch"] = (page, size) => answer(status, page, size);
    return { name: status, pageSize, fetch, pages: (from) => toPages(fetch, { from, width }) };
  });
  return Object.assign(shop, { listings });
}

const noSuchPage = (): ApiError =>
  new ApiError("no such page", { endpoint: "product.list", phase: "body", status: 404 });

interface Pages {
  readonly from: Parameters<Listing["pages"]>[0];
  readonly width: number;
}

/** Reads the pages as the client does. */
async function* toPages(
  fetch: Listing["fetch"],
  { from: { page, size, onEnd }, width }: Pages,
): ReturnType<Listing["pages"]> {
  const fetchPage = async (query: PageQuery): Promise<Page<StagedItem>> => {
    const { total, items } = await fetch(query.page ?? 1, query.limit ?? size);
    return { total, result: items };
  };
  const paging = { defaultSize: size, maxSize: size };
  const options = { name: "product.list", paging, input: { page, limit: size } };
  const end = (last: ListingEnd): void => onEnd(last);
  const pages = readPages(fetchPage, { ...options, width: () => width, onEnd: end });
  for await (const { result, ...answer } of pages) yield { ...answer, items: result };
}

/** A product appears, changes its status, or leaves the store. */
function move({ products, calls }: Pick<Shop, "products" | "calls">, random: Random): void {
  if (random.chance(0.3)) {
    const status = random.pick(STATUSES);
    products.push({ id: `p-${products.length}`, status, changedAt: calls });
    return;
  }
  const product = products[random.below(Math.max(1, products.length))];
  if (product === undefined || product.status === "gone") return;
  if (calls - product.changedAt < ANSWERS_BETWEEN_CHANGES) return;
  product.status = random.pick([...STATUSES, "gone"]);
  product.changedAt = calls;
}

interface MemoryJob extends Pick<ExportJob, "readCheckpoint" | "save"> {
  readonly ids: ReadonlySet<string>;
}

function createJob(): MemoryJob {
  const ids = new Set<string>();
  let saved: ExportCheckpoint | undefined;
  return {
    ids,
    readCheckpoint: async () => saved,
    async save(items, checkpoint) {
      const known = items.filter(({ id }) => ids.has(id)).length;
      for (const { id } of items) ids.add(id);
      saved = structuredClone(checkpoint(known));
      return items.length - known;
    },
  };
}
