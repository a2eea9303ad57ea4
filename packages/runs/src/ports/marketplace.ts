/** The marketplace as a run needs it; the toolkit adapts the client to it. */

import {
  type ListingStatus,
  type ProductAdd,
  type ProductId,
  type ProductUpdate,
  type StoreProduct,
} from "@catalog/contract";
import { type Localized } from "@catalog/i18n";

import { type ListingFilter } from "./filter-proofs.ts";

/** How far a request got: nothing left this machine … the whole answer was read. */
export type WirePhase = "none" | "started" | "headers" | "body";

/** What an answer was like, for the evidence. Holds no secret. */
export interface AnswerFacts {
  readonly status?: number | undefined;
  readonly contentType?: string | undefined;
  /** The start of the body, at most 512 bytes. */
  readonly excerpt?: string | undefined;
}

/** What came of a write, before anyone judges what it means. */
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
      /** The same for people. @default the message */
      readonly words?: Localized | undefined;
      /** How long the marketplace asked us to wait, when it did. */
      readonly retryAfterMs?: number | undefined;
      readonly facts?: AnswerFacts | undefined;
    }
  | {
      readonly kind: "lost";
      readonly phase: WirePhase;
      readonly message: string;
      /** The same for people. @default the message */
      readonly words?: Localized | undefined;
      readonly facts?: AnswerFacts | undefined;
    };

/** What is called on the way of a write to the wire, and what stops it. */
export interface SendOptions {
  /**
   * Called once the request has its turn and before it is given to the wire, and waited for; a
   * rejection stops it. Without it, a row whose look is too old is deferred instead of looked at again.
   */
  readonly prepare?: (() => Promise<void>) | undefined;
  /** Called once, at the last moment before the first byte leaves; a throw stops the request. */
  readonly beforeSend: () => void;
  readonly signal?: AbortSignal | undefined;
}

/** Which products of the store to list; filters that are given narrow the listing together. */
export interface ListQuery {
  readonly status: ListingStatus;
  readonly code?: string | undefined;
  readonly ids?: readonly ProductId[] | undefined;
  /** Only products added after this moment, by the marketplace's time, in the order of addition. */
  readonly addedAfterMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads throw when the marketplace cannot be read. Writes never throw for an answer or for a lost
 * one; they throw when sending more is senseless (login refused, permission, an aborted signal).
 */
export interface Marketplace {
  countProducts(status: ListingStatus, signal?: AbortSignal): Promise<number>;
  listProducts(query: ListQuery): AsyncIterable<StoreProduct>;
  /**
   * Whether what the filter does not find is not there: it was seen to find a product that is, lately.
   * May take a few calls. Absent where filters are known to do what they say.
   */
  mayTrust?(filter: ListingFilter, signal?: AbortSignal): Promise<boolean>;
  addProduct(body: ProductAdd, options: SendOptions): Promise<Answer>;
  updateProduct(body: ProductUpdate, options: SendOptions): Promise<Answer>;
  /**
   * The marketplace's own time as its answers told it last, never carried on by a clock of ours;
   * `undefined` or absent where they tell none.
   */
  serverTimeMs?(): number | undefined;
}
