/**
 * Comments of the whole store in one listing, or product by product, which also names the product.
 */

import { ApiError } from "@catalog/client/errors";
import {
  type Comment,
  type CommentedProduct,
  DEFAULT_PAGE_SIZE,
  endpoints,
  LISTING_STATUSES,
  MAX_PAGE_SIZE,
  type ProductId,
  type DataOf,
  idSchemas,
} from "@catalog/contract";
import { InputError } from "@catalog/i18n";
import { codeKey } from "@catalog/mapping";

import { maskName } from "../columns/out-column.ts";
import {
  COMMENT_COLUMNS,
  COMMENTED_PRODUCT_COLUMNS,
  type ListedComment,
} from "../columns/record-columns.ts";
import {
  type ExportJob,
  type ListingsEnd,
  readListings,
  type StagedItem,
} from "../read-listings.ts";
import { readTimestamp } from "../timestamps.ts";
import {
  createListing,
  parseFilters,
  type Source,
  type SourceContext,
  startDate,
} from "./source.ts";

const timestampOf = ({ comment }: ListedComment): number | undefined =>
  readTimestamp(comment.created_at);

/** Reads all comments in one listing: few calls, without the products. */
export function createStoreCommentSource(context: SourceContext): Source<ListedComment> {
  const { client, filters, since, signal } = context;
  const query = parseFilters(endpoints.comment.storeComments, filters);
  const listing = createListing({
    name: "comments",
    pageSize: MAX_PAGE_SIZE,
    query: {
      ...query,
      start_date: startDate(since, query.start_date),
      sort_by_date: "ascending" as const,
    },
    list: client.comment.storeComments,
    toItem: (comment) => toItem(comment, { context, rank: 0 }),
    signal,
  });
  return {
    read: () => readListings({ listings: [listing], ...context }),
    columns: async () => COMMENT_COLUMNS,
    timestampOf,
  };
}

interface ItemContext {
  readonly context: SourceContext;
  readonly rank: number;
  readonly product?: ListedComment["product"];
}

/** Names that were not requested do not reach the database. */
function toItem(comment: Comment, { context, rank, product }: ItemContext): StagedItem {
  const { full_name: name } = comment;
  const shown = context.withNames || !name ? name : maskName(name);
  const item: ListedComment = {
    comment: { ...comment, full_name: shown },
    ...(product === undefined ? {} : { product }),
  };
  return { id: comment.id, rank, item };
}

const SOME_PRODUCT = idSchemas.product.parse("0".repeat(24));

/** Reads the comments of each commented product in turn. */
export async function createProductCommentSource(
  context: SourceContext,
): Promise<Source<ListedComment>> {
  const split = splitFilters(context.filters);
  // A filter that the comments do not take is refused before the products are read.
  parseFilters(endpoints.comment.productComments, { ...split.comment, product_id: SOME_PRODUCT });
  const products = await context.openPart("products");
  const readAll = (): Promise<CommentedProduct[]> =>
    Array.fromAsync(products.items<CommentedProduct>({ isNotYetWritten: false }));
  return {
    async read() {
      const listed = await readProducts(context, products, split);
      if (listed.isStopped) return listed;
      return readComments(context, await readAll(), split);
    },
    columns: async () => [...COMMENTED_PRODUCT_COLUMNS, ...COMMENT_COLUMNS],
    timestampOf,
    counts: async () =>
      Object.fromEntries((await readAll()).map(({ id, comment_count: count }) => [id, count ?? 0])),
  };
}

interface SplitFilters {
  /** Query for the listing of commented products. */
  readonly product: Readonly<Record<string, unknown>>;
  /** Query for each product's comments. */
  readonly comment: Readonly<Record<string, unknown>>;
  /** Ids and codes of the only products to read; empty for all that have comments. */
  readonly only: readonly string[];
}

const PRODUCT_FILTERS: ReadonlySet<string> = new Set([
  "comment_count",
  "min_comment_count",
  "max_comment_count",
]);

function splitFilters({ product_id: only, ...filters }: SourceContext["filters"]): SplitFilters {
  const entries = Object.entries(filters);
  return {
    product: Object.fromEntries(entries.filter(([name]) => PRODUCT_FILTERS.has(name))),
    comment: Object.fromEntries(entries.filter(([name]) => !PRODUCT_FILTERS.has(name))),
    only: Array.isArray(only) ? only.map(String) : [],
  };
}

async function readProducts(
  context: SourceContext,
  job: ExportJob,
  { product, only }: SplitFilters,
): Promise<ListingsEnd> {
  if (only.length > 0) {
    const found = await resolveProducts(context, only);
    await job.save(
      found.map((item, rank) => ({ id: item.id, rank, item })),
      () => DONE,
    );
    return ALL_READ;
  }
  const listing = createListing({
    name: "products",
    pageSize: MAX_PAGE_SIZE,
    query: parseFilters(endpoints.comment.commentedProducts, product),
    list: context.client.comment.commentedProducts,
    toItem: ({ id, title, product_code, comment_count }: CommentedProduct) => ({
      id,
      rank: 0,
      item: { id, title, product_code, comment_count } satisfies CommentedProduct,
    }),
    signal: context.signal,
  });
  return readListings({ listings: [listing], job, stop: context.stop });
}

