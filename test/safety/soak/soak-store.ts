/** A sandbox with many products, and a folder for what a long test writes. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { type Sandbox, startSandbox } from "@catalog/sandbox";

export interface SoakStore extends AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly folder: string;
  /** Settings of the program for this store, with a home of its own. */
  readonly env: Readonly<Record<string, string>>;
}

/** Disposing of it closes the sandbox and removes the folder. */
export async function openSoakStore(products: number): Promise<SoakStore> {
  const folder = mkdtempSync(join(tmpdir(), "soak-"));
  const sandbox = await startSandbox({ products });
  return {
    sandbox,
    folder,
    env: {
      CATALOG_BASE_URL: sandbox.baseUrl,
      CATALOG_CLIENT_KEY: sandbox.clientKey,
      CATALOG_CLIENT_SECRET: sandbox.clientSecret,
      CATALOG_STORE_ID: sandbox.storeId,
      CATALOG_HOME: join(folder, "home"),
    },
    async [Symbol.asyncDispose]() {
      await sandbox.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
