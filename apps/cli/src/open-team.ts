/** Opens the people of the database that the settings name. */

import type { Clock } from "@catalog/clock";
import { openTeam } from "@catalog/connection";
import type { Separation } from "@catalog/database";
import { makeFolder } from "@catalog/i18n";
import { type Actor, parseSecretKeys, type SecretKey, type Team } from "@catalog/team";

import type { Config } from "./settings/config-schema.ts";
import { type Environment, resolveDatabaseUrl, resolveHome } from "./settings/settings.ts";

interface TeamSettings {
  readonly env: Environment;
  readonly config: Config;
}

/** Reads whether the server holds the stores of the home's database apart. */
export async function readSeparationOf({ env, config }: TeamSettings): Promise<Separation> {
  const url = resolveDatabaseUrl(env, config);
  if (url === undefined) return "none";
  const { readServerSeparation } = await import("@catalog/database/postgres");
  return await readServerSeparation(url);
}

interface TeamSession {
  /** Such as `catalog web`. */
  readonly command: string;
  readonly stop: AbortSignal;
  readonly clock: Clock;
  /** How long the database is waited for. @default 30 seconds */
  readonly maxWaitMs?: number | undefined;
}

const WAIT_MS = 30_000;

/** Who acts at a terminal of the machine. */
export const TERMINAL: Actor = { person: null, key: null, address: null };

/**
 * Reads the keys of credentials, none where there is no such variable. Throws `TeamError`
 * `E_KEY_INVALID`.
 */
export const readSecretKeys = (env: Environment): readonly SecretKey[] =>
  parseSecretKeys(env["CATALOG_SECRET_KEY"] ?? "");

/** Throws `TeamError` `E_KEY_INVALID` for a key of credentials that is none. */
export async function openTeamOf(
  { env, config }: TeamSettings,
  { command, stop, clock, maxWaitMs: maxMs = WAIT_MS }: TeamSession,
): Promise<Team> {
  const home = resolveHome(env, config);
  makeFolder(home);
  return await openTeam({
    home,
    databaseUrl: resolveDatabaseUrl(env, config),
    clock,
    command,
    databaseWait: { maxMs, stop },
    secretKeys: readSecretKeys(env),
  });
}
