/** A sandbox, an empty home and a folder to work in, gone when the test ends. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { type Sandbox } from "@catalog/sandbox";
import { expect, onTestFinished } from "vitest";

import { callCatalog } from "../call-catalog.ts";
import { findLeaks } from "../canaries.ts";
import { type CatalogProcess, type Finished, startCatalog } from "../processes/catalog-process.ts";
import { openWatched, type WatchOptions } from "./watched-sandbox.ts";

export interface Shop {
  readonly sandbox: Sandbox;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** Runs the program in this process, in a fifth of the time that a process of its own takes. */
  readonly run: (...args: readonly string[]) => Promise<Finished>;
  /** Starts it as people do: where streams, signals, several at once or the end are what counts. */
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
    run: (...args) => callCatalog(args, place),
    start: (...args) => startCatalog(args, place),
  };
}

/** Writes the configuration file of the folder, and confirms it as a person would. */
export async function writeConfig(
  { folder, run }: Pick<Shop, "folder" | "run">,
  config: Readonly<Record<string, unknown>>,
): Promise<void> {
  writeFileSync(join(folder, "catalog.config.json"), JSON.stringify(config));
  const { code, err } = await run("trust", "--yes");
  expect([code, err]).toEqual([0, expect.any(String)]);
}
