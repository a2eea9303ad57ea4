/** Instructions for a child process: where to die, and what to break. */

import { fileURLToPath } from "node:url";

export interface Orders {
  /** Point at which it dies, the nth time that it is reached. */
  readonly crash?: { readonly point: string; readonly nth: number } | undefined;
  /** Removes the guards against adding twice. */
  readonly control?: boolean | undefined;
}

const VARIABLE = "CATALOG_TEST_ORDERS";

/** The environment that passes the instructions to a child. */
export function toEnv(orders: Orders): Readonly<Record<string, string>> {
  const hook = fileURLToPath(new URL("fault-hook.ts", import.meta.url));
  return { NODE_OPTIONS: `--import ${hook}`, [VARIABLE]: JSON.stringify(orders) };
}

export function readOrders(env: NodeJS.ProcessEnv): Orders {
  return JSON.parse(env[VARIABLE] ?? "{}");
}
