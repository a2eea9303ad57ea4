/** The operating system's store for secrets, where there is one. */

// With "type" inside the braces it would be loaded at once.
import type { AsyncEntry } from "@napi-rs/keyring";

const SERVICE = "catalog-toolkit";

/** Keeps one secret by account. Every method rejects where the system has no such store. */
export interface Keyring {
  /** `undefined` when nothing is kept for the account. */
  read(account: string): Promise<string | undefined>;
  write(account: string, secret: string): Promise<void>;
  forget(account: string): Promise<void>;
}

/** Credential Manager, Keychain or Secret Service; loaded when it is first asked. */
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
