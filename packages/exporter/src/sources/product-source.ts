/** The store's products, in every status; and products of all stores that a search finds. */

import { createNameLists, type Connection, priceUnitOf } from "@catalog/connection";
import {
  endpoints,
  type FoundProduct,
  LISTING_STATUSES,
  type ListingStatus,
  MAX_PAGE_SIZE,
  type ProductId,
  type ShippingTemplate,
  type StoreProduct,
  type InputOf,
} from "@catalog/contract";
import { InputError } from "@catalog/i18n";
import { codeKey, createNameIndexes, type NameIndex } from "@catalog/mapping";
import { type Ledger, type PriceUnit, createPriceUnitCount } from "@catalog/runs";

import { withUnit } from "../columns/amount-columns.ts";
import {
  createProductColumns,
  FURTHER_PRODUCT_COLUMNS,
  type ListedProduct,
} from "../columns/product-columns.ts";
import { SEARCH_COLUMNS } from "../columns/search-columns.ts";
import { type Listing, type ListingsEnd, readListings } from "../read-listings.ts";
import {
  createListing,
  parseFilters,
  type Source,
  type SourceContext,
  startDate,
} from "./source.ts";

interface ProductSourceOptions {
  readonly context: SourceContext;
  readonly journal: Ledger;
  readonly names: Connection["memory"]["names"];
  readonly notes: Connection["memory"]["notes"];
  readonly baseUrl: string;
  readonly template: "import" | "full";
  /** Unit of the listing's prices, where a person states it. */
  readonly priceUnit: Exclude<PriceUnit, "unknown"> | undefined;
  /** Whether a column is wanted; checked before calls that only one column needs. */
  readonly isWanted: (key: string) => boolean;
  readonly onPriceUnit: (unit: PriceUnit) => void;
  readonly onTooLong: () => void;
  /** Called with the codes and ids that were asked for and that no product has. */
  readonly onNotFound: (names: readonly string[]) => void;
}

export function createProductSource(options: ProductSourceOptions): Source<ListedProduct> {
  const { context } = options;
  const listings = createListings(context);
  let templates: Promise<Templates> | undefined;
  const needTemplates = (signal = context.signal): Promise<Templates> | undefined => {
    if (options.isWanted("shipping_template")) templates ??= readTemplates(options, signal);
    return templates;
  };
  return {
    async read() {
      const end = await readBeside(context, needTemplates, () =>
        readListings({ listings, ...context }),
      );
      if (!end.isStopped && context.since === undefined) {
        options.onNotFound(await findMissing(context));
      }
      return end;
    },
    async columns() {
      const priceUnit = options.priceUnit ?? (await findPriceUnit(options));
      options.onPriceUnit(priceUnit);
      const found = await needTemplates();
      const columns = createProductColumns({
        priceUnit,
        templateLabel: (id) => (found === undefined ? undefined : toLabel(found, id)),
        onTooLong: options.onTooLong,
      });
      return options.template === "full" ? [...columns, ...FURTHER_PRODUCT_COLUMNS] : columns;
    },
  };
}

/** Begins to read what the columns need while the products are read; ends it if those are not read. */
async function readBeside(
  { signal }: Pick<SourceContext, "signal">,
  begin: (signal: AbortSignal) => Promise<unknown> | undefined,
  read: () => Promise<ListingsEnd>,
): Promise<ListingsEnd> {
  const closing = new AbortController();
  const signals = [closing.signal, ...(signal === undefined ? [] : [signal])];
  const beside = begin(AbortSignal.any(signals));
  // The columns get its error, once the products are stored.
  beside?.catch(() => undefined);
  let end: ListingsEnd | undefined;
  try {
    end = await read();
    return end;
  } finally {
    if (end === undefined || end.isStopped) {
      closing.abort(new Error("the products were not read to their end"));
      await Promise.allSettled([beside]);
    }
  }
}

const listOf = (given: unknown): readonly string[] =>
  (Array.isArray(given) ? given : [given]).flatMap((each) =>
    typeof each === "string" && each !== "" ? [each] : [],
  );

/** Looks through what was read; a store lists many products, so no call is made for it. */
async function findMissing({ filters, job }: SourceContext): Promise<readonly string[]> {
  const [codes, ids] = [listOf(filters["product_code"]), listOf(filters["ids"])];
  if (codes.length + ids.length === 0) return [];
  const found = new Set<string>();
  for await (const { product } of job.items<ListedProduct>({ isNotYetWritten: false })) {
    found.add(product.id).add(codeKey(product.product_code ?? ""));
  }
  return [
    ...codes.filter((code) => !found.has(codeKey(code))),
    ...ids.filter((id) => !found.has(id)),
  ];
}

