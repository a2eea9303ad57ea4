/** The local marketplace of the page, which remembers its products from start to start. */

import { existsSync } from "node:fs";
import { dirname } from "node:path";

import { isListenError, UsageError } from "@catalog/console";
import type { Localized } from "@catalog/i18n";
import { type Sandbox, startSandbox } from "@catalog/sandbox";
import type { WebSandbox, WebSandboxOptions } from "@catalog/web/command";

/** Products that the store has at its first start. */
const PRODUCTS = 40;

/**
 * Starts it on the port of the last time. Throws {@link UsageError} where another program has that
 * port: on another one it would be another store, and all that was done would seem to be gone.
 */
export async function openMarketplace(options: WebSandboxOptions): Promise<WebSandbox> {
  const { port, statePath } = options;
  const sandbox = await startOn(port).catch((error: unknown) => {
    throw isListenError(error) ? new UsageError(takenPort(options), { cause: error }) : error;
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

/** A state that another version wrote is left out; the store begins anew. */
function ignoreOther(error: unknown): void {
  if (!(error instanceof RangeError)) throw error;
}

const takenPort = ({ port, statePath }: WebSandboxOptions): Localized => ({
  tr: `Yerel mağaza ${port} numaralı portta açılır, ama o portu başka bir program kullanıyor. O programı kapatıp yeniden deneyin. Yerel mağazaya baştan başlamak isterseniz şu klasörü silin: ${dirname(statePath)}`,
  en: `The local store opens on port ${port}, which another program uses. Close that program and try again. To begin with a new local store, remove this folder: ${dirname(statePath)}`,
});
