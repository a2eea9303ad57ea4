/** A sandbox, an empty home and a working folder, removed when the test ends. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Sandbox } from "@catalog/sandbox";
import { expect, onTestFinished } from "vitest";

import { callCatalog, type Json, readDocument } from "../call-catalog.ts";
import { findLeaks } from "../canaries.ts";
import { type CatalogProcess, type Finished, startCatalog } from "../processes/catalog-process.ts";
import { type OnEnd, openWatched, type WatchOptions } from "./watched-sandbox.ts";

export interface TestStore {
  readonly sandbox: Sandbox;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** Runs the program in this process, in a fifth of the time of a process of its own. */
  readonly run: (...args: readonly string[]) => Promise<Finished>;
  /** Runs it with `--json`, and returns its document. */
  readonly json: (...args: readonly string[]) => Promise<Json>;
  /** Starts the program as a process, for tests of streams, signals, concurrency or its end. */
  readonly start: (...args: readonly string[]) => CatalogProcess;
  /** The same store and folder with other settings, such as the home of another machine. */
  readonly at: (env: Readonly<Record<string, string>>) => TestStore;
}

/** When the test ends, no file of the folder may hold a secret, and no rule may be broken. */
export async function openTestStore(
  options: WatchOptions = {},
  onEnd: OnEnd = onTestFinished,
): Promise<TestStore> {
  const sandbox = await openWatched(options, onEnd);
  const folder = mkdtempSync(join(tmpdir(), "catalog-shop-"));
  onEnd(() => {
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
  return openAt({ sandbox, folder, env });
}

function openAt(place: Pick<TestStore, "sandbox" | "folder" | "env">): TestStore {
  const options = { env: place.env, cwd: place.folder };
  return {
    ...place,
    run: (...args) => callCatalog(args, options),
    json: async (...args) => readDocument(await callCatalog([...args, "--json"], options)),
    start: (...args) => startCatalog(args, options),
    at: (env) => openAt({ ...place, env: { ...place.env, ...env } }),
  };
}

/** Writes the configuration file of the folder, and confirms it as a person would. */
export async function writeConfig(
  { folder, run }: Pick<TestStore, "folder" | "run">,
  config: Readonly<Record<string, unknown>>,
): Promise<void> {
  writeFileSync(join(folder, "catalog.config.json"), JSON.stringify(config));
  const { code, err } = await run("trust", "--yes");
  expect([code, err]).toEqual([0, expect.any(String)]);
}
