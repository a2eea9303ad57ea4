/** Opens, checks and closes sessions. */

import type { Clock } from "@catalog/clock";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

import { openSessionBody, type OpenedSession } from "../../api/session.ts";
import { parseInput } from "../parse-input.ts";
import { RequestError } from "../site.ts";
import type { LinkKeys } from "./link-keys.ts";
import { createSessionStore, MAX_AGE_MS, type SessionStore } from "./session-store.ts";

/** Sessions of the port of a request. */
export type SessionsOf = (request: FastifyRequest) => SessionStore;

/** Opens the sessions of a port when its first request comes. */
export function createSessionsOf(options: {
  readonly folder: string;
  readonly clock: Clock;
}): SessionsOf {
  const stores = new Map<number, SessionStore>();
  return ({ raw }) => {
    const port = raw.socket.localPort ?? 0;
    const store = stores.get(port) ?? createSessionStore({ ...options, port });
    stores.set(port, store);
    return store;
  };
}

const cookieName = ({ raw }: FastifyRequest): string => `catalog_${raw.socket.localPort}`;

const COOKIE = { path: "/", httpOnly: true, sameSite: "strict" } as const;

/** Tries of one address in five minutes; nobody guesses a key, but a loop would fill the log. */
const SESSION_TRIES = { max: 20, timeWindow: 5 * 60_000 } as const;

/** Exchanges the key of a link for a session; needs no session. */
export function addOpeningRoute(
  app: FastifyInstance,
  sessionsOf: SessionsOf,
  links: LinkKeys,
): void {
  app.post("/session", { config: { rateLimit: SESSION_TRIES } }, async (request, reply) => {
    const { key } = parseInput(openSessionBody, request.body);
    if (!links.use(key)) throw usedLink();
    const { id, writeKey } = sessionsOf(request).open();
    reply.setCookie(cookieName(request), id, { ...COOKIE, maxAge: MAX_AGE_MS / 1000 });
    return { writeKey } satisfies OpenedSession;
  });
}

/** Refuses requests without a session, and changes without its write key. */
export const checkSession =
  (sessionsOf: SessionsOf) =>
  async (request: FastifyRequest): Promise<void> => {
    const id = request.cookies[cookieName(request)] ?? "";
    const sessions = sessionsOf(request);
    if (!sessions.isOpen(id)) throw noSession();
    if (request.method === "GET" || request.method === "HEAD") return;
    const key = request.headers["x-catalog"];
    if (typeof key === "string" && sessions.isWriteKey(id, key)) return;
    throw new RequestError(403, "E_WRITE_KEY", {
      tr: "Bu sekme değişiklik yapamıyor. Sayfayı catalog web komutunun yazdığı yeni bir bağlantıyla açın.",
      en: "This tab cannot change anything. Open the page with a new link that catalog web prints.",
    });
  };

/** Ends the session of the request. */
export async function endSession(
  request: FastifyRequest,
  reply: FastifyReply,
  sessionsOf: SessionsOf,
): Promise<void> {
  sessionsOf(request).close(request.cookies[cookieName(request)] ?? "");
  reply.clearCookie(cookieName(request), COOKIE);
  await reply.status(204).send();
}

const usedLink = (): RequestError =>
  new RequestError(403, "E_LINK_USED", {
    tr: "Bu bağlantı kullanılmış ya da süresi dolmuş. catalog web komutunu yeniden çalıştırıp yazdığı bağlantıyı açın.",
    en: "This link was used or has expired. Run catalog web again and open the link that it prints.",
  });

const noSession = (): RequestError =>
  new RequestError(401, "E_SESSION", {
    tr: "Oturum açık değil ya da sona erdi. catalog web komutunu yeniden çalıştırıp yazdığı bağlantıyı açın.",
    en: "There is no open session, or it has ended. Run catalog web again and open the link that it prints.",
  });
