/** Opens the team of the settings' database, for commands of the person to whom the machine belongs. */

import { openTeam } from "@catalog/connection";
import { makeFolder } from "@catalog/i18n";
import { type Actor, parseSecretKeys, type SecretKey, type Team } from "@catalog/team";

import type { CommandContext } from "../context.ts";
import { findUsableConfig } from "../settings/config-trust.ts";
import { type Environment, resolveDatabaseUrl, resolveHome } from "../settings/settings.ts";
import type { DatabaseParts } from "./db/index.ts";

/** Who acts at the terminal. */
export const TERMINAL: Actor = { person: null, key: null, address: null };

/** Reads the keys that credentials are encrypted with; none where there is no such variable. */
export const readSecretKeys = (env: Environment): readonly SecretKey[] =>
  parseSecretKeys(env["CATALOG_SECRET_KEY"] ?? "");

/** Opens the team; the caller closes it. */
export async function openTeamOf(
  { clock }: Pick<CommandContext, "clock">,
  parts: DatabaseParts,
  command: string,
): Promise<Team> {
  const { config } = await findUsableConfig({ ...parts.configLocations, ...parts });
  const home = resolveHome(parts.env, config);
  const databaseUrl = resolveDatabaseUrl(parts.env, config);
  makeFolder(home);
  return await openTeam({
    home,
    databaseUrl,
    clock,
    command: `catalog ${command}`,
    secretKeys: readSecretKeys(parts.env),
  });
}
