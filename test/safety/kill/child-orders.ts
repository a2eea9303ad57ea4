/** Orders for a child process: where to die, and what to break. */

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

/** The environment that passes the orders to a child. */
export const toEnv = (orders: Orders): Readonly<Record<string, string>> => ({
  [VARIABLE]: JSON.stringify(orders),
});

export function readOrders(env: NodeJS.ProcessEnv): Orders {
  return JSON.parse(env[VARIABLE] ?? "{}");
}
