/** Session, store, login and uploads. */

import type { Preparation } from "./runs.ts";

export interface OpenedSession {
  /** The key that every request that changes something sends as `x-catalog`. */
  readonly writeKey: string;
}

export interface NewLink {
  /** The key of a link that works once. */
  readonly key: string;
}

/** Where the page is connected to. */
export interface Me {
  readonly version: string;
  readonly user: string;
  /** The command that opens the page, as a person types it; it prints a new link each time. */
  readonly command: string;
  /** `null` where no credentials are stored, so that the page offers to enter them. */
  readonly store: StoreView | null;
}

export interface StoreView {
  readonly baseUrl: string;
  readonly storeId: string;
  /** Whether it is a local marketplace, so that nobody takes it for the live one. */
  readonly isSandbox: boolean;
  /**
   * Whether its address is of this computer, so that it is not called the live one. It is approved
   * as a live one is, as the address may lead on to one.
   */
  readonly isLocal: boolean;
  /** Command or person that works on the store now; `null` for none. */
  readonly busyWith: string | null;
  /** What the page plans from an earlier run now; `null` for nothing. */
  readonly preparing: Preparation | null;
}

/** Largest file that can be uploaded. */
export const MAX_UPLOAD_BYTES: number = 200 * 1024 * 1024;
/** Bytes that all uploaded files together may take. */
export const MAX_UPLOADS_BYTES: number = 500 * 1024 * 1024;
/** Longest text of pasted cells, in UTF-16 units. */
export const MAX_PASTED_LENGTH = 10_000_000;
