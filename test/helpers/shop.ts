/** A sandbox, an empty home and a folder to work in, gone when the test ends. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { type Sandbox, type SandboxOptions, startSandbox } from "@catalog/sandbox";
import { onTestFinished } from "vitest";

import { type CatalogProcess, type Finished, runCatalog, startCatalog } from "./catalog-process.ts";

export interface Shop {
  readonly sandbox: Sandbox;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly run: (...args: readonly string[]) => Promise<Finished>;
  readonly start: (...args: readonly string[]) => CatalogProcess;
}

export async function openShop(options: SandboxOptions = {}): Promise<Shop> {
  const sandbox = await startSandbox(options);
  const folder = mkdtempSync(join(tmpdir(), "catalog-shop-"));
  onTestFinished(async () => {
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const env = {
    CATALOG_BASE_URL: sandbox.baseUrl,
    CATALOG_CLIENT_KEY: sandbox.clientKey,
    CATALOG_CLIENT_SECRET: sandbox.clientSecret,
    CATALOG_STORE_ID: sandbox.storeId,
    CATALOG_HOME: join(folder, "home"),
  };
  const place = { env, cwd: folder };
  return {
    sandbox,
    folder,
    env,
    run: (...args) => runCatalog(args, place),
    start: (...args) => startCatalog(args, place),
  };
}
