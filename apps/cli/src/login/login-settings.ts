/**
 * Reads from the stored login the settings that neither the environment nor the configuration file
 * gives.
 */

import { findSettings, type LoginSettings, type SettingSources } from "../settings/settings.ts";
import type { LoginStore } from "./login-store.ts";

/**
 * `undefined` where no setting is missing or none is stored. The file is read only for a missing
 * setting and the keyring only for a missing secret, so that neither can fail without need.
 */
export async function readLoginSettings(
  { env, config }: Omit<SettingSources, "login">,
  logins: Pick<LoginStore, "read">,
): Promise<LoginSettings | undefined> {
  const found = findSettings({ env, config });
  if (Object.values(found).every(({ source }) => source !== "nowhere")) return undefined;
  const stored = await logins.read();
  if (stored === undefined) return undefined;
  const { baseUrl, clientKey, storeId } = stored;
  const login = { baseUrl, clientKey, storeId };
  // A placeholder secret tells whether the stored one would be used.
  const trial = findSettings({ env, config, login: { ...login, clientSecret: "?" } });
  if (trial.CATALOG_CLIENT_SECRET.source !== "login") return login;
  return { ...login, clientSecret: await stored.readSecret() };
}
