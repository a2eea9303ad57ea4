/** Ids of the runs on this machine, read without a call and without a secret. */

import { existsSync } from "node:fs";
import { join } from "node:path";

import type { Clock } from "@catalog/clock";
import { listRunIds } from "@catalog/connection";

import { chooseLogin, STORE_VARIABLE } from "../../settings/choose-store.ts";
import type { Config } from "../../settings/config-schema.ts";
import type { LoginStore } from "../../settings/login-store.ts";
import {
  type Environment,
  findSettings,
  resolveDatabaseUrl,
  resolveHome,
} from "../../settings/settings.ts";

/** A person who has pressed the tab key waits no longer for a process that writes. */
const MAX_WAIT_MS = 200;

/** Runs that are offered. */
const MAX_RUNS = 50;

interface LocalRunsOptions {
  readonly env: Environment;
  readonly config: Config;
  readonly logins: Pick<LoginStore, "read">;
  readonly clock: Clock;
}

/** Lists the newest first. Creates no database. */
export async function readLocalRuns(options: LocalRunsOptions): Promise<readonly string[]> {
  const { env, config, logins, clock } = options;
  // A person who has pressed the tab key does not wait for a server.
  if (resolveDatabaseUrl(env, config) !== undefined) return [];
  const path = join(resolveHome(env, config), "catalog.db");
  if (!existsSync(path)) return [];
  const given = toStore(findSettings({ env, config }));
  const isOpen = env[STORE_VARIABLE] || !isWhole(given);
  const login = isOpen ? (await chooseLogin({ env, config }, logins))?.login : undefined;
  const store = login === undefined ? given : toStore(findSettings({ env, config, login }));
  if (!isWhole(store)) return [];
  return await listRunIds({
    ...store,
    path,
    clock,
    command: "catalog completion",
    busyTimeoutMs: MAX_WAIT_MS,
    max: MAX_RUNS,
  });
}

interface Store {
  readonly baseUrl: string;
  readonly storeId: string;
}

type FoundSettings = ReturnType<typeof findSettings>;

const toStore = ({ CATALOG_BASE_URL, CATALOG_STORE_ID }: FoundSettings): Store => ({
  baseUrl: CATALOG_BASE_URL.value,
  storeId: CATALOG_STORE_ID.value,
});

const isWhole = ({ baseUrl, storeId }: Store): boolean => baseUrl !== "" && storeId !== "";
