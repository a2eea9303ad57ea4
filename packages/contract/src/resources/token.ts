import * as z from "zod";

import type { Endpoint } from "../endpoint.ts";

/**
 * Body of the token call: the two values that the platform issues once per application (section
 * Authentication, 2).
 */
interface TokenRequest {
  readonly client_key: string;
  readonly client_secret: string;
}

/** Section Resources, access token result. The format of `expires_at` is not stated. */
interface TokenResult {
  readonly status?: string | boolean | null | undefined;
  readonly access_token?: string | null | undefined;
  /** ISO text, or seconds or milliseconds since 1970 as a number or as text. */
  readonly expires_at?: string | number | null | undefined;
  readonly message?: string | null | undefined;
  readonly message_tr?: string | null | undefined;
}

/** The token call. */
export interface TokenEndpoints {
  /** Section Token: POST /app/auth/access. */
  readonly create: Endpoint<TokenRequest, TokenResult>;
}

export const tokenEndpoints: TokenEndpoints = {
  create: {
    method: "POST",
    path: "/app/auth/access",
    versions: [],
    permission: "none",
    effect: "set",
    paging: undefined,
    section: "Token",
    summary: "Obtain an access token for an application's key and secret.",
    input: z.object({ client_key: z.string().min(1), client_secret: z.string().min(1) }),
    data: z.looseObject({
      status: z.union([z.string(), z.boolean()]).nullish(),
      access_token: z.string().min(1).nullish(),
      expires_at: z.union([z.string(), z.number()]).nullish(),
      message: z.string().nullish(),
      message_tr: z.string().nullish(),
    }),
  },
};
