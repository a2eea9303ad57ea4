/**
 * The address that people use: requests of another host or site are refused, and what a proxy says of
 * a request is believed only where there is one.
 */

import { isIP } from "node:net";

import type { FastifyRequest } from "fastify";

import { createOriginCheck } from "../access.ts";
import { NO_PAGE } from "../page-app.ts";
import { RequestError } from "../site.ts";

export interface PublicAddress {
  /** Such as `https://katalog.example.com`. */
  readonly origin: string;
  /** Whether a proxy in front of the server has the certificate. */
  readonly isBehindProxy: boolean;
}

interface AddressChecks {
  readonly checkHost: (request: FastifyRequest) => Promise<void>;
  readonly checkOrigin: (request: FastifyRequest) => Promise<void>;
  /** Where the request came from; the last proxy knows, and those before it can be made up. */
  readonly addressOf: (request: FastifyRequest) => string;
}

/** The address that the identity provider sends people back to. */
export const OPENID_BACK = "/api/openid/back";

const OF_PROGRAMS = /^\/v1(?:[/?]|$)/u;

export function createAddressChecks({ origin, isBehindProxy }: PublicAddress): AddressChecks {
  const { host } = new URL(origin);
  const lastOf = ({ raw: { headers } }: FastifyRequest, name: string): string => {
    const value = headers[name];
    const text = isBehindProxy ? String(value ?? "") : "";
    return text.split(",").at(-1)?.trim().toLowerCase() ?? "";
  };
  const checkOrigin = createOriginCheck({
    originOf: () => origin,
    // Links of invitations are in e-mails, and the provider sends people back.
    isLinked: ({ url }) => !NO_PAGE.test(url) || url.split("?", 1)[0] === OPENID_BACK,
  });
  return {
    async checkHost(request) {
      const { rawHeaders, headers } = request.raw;
      const named = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host");
      if (named.length !== 1 || headers.host?.toLowerCase() !== host) throw otherHost(origin);
      if (!["", "https"].includes(lastOf(request, "x-forwarded-proto"))) throw notSecure(origin);
    },
    async checkOrigin(request) {
      // A key in a header lets programs in, which no other site's page can make a browser send.
      if (!OF_PROGRAMS.test(request.url)) await checkOrigin(request);
    },
    addressOf(request) {
      const forwarded = lastOf(request, "x-forwarded-for");
      if (isIP(forwarded) !== 0) return forwarded;
      return request.raw.socket.remoteAddress ?? "?";
    },
  };
}

const otherHost = (origin: string): RequestError =>
  new RequestError(421, "E_HOST", {
    tr: `Bu adres bu sayfanın değil. Sayfanın adresi: ${origin}`,
    en: `This address is not the page's. The page is at ${origin}`,
  });

const notSecure = (origin: string): RequestError =>
  new RequestError(403, "E_NOT_SECURE", {
    tr: `Bağlantı güvenli değil. Sayfayı şu adresle açın: ${origin}`,
    en: `The connection is not secure. Open the page at ${origin}`,
  });
