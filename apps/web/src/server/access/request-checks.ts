/** Refuses requests that do not come from the page itself, before anything is answered. */

import type { FastifyRequest } from "fastify";

import { RequestError } from "../site.ts";

/** Names by which this computer's own browser reaches the server. */
const HOSTS: readonly string[] = ["127.0.0.1", "localhost", "[::1]"];

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/** Types of bodies that no form of another site can send without a question to this server. */
const BODY_TYPES: ReadonlySet<string> = new Set(["application/json", "application/octet-stream"]);

/**
 * Refuses another host than this computer: a site whose name was bound to this address anew would
 * be one (DNS rebinding).
 */
export async function checkHost({ raw }: FastifyRequest): Promise<void> {
  const names = raw.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host");
  const host = raw.headers.host?.toLowerCase() ?? "";
  const port = raw.socket.localPort;
  if (names.length === 1 && HOSTS.some((name) => host === `${name}:${port}`)) return;
  throw new RequestError(421, "E_HOST", {
    tr: "Bu adres bu sayfanın değil. Sayfayı catalog web komutunun yazdığı bağlantıyla açın.",
    en: "This address is not the page's. Open the page with the link that catalog web printed.",
  });
}

/** Refuses requests of other sites, and changes that are not stated to be the page's own. */
export async function checkOrigin({ raw, method }: FastifyRequest): Promise<void> {
  const { origin, host } = raw.headers;
  const isOwn = origin === `http://${host ?? ""}`;
  if (!OWN_SITES.has(raw.headers["sec-fetch-site"] ?? "none")) throw foreign();
  if (origin !== undefined && !isOwn) throw foreign();
  if (SAFE_METHODS.has(method)) return;
  if (!isOwn) throw foreign();
  if (hasBody(raw.headers) && !BODY_TYPES.has(typeOf(raw.headers["content-type"]))) throw foreign();
}

/** What a browser says of requests of the page, and of an address that was typed. */
const OWN_SITES: ReadonlySet<unknown> = new Set(["same-origin", "none"]);

const hasBody = (headers: FastifyRequest["raw"]["headers"]): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

const typeOf = (type = ""): string => (type.split(";")[0] ?? "").trim().toLowerCase();

const foreign = (): RequestError =>
  new RequestError(403, "E_ORIGIN", {
    tr: "Bu istek sayfanın kendisinden gelmedi, bu yüzden yapılmadı. Sayfayı yeniden açıp deneyin.",
    en: "This request did not come from the page itself, so it was not carried out. Open the page again and retry.",
  });
