/** Uploads: a link to a table, or pasted cells; a file is the body itself. */

import { z } from "zod";

/** Largest file that can be uploaded. */
export const MAX_UPLOAD_BYTES: number = 200 * 1024 * 1024;
/** Bytes that all uploaded files together may take. */
export const MAX_UPLOADS_BYTES: number = 500 * 1024 * 1024;
/** Longest text of pasted cells, in UTF-16 units. */
export const MAX_PASTED_LENGTH = 10_000_000;

export interface LinkBody {
  readonly url: string;
}

export const linkBody: z.ZodType<LinkBody> = z.object({ url: z.string().min(1).max(8_000) });

export interface CellsBody {
  /** Rows in lines, cells separated by tabs, as spreadsheet programs copy them. */
  readonly text: string;
  /** Name of the draft; empty for the default one. */
  readonly name: string;
}

export const cellsBody: z.ZodType<CellsBody> = z.object({
  text: z.string().min(1).max(MAX_PASTED_LENGTH),
  name: z.string().max(200),
});
