/**
 * The marketplace port, which the connection adapts the client to, and what is remembered of the
 * filters of its product listing.
 */

import type { Localized } from "@catalog/i18n";

import type { ActionPort } from "./action.ts";
import type {
  ListingStatus,
  ProductAdd,
  ProductId,
  ProductUpdate,
  StoreProduct,
} from "./product.ts";

/** A filter of the product listing whose empty result is used as evidence. */
export type ListingFilter = "product_code" | "ids" | "start_date";

/** What a probe of a filter found, and when by this machine's clock. */
export interface FilterProof {
  readonly works: boolean;
  readonly atMs: number;
}

/** The remembered filter proofs of one store. */
export interface FilterProofs {
  readProof(filter: ListingFilter): Promise<FilterProof | undefined>;
  saveProof(filter: ListingFilter, proof: FilterProof): Promise<void>;
}

/**
 * How long a filter that has found a known product is trusted without a new probe, in milliseconds.
 */
export const PROOF_LIFE_MS: number = 6 * 60 * 60_000;

/** How long a filter that missed a known product is not probed again, in milliseconds. */
export const FAILURE_LIFE_MS: number = 60 * 60_000;

/**
 * Says whether the proof still counts. A proof from the future does not: the clock was put back.
 */
export function isFreshProof({ works, atMs }: FilterProof, nowMs: number): boolean {
  const ageMs = nowMs - atMs;
  return ageMs >= 0 && ageMs < (works ? PROOF_LIFE_MS : FAILURE_LIFE_MS);
}

/** How far a request got: from nothing left this machine to the whole answer was read. */
export type WirePhase = "none" | "started" | "headers" | "body";

/** What an answer was like, as evidence. Holds no secret. */
export interface AnswerFacts {
  readonly status?: number | undefined;
  readonly contentType?: string | undefined;
  /** The start of the body, at most 512 bytes. */
  readonly excerpt?: string | undefined;
}

/** The outcome of a write call, before it is classified. */
export type Answer =
  | {
      readonly kind: "answered";
      readonly data: unknown;
      readonly phase: WirePhase;
      readonly facts?: AnswerFacts | undefined;
    }
  | {
      readonly kind: "refused";
      readonly status: number;
      readonly phase: WirePhase;
      readonly message: string;
      /** The message for people, in both languages. @default the message */
      readonly words?: Localized | undefined;
      /** The wait in milliseconds that the marketplace asked for, where it did. */
      readonly retryAfterMs?: number | undefined;
      readonly facts?: AnswerFacts | undefined;
    }
  | {
      readonly kind: "lost";
      readonly phase: WirePhase;
      readonly message: string;
      /** The message for people, in both languages. @default the message */
      readonly words?: Localized | undefined;
      readonly facts?: AnswerFacts | undefined;
    };

/** How a write is sent. */
export interface SendOptions {
  /** Called just before the first byte of each attempt leaves; a throw stops the request. */
  readonly beforeSend: () => void;
  readonly signal?: AbortSignal | undefined;
}

/** Which products of the store to list; all given filters must match. */
export interface ListQuery {
  readonly status: ListingStatus;
  readonly code?: string | undefined;
  readonly ids?: readonly ProductId[] | undefined;
  /** Only products added after this time, by the marketplace's clock, in the order of addition. */
  readonly addedAfterMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with each page of the listing, in order. */
  readonly onPage?: ((progress: PageProgress) => void) | undefined;
  /** Called at the end of the listing; not where the reading fails or the caller ends it. */
  readonly onEnd?: ((end: ListedEnd) => void) | undefined;
}

/** How far a listing was read. */
interface PageProgress {
  /** Pages read, at least 1. */
  readonly page: number;
  /** Pages by the total of the last one, at least `page`. */
  readonly pages: number;
}

/** What a listing showed of changes while it was read. */
export interface ListedEnd {
  /**
   * Whether every page stated the number of products that were read, each of them once: no product
   * has entered or left the listing between the first answer and the last.
   */
  readonly isStill: boolean;
  /**
   * The refusal of a page that a total had promised, with which the reading ended; `undefined`
   * where it did not. Products may be on that page.
   */
  readonly refusal?: Error | undefined;
}

/**
 * Read methods throw when the marketplace cannot be read. Write methods do not throw for a refusal
 * or for a lost answer; they throw when no further call can succeed (login refused, permission
 * missing, an aborted signal).
 */
export interface Marketplace {
  countProducts(status: ListingStatus, signal?: AbortSignal): Promise<number>;
  /** Yields the products in the order of the listing; its pages are read side by side. */
  listProducts(query: ListQuery): AsyncIterable<StoreProduct>;
  /**
   * Says whether an empty result of the filter proves absence, because the filter was recently seen
   * to find a known product. May take a few calls. Absent where the filters need no proof.
   */
  trustsFilter?(filter: ListingFilter, signal?: AbortSignal): Promise<boolean>;
  /**
   * Resolves once one write may be begun: it has a slot of the rate limit. Absent where writes need
   * none.
   */
  takeSlot?(signal?: AbortSignal): Promise<void>;
  /** Sends a write, for which the caller has taken a slot. */
  addProduct(body: ProductAdd, options: SendOptions): Promise<Answer>;
  updateProduct(body: ProductUpdate, options: SendOptions): Promise<Answer>;
  /**
   * Returns the body of an update as it would be sent, or what the marketplace would refuse of it.
   * Makes no call.
   */
  readonly checkUpdate: (
    body: Readonly<Record<string, unknown>>,
  ) =>
    | { readonly ok: true; readonly body: ProductUpdate }
    | { readonly ok: false; readonly problems: readonly string[] };
  /** The calls of actions. Absent where only products are sent. */
  readonly actions?: ActionPort | undefined;
  /**
   * The marketplace's own time from its last answer, not advanced by our clock; `undefined` or
   * absent where its answers give none.
   */
  serverTimeMs?(): number | undefined;
}

/**
 * Says whether an empty result of a listing filter proves absence. A marketplace without
 * `trustsFilter` is trusted.
 */
export async function trustsFilter(
  marketplace: Pick<Marketplace, "trustsFilter">,
  filter: ListingFilter,
  signal?: AbortSignal,
): Promise<boolean> {
  return (await marketplace.trustsFilter?.(filter, signal)) ?? true;
}
