/** The local marketplace of the page, which remembers its products from start to start. */

import { existsSync } from "node:fs";

import { type Sandbox, startSandbox } from "@catalog/sandbox";
import type { WebSandbox, WebSandboxOptions } from "@catalog/web/command";

/** Products that the store has at its first start. */
const PRODUCTS = 40;

/** Starts it on the port of the last time, or on a free one where that is taken. */
export async function openMarketplace(options: WebSandboxOptions): Promise<WebSandbox> {
  const { port, statePath } = options;
  const sandbox = await startOn(port).catch(async (error: unknown) => {
    if (port === 0 || !isListenError(error)) throw error;
    return await startOn(0);
  });
  try {
    if (existsSync(statePath)) await sandbox.restore(statePath).catch(ignoreOther);
  } catch (error) {
    await sandbox.close();
    throw error;
  }
  return {
    port: Number(new URL(sandbox.baseUrl).port),
    settings: {
      CATALOG_BASE_URL: sandbox.baseUrl,
      CATALOG_CLIENT_KEY: sandbox.clientKey,
      CATALOG_CLIENT_SECRET: sandbox.clientSecret,
      CATALOG_STORE_ID: sandbox.storeId,
    },
    async [Symbol.asyncDispose]() {
      await sandbox.snapshot(statePath);
      await sandbox.close();
    },
  };
}

const startOn = (port: number): Promise<Sandbox> => startSandbox({ port, products: PRODUCTS });

const isListenError = (error: unknown): boolean =>
  error instanceof Error && "syscall" in error && error.syscall === "listen";

/** A state that another version wrote is left out; the store begins anew. */
function ignoreOther(error: unknown): void {
  if (!(error instanceof RangeError)) throw error;
}
