/** A keyring in memory, or a missing one. */

import type { Keyring } from "../../src/settings/login-store.ts";

export interface FakeKeyring extends Keyring {
  readonly secrets: ReadonlyMap<string, string>;
}

/** `forgetful` accepts secrets and stores none of them. */
export type KeyringKind = "working" | "missing" | "forgetful";

export function createFakeKeyring(kind: KeyringKind = "working"): FakeKeyring {
  const secrets = new Map<string, string>();
  const assertThere = async (): Promise<void> => {
    if (kind === "missing") throw new Error("no platform storage");
  };
  return {
    secrets,
    async read(account) {
      await assertThere();
      return secrets.get(account);
    },
    async write(account, secret) {
      await assertThere();
      if (kind === "working") secrets.set(account, secret);
    },
    async forget(account) {
      await assertThere();
      secrets.delete(account);
    },
  };
}
