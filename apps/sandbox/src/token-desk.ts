/** Gives out access tokens and checks them: six hours each, and only from the address it went to. */

import { hash } from "node:crypto";

import { type Clock } from "@catalog/clock";
import { TOKEN_VALIDITY_MS, type TokenRequest } from "@catalog/contract";

import { Refusal } from "./refusal.ts";

export interface TokenDeskOptions {
  readonly clock: Clock;
  /** The key, the secret and every token follow from it. */
  readonly seed: string;
}

export interface Token {
  readonly value: string;
  readonly expiresAtMs: number;
}

export interface TokenDesk {
  readonly clientKey: string;
  readonly clientSecret: string;
  /** A new token bound to the address; throws a refusal when key and secret do not fit. */
  grant(request: TokenRequest, ip: string): Token;
  /** Throws a refusal unless the token is known, fresh and used from its own address. */
  check(value: unknown, ip: string): void;
}

interface GrantedToken {
  readonly ip: string;
  readonly expiresAtMs: number;
}

export function createTokenDesk({ clock, seed }: TokenDeskOptions): TokenDesk {
  const clientKey = hash("sha256", `client key\n${seed}`).slice(0, 32);
  const clientSecret = hash("sha256", `client secret\n${seed}`);
  const granted = new Map<string, GrantedToken>();
  let count = 0;

  return {
    clientKey,
    clientSecret,
    grant(request, ip) {
      if (request.client_key !== clientKey || request.client_secret !== clientSecret) {
        throw createCredentialsRefusal();
      }
      count += 1;
      const value = hash("sha256", `token\n${seed}\n${count}\n${ip}`);
      const expiresAtMs = clock.now() + TOKEN_VALIDITY_MS;
      granted.set(value, { ip, expiresAtMs });
      return { value, expiresAtMs };
    },
    check(value, ip) {
      if (typeof value !== "string" || value === "") {
        throw createTokenRefusal("access_token is missing", "access_token verilmedi");
      }
      const token = granted.get(value);
      if (token === undefined) {
        throw createTokenRefusal("access_token is unknown", "access_token tanınmıyor");
      }
      if (clock.now() >= token.expiresAtMs) {
        throw createTokenRefusal("access_token has expired", "access_token süresi doldu");
      }
      if (token.ip !== ip) {
        throw createTokenRefusal(
          "access_token belongs to another IP address",
          "access_token başka bir IP adresine ait",
        );
      }
    },
  };
}

function createCredentialsRefusal(): Refusal {
  return new Refusal({
    httpStatus: 401,
    status: "error",
    message: {
      en: "client_key or client_secret is wrong",
      tr: "client_key veya client_secret hatalı",
    },
  });
}

function createTokenRefusal(en: string, tr: string): Refusal {
  return new Refusal({ httpStatus: 401, message: { en, tr } });
}
