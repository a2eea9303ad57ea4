/** Asks the stored login for what neither the environment nor the configuration file gives. */

import { findSettings, type LoginSettings, type SettingSources } from "../settings/settings.ts";
import { type LoginStore } from "./login-store.ts";

/**
 * `undefined` where nothing is missing or stored. The file is not read when nothing is missing, and
 * the keyring is not asked unless the secret is missing, so neither can get in the way.
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
  // With any text for the secret this says whether the real one would be used.
  const trial = findSettings({ env, config, login: { ...login, clientSecret: "?" } });
  if (trial.CATALOG_CLIENT_SECRET.source !== "login") return login;
  return { ...login, clientSecret: await stored.readSecret() };
}
