/**
 * Adapts the client to the port of the runs package. It decides nothing and only reports how far a
 * write got.
 */

import type { Client, ListingEnd } from "@catalog/client";
import {
  ApiError,
  AuthError,
  ClientError,
  NetworkError,
  PermissionError,
  ShapeError,
} from "@catalog/client/errors";
import {
  endpoints,
  MAX_PAGE_SIZE,
  type ProductId,
  type StoreProduct,
  type InputOf,
} from "@catalog/contract";
import type { Marketplace } from "@catalog/runs";

import { describeClientError } from "./errors.ts";

export type Answer = Awaited<ReturnType<Marketplace["addProduct"]>>;
type ListQuery = Parameters<Marketplace["listProducts"]>[0];

/** The calls of the client that a run makes. */
export interface ProductClient {
  readonly product: Pick<Client["product"], "list" | "add" | "update">;
}

/** What the marketplace's answers state as its time, and its rate limit. */
type MarketplaceMeters = Pick<Marketplace, "serverTimeMs" | "takeSlot">;

/** Adapts a client to the port of the runs package. */
export function createMarketplaceAdapter(
  client: ProductClient,
  meters: MarketplaceMeters = {},
): Marketplace {
  return {
    ...meters,
    async countProducts(status, signal) {
      const { total } = await client.product.list({ status, limit: 1 }, toOptions(signal));
      return total;
    },
    listProducts: (query) => listProducts(client, query),
    addProduct: (body, { signal, beforeSend }) =>
      client.product
        .add(body, { ...toOptions(signal), hasSlot: meters.takeSlot !== undefined, beforeSend })
        .then(toAnswered, toFailure("product.add")),
    updateProduct: (body, { signal, beforeSend }) =>
      client.product
        .update(body, { ...toOptions(signal), hasSlot: meters.takeSlot !== undefined, beforeSend })
        .then(toAnswered, toFailure("product.update")),
    checkUpdate(body) {
      const parsed = endpoints.product.update.input.safeParse(body);
      if (parsed.success) return { ok: true, body: parsed.data };
      const { issues } = parsed.error;
      const problems = issues.map(({ path, message }) => `${path.join(".")} ${message}`);
      return { ok: false, problems };
    },
  };
}

/** Pages of ids that are read at a time. */
const ID_PAGES = 16;

async function* listProducts(client: ProductClient, query: ListQuery): AsyncIterable<StoreProduct> {
  const { status, code, ids, addedAfterMs, signal } = query;
  if (ids !== undefined) {
    yield* listById(client, { status, ids, signal });
    return;
  }
  const filter: InputOf<"product.list"> =
    addedAfterMs === undefined
      ? { status, product_code: code }
      : { status, start_date: Math.floor(addedAfterMs / 1_000), sort_by_date: "ascending" };
  const onEnd = ({ elements, maxTotal, isSteady, hasRepeats, refusal }: ListingEnd): void =>
    query.onEnd?.({ isStill: isSteady && !hasRepeats && maxTotal === elements, refusal });
  const pages = client.product.list.pages(filter, { ...toOptions(signal), onEnd });
  for await (const { page, pageSize, total, result } of pages) {
    query.onPage?.({ page, pages: Math.max(page, Math.ceil(total / pageSize)) });
    yield* result;
  }
}

/** Lists products by id, a page of ids in a call and several calls side by side. */
async function* listById(
  client: ProductClient,
  {
    status,
    ids,
    signal,
  }: Pick<ListQuery, "status" | "signal"> & { readonly ids: readonly ProductId[] },
): AsyncIterable<StoreProduct> {
  const chunks = Array.from({ length: Math.ceil(ids.length / MAX_PAGE_SIZE) }, (_, chunk) =>
    ids.slice(chunk * MAX_PAGE_SIZE, (chunk + 1) * MAX_PAGE_SIZE),
  );
  const list = async (some: readonly ProductId[]): Promise<readonly StoreProduct[]> => {
    const missing = new Set(some);
    const found: StoreProduct[] = [];
    const pages = client.product.list.pages({ status, ids: some }, toOptions(signal));
    for await (const { result } of pages) {
      found.push(...result);
      for (const { id } of result) missing.delete(id);
      // All are found, so the end of the listing needs no proof.
      if (missing.size === 0) break;
    }
    return found;
  };
  for (let at = 0; at < chunks.length; at += ID_PAGES) {
    yield* (await Promise.all(chunks.slice(at, at + ID_PAGES).map(list))).flat();
  }
}

/** The answer of a write that was answered. */
export const toAnswered = (data: unknown): Answer => ({ kind: "answered", data, phase: "body" });

/** The answer of a write that failed. Throws errors after which no further row can be sent. */
export function toFailure(endpoint: string): (error: unknown) => Answer {
  return (error) => {
    if (!(error instanceof ClientError)) throw error;
    // A login that failed before the write: the write itself was not begun.
    return error.endpoint === endpoint ? toUnanswered(error) : toUnsent(error);
  };
}

function toUnsent(error: ClientError): Answer {
  if (error instanceof NetworkError || error instanceof ShapeError) {
    const { message } = error;
    return { kind: "lost", phase: "none", message, words: describeClientError(error) };
  }
  throw error;
}

function toUnanswered(error: ClientError): Answer {
  const { phase, message } = error;
  const words = describeClientError(error);
  if (error instanceof NetworkError) return { kind: "lost", phase, message, words };
  if (error instanceof ShapeError) {
    const { status, excerpt } = error;
    return { kind: "lost", phase, message, words, facts: { status, excerpt } };
  }
  if (!isRefusedCall(error)) throw error;
  const retryAfterMs = error instanceof ApiError ? error.retryAfterMs : undefined;
  const text = error.localized?.tr ?? error.localized?.en ?? message;
  const facts: NonNullable<Answer["facts"]> = {
    status: error.status,
    contentType: error.contentType,
    excerpt: error.excerpt,
  };
  const status = toStatus(error);
  return { kind: "refused", status, phase, message: text, words, retryAfterMs, facts };
}

/** A refused token and a rate limit keep their meaning, whatever status they are answered with. */
function toStatus(error: ApiError | AuthError | PermissionError): number {
  if (error instanceof AuthError) return 401;
  return error instanceof ApiError && error.isLimit ? 429 : error.status;
}

function isRefusedCall(error: ClientError): error is ApiError | AuthError | PermissionError {
  return (
    error instanceof ApiError || error instanceof AuthError || error instanceof PermissionError
  );
}

function toOptions(signal: AbortSignal | undefined): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
