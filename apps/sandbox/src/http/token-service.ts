/**
 * Issues and checks access tokens: valid for six hours, and only from the address that requested
 * them (section Authentication, 3). Tokens and the secret start with their kind, so that a search
 * finds leaked ones, and contain a character that a query must escape.
 */

import { hash } from "node:crypto";

import type { Clock } from "@catalog/clock";
import { TOKEN_VALIDITY_MS, type InputOf } from "@catalog/contract";

import type { Behavior } from "../behavior/behavior-settings.ts";
import { Refusal } from "./refusal.ts";

export interface TokenServiceOptions {
  readonly clock: Clock;
  /** Seed of the key, the secret and every token. */
  readonly seed: string;
  /** What a new token does to earlier ones of its address. @default "keeps-old" */
  readonly newToken?: Behavior["new-token"];
  /** Called when a token is requested long before the last one of its address expires. */
  readonly onEarlyRequest?: () => void;
}

export interface Token {
  readonly value: string;
  readonly expiresAtMs: number;
}

export interface TokenService {
  readonly clientKey: string;
  readonly clientSecret: string;
  /** Issues a new token bound to the address; throws a refusal when key and secret are wrong. */
  grant(request: InputOf<"token.create">, ip: string): Token;
  /** Throws a refusal unless the token is known, valid and used from its own address. */
  check(value: unknown, ip: string): void;
  /** Every issued token that was not ended since, oldest first. */
  list(): readonly GrantedToken[];
  /** Ends every token early, which clients cannot foresee. */
  endAll(): void;
  /** Replaces the tokens; later ones differ from the first `count`. */
  load(saved: SavedTokens): void;
  save(): SavedTokens;
}

/** A token without its value. */
export interface GrantedToken {
  readonly ip: string;
  readonly grantedAtMs: number;
  readonly expiresAtMs: number;
}

/** The saved tokens. */
export interface SavedTokens {
  readonly count: number;
  readonly granted: readonly (readonly [value: string, token: GrantedToken])[];
}

/**
 * A token may be replaced this long before it expires, in milliseconds, so that it does not expire
 * during a call.
 */
export const RENEWAL_MARGIN_MS: number = 10 * 60 * 1000;

export function createTokenService(options: TokenServiceOptions): TokenService {
  const { clock, seed, newToken = "keeps-old", onEarlyRequest = () => undefined } = options;
  const clientKey = hash("sha256", `client key\n${seed}`).slice(0, 32);
  const clientSecret = `sandbox-secret:${hash("sha256", `client secret\n${seed}`)}`;
  const granted = new Map<string, GrantedToken>();
  let count = 0;

  const meetEarlier = (ip: string): void => {
    const same = [...granted].filter(([, token]) => token.ip === ip);
    const latest = clock.now() + RENEWAL_MARGIN_MS;
    if (same.some(([, { expiresAtMs }]) => expiresAtMs > latest)) onEarlyRequest();
    if (newToken === "kills-old") for (const [value] of same) granted.delete(value);
  };

  return {
    clientKey,
    clientSecret,
    grant(request, ip) {
      if (request.client_key !== clientKey || request.client_secret !== clientSecret) {
        throw createCredentialsRefusal();
      }
      meetEarlier(ip);
      count += 1;
      const value = `sandbox-token:${hash("sha256", `token\n${seed}\n${count}\n${ip}`)}`;
      const grantedAtMs = clock.now();
      const expiresAtMs = grantedAtMs + TOKEN_VALIDITY_MS;
      granted.set(value, { ip, grantedAtMs, expiresAtMs });
      return { value, expiresAtMs };
    },
    check(value, ip) {
      assertUsable({ value, token: granted.get(String(value)), ip, now: clock.now() });
    },
    list: () => [...granted.values()],
    endAll: () => granted.clear(),
    save: () => ({ count, granted: [...granted] }),
    load(saved) {
      count = saved.count;
      granted.clear();
      for (const [value, token] of saved.granted) granted.set(value, token);
    },
  };
}

interface TokenUse {
  readonly value: unknown;
  readonly token: GrantedToken | undefined;
  readonly ip: string;
  readonly now: number;
}

function assertUsable({ value, token, ip, now }: TokenUse): void {
  if (typeof value !== "string" || value === "") {
    throw createTokenRefusal("access_token is missing", "access_token verilmedi");
  }
  if (token === undefined) {
    throw createTokenRefusal("access_token is unknown", "access_token tanınmıyor");
  }
  if (now >= token.expiresAtMs) {
    throw createTokenRefusal("access_token has expired", "access_token süresi doldu");
  }
  if (token.ip !== ip) {
    throw createTokenRefusal(
      "access_token belongs to another IP address",
      "access_token başka bir IP adresine ait",
    );
  }
}

function createCredentialsRefusal(): Refusal {
  return new Refusal({
    httpStatus: 401,
    reason: "auth",
    status: "error",
    message: {
      en: "client_key or client_secret is wrong",
      tr: "client_key veya client_secret hatalı",
    },
  });
}

function createTokenRefusal(en: string, tr: string): Refusal {
  return new Refusal({ httpStatus: 401, reason: "auth", message: { en, tr } });
}
