/** A sandbox, an empty home and a folder to work in, gone when the test ends. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { type Sandbox } from "@catalog/sandbox";
import { expect, onTestFinished } from "vitest";

import { findLeaks } from "./canaries.ts";
import { type CatalogProcess, type Finished, runCatalog, startCatalog } from "./catalog-process.ts";
import { openWatched, type WatchOptions } from "./watched-sandbox.ts";

export interface Shop {
  readonly sandbox: Sandbox;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly run: (...args: readonly string[]) => Promise<Finished>;
  readonly start: (...args: readonly string[]) => CatalogProcess;
}

/** At the end of the test no file of the folder holds a secret, and no rule has been broken. */
export async function openShop(options: WatchOptions = {}): Promise<Shop> {
  const sandbox = await openWatched(options);
  const folder = mkdtempSync(join(tmpdir(), "catalog-shop-"));
  onTestFinished(() => {
    const leaks = findLeaks(folder);
    rmSync(folder, { recursive: true, force: true });
    expect(leaks).toEqual([]);
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