/** A listing for each status and code, and for each page of ids where ids are given. */
function createListings({ client, filters, since, signal }: SourceContext): readonly Listing[] {
  const { status, product_code: given, ...rest } = filters;
  const codes = listOf(given);
  const query = parseFilters(endpoints.product.list, rest);
  const listing = (wanted: ListingStatus, more: InputOf<"product.list">, name: string): Listing =>
    createListing({
      name,
      pageSize: MAX_PAGE_SIZE,
      query: {
        ...query,
        ...more,
        status: wanted,
        start_date: startDate(since, query.start_date),
        sort_by_date: "ascending",
      } satisfies InputOf<"product.list">,
      list: client.product.list,
      toItem: (product: StoreProduct) => ({
        id: product.id,
        rank: product.sid ?? 0,
        item: { status: wanted, product } satisfies ListedProduct,
      }),
      signal,
    });
  const ids = chunk(query.ids);
  const parts: readonly InputOf<"product.list">[] =
    codes.length === 0
      ? ids.map((some) => (some === undefined ? {} : { ids: some }))
      : codes.flatMap((code) =>
          ids.map((some) =>
            some === undefined ? { product_code: code } : { product_code: code, ids: some },
          ),
        );
  return parseStatuses(status).flatMap((wanted) =>
    parts.map((part, index) => listing(wanted, part, index === 0 ? wanted : `${wanted} ${index}`)),
  );
}

function parseStatuses(given: unknown): readonly ListingStatus[] {
  const words = Array.isArray(given) ? given : [];
  if (words.length === 0) return LISTING_STATUSES;
  const statuses = LISTING_STATUSES.filter((status) => words.includes(status));
  if (statuses.length === new Set(words).size) return statuses;
  const known = LISTING_STATUSES.join(", ");
  throw new InputError({
    tr: `--status yalnızca şunları alır: ${known}.`,
    en: `--status takes only these: ${known}.`,
  });
}

function chunk(
  ids: readonly ProductId[] | undefined,
): readonly (readonly ProductId[] | undefined)[] {
  if (ids === undefined) return [undefined];
  const count = Math.ceil(ids.length / MAX_PAGE_SIZE);
  return Array.from({ length: count }, (_, index) =>
    ids.slice(index * MAX_PAGE_SIZE, (index + 1) * MAX_PAGE_SIZE),
  );
}

/** Products compared at a time. */
const BATCH_ITEMS = 200;

/** Pairs of prices that decide their unit. */
const MAX_EVIDENCE = 50;

/**
 * Compares the prices that were sent for these products with those that the listing has just shown.
 */
async function findPriceUnit(options: ProductSourceOptions): Promise<PriceUnit> {
  const { context, journal } = options;
  const units = createPriceUnitCount();
  const evidence = await journal.readPriceEvidence(MAX_EVIDENCE);
  for (const { sent, seen } of evidence) units.note(sent, seen);
  let compared = evidence.length;
  let batch: StoreProduct[] = [];
  const compare = async (): Promise<void> => {
    const sent = await journal.readLastSent(batch.map(({ id }) => id));
    for (const { id, price: seen } of batch) {
      const price = sent.get(id)?.price;
      if (price === undefined || typeof seen !== "number") continue;
      units.note(price, seen);
      compared += 1;
    }
    batch = [];
  };
  for await (const { product } of context.job.items<ListedProduct>({ isNotYetWritten: false })) {
    batch.push(product);
    if (batch.length === BATCH_ITEMS) await compare();
    if (compared >= MAX_EVIDENCE) break;
  }
  await compare();
  const unit = units.unit();
  if (unit !== "unknown") return unit;
  const { notes, baseUrl } = options;
  return (await priceUnitOf({ baseUrl, memory: { notes } }).known()).remembered ?? unit;
}

type Templates = NameIndex<ShippingTemplate>;

async function readTemplates(
  { context: { client }, names, baseUrl }: ProductSourceOptions,
  signal: AbortSignal | undefined,
): Promise<Templates> {
  return createNameIndexes(createNameLists({ client, cache: names, baseUrl, signal })).templates();
}

/**
 * The first of name, name with the end of the id, and id by which an import finds exactly this
 * template.
 */
function toLabel(templates: Templates, id: string): string | undefined {
  const template = templates.items.find((each) => each.id === id);
  return template && templates.textOf(template);
}

/** A row for each product that the marketplace's search finds, of whichever store. */
export function createSearchSource(context: SourceContext, unit: PriceUnit): Source<FoundProduct> {
  const { client, filters, signal } = context;
  const listing = createListing({
    name: "search",
    pageSize: MAX_PAGE_SIZE,
    query: parseFilters(endpoints.product.search, filters),
    list: client.product.search,
    toItem: (product: FoundProduct) => ({ id: product.id, rank: 0, item: product }),
    signal,
  });
  return {
    read: () => readListings({ listings: [listing], ...context }),
    columns: async () => withUnit(SEARCH_COLUMNS, unit),
  };
}
