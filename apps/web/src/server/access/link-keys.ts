/** The key in the link that opens the page: it works once, and for five minutes. */

import type { Clock } from "@catalog/clock";

import { createKey, hashKey, isKeyOf } from "./secrets.ts";

/** How long a link works. */
const LINK_MS = 5 * 60_000;

export interface LinkKeys {
  /** Makes the key of a new link; an earlier link no longer works. */
  create(): string;
  /** Whether it is the key of the link; it is used up then. */
  use(key: string): boolean;
}

export function createLinkKeys(clock: Clock): LinkKeys {
  let open: { readonly hash: string; readonly untilMs: number } | undefined;
  return {
    create() {
      const key = createKey();
      open = { hash: hashKey(key), untilMs: clock.now() + LINK_MS };
      return key;
    },
    use(key) {
      if (open === undefined || clock.now() >= open.untilMs || !isKeyOf(open.hash, key)) {
        return false;
      }
      open = undefined;
      return true;
    },
  };
}
