/** Parses the address that requests go to. */

import { SettingsError } from "./errors.ts";

const NO_URL = {
  tr: "Pazaryerinin adresi anlaşılamadı: https:// ile başlayan tam bir adres olmalı; örnek: https://api.pazaryeri.example",
  en: "baseUrl is not a URL: give the whole address, beginning with https://, such as https://api.market.example",
};

const TOO_MUCH_URL = {
  tr: "Pazaryerinin adresinde kullanıcı, sorgu ya da # bölümü olamaz.",
  en: "baseUrl must have no user, query or fragment.",
};

/** The client adds the version of each endpoint itself. */
const VERSION_PATH = /\/v\d+(?:\.\d+)?\/?$/u;

const WITH_VERSION = {
  tr: "Pazaryerinin adresinin sonunda sürüm (/v1.1 gibi) olmamalı; onsuz yazın, örneğin https://api.pazaryeri.example.",
  en: "The address of the marketplace must not end with a version, such as /v1.1; write it without, for example https://api.market.example.",
};

/**
 * Parses the address. Tokens and secrets are sent to it, so http is allowed only for this machine.
 * Throws `SettingsError` for any other text.
 */
export function parseBaseUrl(text: string): URL {
  const url = URL.parse(text);
  // The text is not repeated, because it may hold a password.
  if (url === null) throw new SettingsError(NO_URL);
  if (url.username + url.password + url.search + url.hash !== "") {
    throw new SettingsError(TOO_MUCH_URL);
  }
  if (VERSION_PATH.test(url.pathname)) throw new SettingsError(WITH_VERSION);
  const isAllowed = url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url));
  if (!isAllowed) {
    const found = `"${url.protocol}//${url.host}"`;
    throw new SettingsError({
      tr: `Pazaryerinin adresi https:// ile başlamalı; verilen: ${found}.`,
      en: `baseUrl must start with https://, got ${found}.`,
    });
  }
  return url;
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d+){3}$/u.test(hostname);
}
