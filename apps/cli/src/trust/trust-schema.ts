/** What the file of trusted configuration files says, as a schema; loaded where there is one. */

import * as z from "zod";

/** A configuration file as it was when a person confirmed it. */
export interface TrustedFile {
  /** As in `ConfigFile`. */
  readonly path: string;
  /** Of its content, in hexadecimal. */
  readonly sha256: string;
  /** When, as an ISO moment. */
  readonly at: string;
}

export const trustSchema: z.ZodType<{ readonly files: readonly TrustedFile[] }> = z.object({
  files: z.array(z.object({ path: z.string(), sha256: z.string(), at: z.string() })),
});
