/** Schema of the login file; loaded where there is such a file. */

import * as z from "zod";

/** The contents of the login file. */
export interface LoginFile {
  readonly baseUrl: string;
  readonly clientKey: string;
  readonly storeId: string;
  /** Stored here only where there is no keyring. */
  readonly clientSecret?: string | undefined;
  /** Account of the secret in the keyring; only in the file of a home. */
  readonly account?: string | undefined;
}

export const loginSchema: z.ZodType<LoginFile> = z.object({
  baseUrl: z.string().min(1),
  clientKey: z.string().min(1),
  storeId: z.string().min(1),
  /** Stored here only where there is no keyring. */
  clientSecret: z.string().min(1).optional(),
  /** Stored here only in the file of a home, which may be moved. */
  account: z.string().min(1).optional(),
});
