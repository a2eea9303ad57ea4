/** The line that a sandbox prints when it starts, as settings of the program. */
export interface Credentials {
  readonly base_url: string;
  readonly client_key: string;
  readonly client_secret: string;
  readonly store_id: string;
}

export const toEnvironment = (told: Credentials): Readonly<Record<string, string>> => ({
  CATALOG_BASE_URL: told.base_url,
  CATALOG_CLIENT_KEY: told.client_key,
  CATALOG_CLIENT_SECRET: told.client_secret,
  CATALOG_STORE_ID: told.store_id,
});
