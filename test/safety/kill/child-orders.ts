/** Instructions for a child process: where to die, and what to break. */

import { fileURLToPath } from "node:url";

interface Crash {
  readonly point: string;
  readonly nth: number;
  /** @default it dies */
  readonly isSuspended?: boolean;
}

export interface Orders {
  /** Point at which it dies, or is suspended, the nth time that it is reached. */
  readonly crash?: Crash | undefined;
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