/** The form of an id in the specification. */
const OBJECT_ID = /^[0-9a-f]{24}$/iu;

/**
 * The products that are named by id or by code. Throws {@link InputError} for a code that no product
 * has.
 */
async function resolveProducts(
  { client, signal }: SourceContext,
  names: readonly string[],
): Promise<readonly CommentedProduct[]> {
  const products: CommentedProduct[] = [];
  for (const name of names) {
    if (OBJECT_ID.test(name)) products.push({ id: idSchemas.product.parse(name) });
    else products.push(...(await findByCode(name)));
  }
  return [...new Map(products.map((product) => [product.id, product])).values()];

  async function findByCode(code: string): Promise<readonly CommentedProduct[]> {
    const found: CommentedProduct[] = [];
    for (const status of LISTING_STATUSES) {
      const options = signal === undefined ? {} : { signal };
      const pages = client.product.list.pages({ status, product_code: code }, options);
      for await (const { result } of pages) {
        const same = result.filter(
          ({ product_code: shown }) => codeKey(shown ?? "") === codeKey(code),
        );
        found.push(...same.map(({ id, title, product_code }) => ({ id, title, product_code })));
      }
    }
    if (found.length > 0) return found;
    throw new InputError({
      tr: `“${code}” kodlu bir ürün yok. Kodu mağazadakiyle karşılaştırın ya da ürünün kimliğini verin (“Ürün ID”).`,
      en: `No product has the code “${code}”. Compare it with the store's, or give the id of the product (“Product ID”).`,
    });
  }
}

const DONE = { lanes: {}, parts: 0 };
const ALL_READ: ListingsEnd = { isStopped: false, missing: 0, isChecked: true, isConsistent: true };

async function readComments(
  context: SourceContext,
  all: readonly CommentedProduct[],
  { comment, only }: SplitFilters,
): Promise<ListingsEnd> {
  const { job, since } = context;
  // An unchanged number of comments means that there is no new one, so no call is made.
  const products = all.filter(
    ({ id, comment_count: count }) => !count || since?.counts[id] !== count,
  );
  const done = (await job.readCheckpoint())?.parts ?? 0;
  const progress = countProgress(products);
  context.onPlan(progress.callsFrom(done));
  let end = ALL_READ;
  for (const [part, product] of products.entries()) {
    if (part < done) continue;
    const listing = createCommentListing(context, { product, part, filters: comment });
    const reading = readListings({
      listings: [listing],
      job,
      stop: context.stop,
      onPage: ({ items }) => context.onPage(progress.at(part, items)),
    });
    const read = await (only.length > 0 ? reading.catch(explainMissing(product.id)) : reading);
    end = joinEnds(end, read);
    if (read.isStopped) return end;
    await job.save([], () => ({ lanes: {}, parts: part + 1 }));
  }
  return end;
}

/** Names the id where the marketplace says that it has no such product. */
const explainMissing =
  (id: ProductId) =>
  (error: unknown): never => {
    if (!(error instanceof ApiError && error.isMissingRecord)) throw error;
    throw new InputError({
      tr: `Bu kimlikte bir ürün yok: ${id}`,
      en: `There is no product with this id: ${id}`,
    });
  };

const joinEnds = (one: ListingsEnd, two: ListingsEnd): ListingsEnd => ({
  isStopped: one.isStopped || two.isStopped,
  missing: one.missing + two.missing,
  isChecked: one.isChecked && two.isChecked,
  isConsistent: one.isConsistent && two.isConsistent,
});

interface CommentProgress {
  callsFrom(part: number): number;
  at(part: number, items: number): { items: number; expected: number; callsLeft: number };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

function countProgress(products: readonly CommentedProduct[]): CommentProgress {
  const counts = products.map(({ comment_count: count }) => count ?? 0);
  const calls = counts.map((count) => Math.max(1, Math.ceil(count / DEFAULT_PAGE_SIZE)));
  const expected = sum(counts);
  let passed = 0;
  const before = counts.map((count) => (passed += count) - count);
  const callsFrom = (part: number): number => sum(calls.slice(part));
  return {
    callsFrom,
    at: (part, items) => ({
      items: (before[part] ?? 0) + items,
      expected,
      callsLeft: callsFrom(part),
    }),
  };
}

interface CommentListingOptions {
  readonly product: CommentedProduct;
  readonly part: number;
  readonly filters: SplitFilters["comment"];
}

function createCommentListing(
  context: SourceContext,
  { product, part, filters }: CommentListingOptions,
): ReturnType<typeof createListing> {
  const { client, since, signal } = context;
  const id: ProductId = product.id;
  const query = parseFilters(endpoints.comment.productComments, { ...filters, product_id: id });
  return createListing({
    name: `comments ${id}`,
    // The specification states no larger page size for this listing than the default.
    pageSize: DEFAULT_PAGE_SIZE,
    query: {
      ...query,
      start_date: startDate(since, query.start_date),
      sort_by_date: "ascending" as const,
    },
    list: client.comment.productComments,
    toItem: (comment: Comment, { product: subject }: DataOf<"comment.productComments">) => {
      const code = product.product_code ?? subject?.product_code ?? null;
      const title = product.title ?? subject?.title ?? null;
      return toItem(comment, { context, rank: part, product: { id, code, title } });
    },
    signal,
  });
}
