/** What a child is told to do wrong. */

import { fileURLToPath } from "node:url";

export interface Orders {
  /** Dies at this point, the nth time that it comes past it. */
  readonly crash?: { readonly point: string; readonly nth: number } | undefined;
  /** Without the guards against adding twice. */
  readonly control?: boolean | undefined;
}

const VARIABLE = "CATALOG_TEST_ORDERS";

/** The environment that hands the orders to a child. */
export function toEnv(orders: Orders): Readonly<Record<string, string>> {
  const hook = fileURLToPath(new URL("fault-hook.ts", import.meta.url));
  return { NODE_OPTIONS: `--import ${hook}`, [VARIABLE]: JSON.stringify(orders) };
}

export function readOrders(env: NodeJS.ProcessEnv): Orders {
  return JSON.parse(env[VARIABLE] ?? "{}");
}
