/** The operating system's keyring, where there is one. */

// `import type` loads nothing at run time, unlike `import { type … }`.
import type { AsyncEntry } from "@napi-rs/keyring";

const SERVICE = "catalog-toolkit";

/** Stores one secret for each account. Every method rejects where the system has no keyring. */
export interface Keyring {
  /** The secret; `undefined` when the account has none. */
  read(account: string): Promise<string | undefined>;
  write(account: string, secret: string): Promise<void>;
  forget(account: string): Promise<void>;
}

/** Opens Credential Manager, Keychain or Secret Service; the library is loaded at the first use. */
export function createSystemKeyring(): Keyring {
  return {
    read: async (account) => (await (await open(account)).getPassword()) ?? undefined,
    write: async (account, secret) => (await open(account)).setPassword(secret),
    forget: async (account) => void (await (await open(account)).deletePassword()),
  };
}

async function open(account: string): Promise<AsyncEntry> {
  const keyring = await import("@napi-rs/keyring");
  // Without this, Linux falls back to the kernel's keyring, which is empty after a restart.
  return new keyring.AsyncEntry(SERVICE, account, { linux: { store: "secret-service" } });
}
