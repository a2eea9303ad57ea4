/** The forms of ids in addresses and bodies of requests, and failures as the page shows them. */

import { z } from "zod";

const text = (form: RegExp): z.ZodString => z.string().regex(form);

export const runId: z.ZodString = text(/^r-\d{6}-\d{4}-[0-9a-f]{4}$/u);
export const draftId: z.ZodString = text(/^d-\d{6}-\d{4}-[0-9a-f]{12}$/u);
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
