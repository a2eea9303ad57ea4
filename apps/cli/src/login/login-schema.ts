/** What the file of a login says, as a schema; loaded where there is such a file. */

import * as z from "zod";

/** A login as it stands in its file. */
export interface LoginFile {
  readonly baseUrl: string;
  readonly clientKey: string;
  readonly storeId: string;
  /** Only where there is no keyring. */
  readonly clientSecret?: string | undefined;
}

export const loginSchema: z.ZodType<LoginFile> = z.object({
  baseUrl: z.string().min(1),
  clientKey: z.string().min(1),
  storeId: z.string().min(1),
  /** Only where there is no keyring. */
  clientSecret: z.string().min(1).optional(),
});
