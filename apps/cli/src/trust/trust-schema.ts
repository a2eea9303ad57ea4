/** Schema of the file of confirmations; loaded where there is one. */

import * as z from "zod";

/** A confirmed configuration file. */
export interface TrustedFile {
  /** Path as in `ConfigFile`. */
  readonly path: string;
  /** SHA-256 of its content, in hexadecimal. */
  readonly sha256: string;
  /** Time of the confirmation, in ISO format. */
  readonly at: string;
}

export const trustSchema: z.ZodType<{ readonly files: readonly TrustedFile[] }> = z.object({
  files: z.array(z.object({ path: z.string(), sha256: z.string(), at: z.string() })),
});
