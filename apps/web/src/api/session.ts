/** Ids in addresses and bodies of requests, failures, session, store, login and uploads. */

import type { Role } from "@catalog/team";
import { z } from "zod";

import type { Preparation } from "./runs.ts";

const text = (form: RegExp): z.ZodString => z.string().regex(form);

export const runId: z.ZodString = text(/^r-\d{6}-\d{4}-[0-9a-f]{4}$/u);
export const draftId: z.ZodString = text(/^d-\d{6}-\d{4}-[0-9a-f]{12}$/u);
/** The number of a product in the list. */
export const productNumber: z.ZodString = text(/^[1-9]\d{0,9}$/u);
export const scheduleId: z.ZodString = text(/^[0-9a-f]{24}$/u);
/** Of an export, and of a file that was made for the page. */
export const fileId: z.ZodString = text(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u);
/** A name such as `result.xlsx`, which is looked up in a fixed list. */
export const fileName: z.ZodString = text(/^[a-z][a-z-]{0,40}\.[a-z]{2,5}$/u);
/** What is remembered of files with the same headers. */
export const readingId: z.ZodString = text(/^[0-9a-f]{8}$/u);
/** The key of a field, such as `brand_id`. */
export const fieldKey: z.ZodString = text(/^[a-z][a-z0-9_.]{0,79}$/u);

/** What events say of the database. */
export interface DatabaseView {
  /** What the server waits for, in words; `null` where the database answers. */
  readonly waitsFor: string | null;
}

/** Every answer that is not 2xx has this body. */
export interface Problem {
  /** Stable code, such as `E_DRAFT_CHANGED`. */
  readonly code: string;
  /** A sentence with the next step, in the language of the request. */
  readonly message: string;
  /** The command that prints a new link, where there is no session (401). */
  readonly command?: string;
}

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
  /** What the person may do in the store. */
  readonly role: Role;
  /** Whether the person is an administrator of all stores. */
  readonly isOverAll: boolean;
  /** The command that opens the page, as a person types it; it prints a new link each time. */
  readonly command: string;
  /** `null` where no credentials are stored, so that the page offers to enter them. */
  readonly store: StoreView | null;
}

/** A newer version of the program. */
export interface UpdateView {
  readonly version: string;
  /** The command that installs it. */
  readonly command: string;
}

export interface StoreView {
  /** Name that a person has given to the store; `null` where it has none. */
  readonly name: string | null;
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
