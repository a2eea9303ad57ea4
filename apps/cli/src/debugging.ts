/** Environments in which Node itself would print secrets. */

import { UsageError } from "@catalog/console";

import type { Environment } from "./settings/settings.ts";

/** Parts of Node that print addresses, and the token in them, when they are debugged. */
const TALKATIVE: ReadonlySet<string> = new Set([
  "http",
  "http2",
  "https",
  "fetch",
  "undici",
  "net",
  "tls",
]);

/** Whether Node prints the addresses of calls. */
export function isTalkative(env: Environment): boolean {
  const sections = (env["NODE_DEBUG"] ?? "").toLowerCase().split(",");
  return sections.some((name) => TALKATIVE.has(name.trim()) || name.includes("*"));
}

/** Throws a {@link UsageError} where a call would be printed with its access token. */
export function assertSilent(env: Environment): void {
  if (!isTalkative(env)) return;
  const found = `NODE_DEBUG=${env["NODE_DEBUG"]}`;
  throw new UsageError({
    tr: `${found}: Node istek adreslerini erişim anahtarıyla birlikte yazdırır; hiçbir şey yapılmadı. NODE_DEBUG değişkenini kaldırıp yeniden çalıştırın (unset NODE_DEBUG).`,
    en: `${found}: Node would print the addresses of calls with the access token in them; nothing was done. Unset NODE_DEBUG and run it again (unset NODE_DEBUG).`,
  });
}
