/**
 * Encryption of credentials: AES-256-GCM under the newest of several keys, so that a key can be
 * replaced. What is encrypted is bound to its store and address: moved to another row, or to another
 * address of the same row, it does not open.
 */

import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

import { toCanonicalJson } from "./chain.ts";
import type { Sealed } from "./records.ts";
import { TeamError } from "./team-error.ts";
import type { StoreCredentials, TeamStore } from "./team.ts";

const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_ID_BYTES = 6;

/** A key of the server. */
export interface SecretKey {
  /** Made of the key, and says nothing of it. */
  readonly id: string;
  readonly bytes: Uint8Array;
}

/**
 * Reads keys: 32 bytes each, in base64, the newest first, apart by commas or lines. Throws
 * `E_KEY_INVALID`, without the text.
 */
export function parseSecretKeys(text: string): readonly SecretKey[] {
  const parts = text.split(/[\s,]+/u).filter((part) => part !== "");
  return parts.map((part, at) => {
    const bytes = Buffer.from(part, "base64");
    // Decoding skips what is not base64.
    const isWhole = /^[A-Za-z0-9+/_-]+={0,2}$/u.test(part);
    if (!isWhole || bytes.length !== KEY_BYTES) throw invalidKey(at + 1);
    return { id: toKeyId(bytes), bytes };
  });
}

const toKeyId = (bytes: Uint8Array): string =>
  createHash("sha256")
    .update("catalog key id\n")
    .update(bytes)
    .digest()
    .subarray(0, KEY_ID_BYTES)
    .toString("hex");

type Secrets = Pick<StoreCredentials, "clientKey" | "clientSecret">;

/** Encrypts and decrypts credentials of stores. */
export interface Vault {
  /** Throws `E_KEY_MISSING` where there is no key. */
  seal(store: TeamStore, secrets: Secrets): Sealed;
  /** Throws `E_KEY_MISSING` where the key is not at hand, or does not open it. */
  open(store: TeamStore, sealed: Sealed): Secrets;
  /** Whether it is encrypted with the newest key. */
  isNewest(sealed: Sealed): boolean;
}

export function createVault(keys: readonly SecretKey[]): Vault {
  const [newest] = keys;
  return {
    seal(store, { clientKey, clientSecret }) {
      if (newest === undefined) throw missingKey();
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, newest.bytes, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(boundTo(store, newest.id));
      const parts = [
        nonce,
        cipher.update(JSON.stringify({ clientKey, clientSecret }), "utf8"),
        cipher.final(),
        cipher.getAuthTag(),
      ];
      return { keyId: newest.id, text: Buffer.concat(parts).toString("base64url") };
    },
    open(store, { keyId, text }) {
      const key = keys.find(({ id }) => id === keyId);
      if (key === undefined) throw missingKey(keyId);
      const sealed = Buffer.from(text, "base64url");
      try {
        const decipher = createDecipheriv(CIPHER, key.bytes, sealed.subarray(0, NONCE_BYTES), {
          authTagLength: TAG_BYTES,
        });
        decipher.setAAD(boundTo(store, keyId));
        decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
        const opened = Buffer.concat([
          decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)),
          decipher.final(),
        ]);
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `seal`, and authentic
        return JSON.parse(opened.toString("utf8")) as Secrets;
      } catch (error) {
        throw missingKey(keyId, error);
      }
    },
    isNewest: ({ keyId }) => keyId === newest?.id,
  };
}

const boundTo = ({ id, baseUrl, storeId }: TeamStore, keyId: string): Buffer =>
  Buffer.from(toCanonicalJson({ id, baseUrl, storeId, keyId }));

const invalidKey = (at: number): TeamError =>
  new TeamError("E_KEY_INVALID", {
    tr: `CATALOG_SECRET_KEY içindeki ${at}. anahtar geçersiz: her biri base64 ile yazılmış 32 bayt olmalı. Yenisi: openssl rand -base64 32`,
    en: `Key ${at} of CATALOG_SECRET_KEY is not valid: each must be 32 bytes in base64. To make one: openssl rand -base64 32`,
  });

function missingKey(keyId?: string, cause?: unknown): TeamError {
  const texts =
    keyId === undefined
      ? {
          tr: "Mağaza bilgilerini şifreleyecek anahtar yok. CATALOG_SECRET_KEY ya da CATALOG_SECRET_KEY_FILE verin. Yeni anahtar: openssl rand -base64 32",
          en: "There is no key to encrypt the stores' credentials with. Give CATALOG_SECRET_KEY or CATALOG_SECRET_KEY_FILE. To make a key: openssl rand -base64 32",
        }
      : {
          tr: `Mağazanın bilgileri ${keyId} anahtarıyla açılamıyor. Şifrelendikleri anahtarı CATALOG_SECRET_KEY içine ekleyin ya da bilgileri yeniden girin.`,
          en: `The store's credentials do not open with the key ${keyId}. Add the key that they were encrypted with to CATALOG_SECRET_KEY, or enter the credentials again.`,
        };
  return new TeamError("E_KEY_MISSING", texts, { cause });
}
