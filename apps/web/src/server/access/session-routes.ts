/** Opens, checks and closes sessions. */

import type { Clock } from "@catalog/clock";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

import {
  type NewLink,
  newLinkBody,
  openSessionBody,
  type OpenedSession,
} from "../../api/session.ts";
import { parseInput } from "../parse-input.ts";
import { RequestError } from "../site.ts";
import type { LinkKeys } from "./link-keys.ts";
import { hashKey, isKeyOf } from "./secrets.ts";
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

export interface OpeningOptions {
  readonly sessionsOf: SessionsOf;
  readonly links: LinkKeys;
  /** The command that prints a new link. */
  readonly command: string;
}

/**
 * Exchanges the key of a link for a session; needs no session. Tries are not counted, as every program
 * of this computer has the same address: whoever guessed wrongly would keep the owner out. They need
 * not be: a key has 256 random bits, so that a million guesses a second for the five minutes of a link
 * find it once in 10^68 links; keys are compared by their hashes in constant time, a wrong one leaves
 * the link as it is, and costs one hash. The same holds for the secret below.
 */
export function addOpeningRoute(
  app: FastifyInstance,
  { sessionsOf, links, command }: OpeningOptions,
): void {
  app.post("/session", async (request, reply) => {
    const { key } = parseInput(openSessionBody, request.body);
    if (!links.use(key)) throw usedLink(command);
    const { id, writeKey } = sessionsOf(request).open();
    reply.setCookie(cookieName(request), id, { ...COOKIE, maxAge: MAX_AGE_MS / 1000 });
    return { writeKey } satisfies OpenedSession;
  });
}

/**
 * Makes a link for the command that was started again; needs no session, but the secret of this
 * server, which is in a file that only its owner can read.
 */
export function addLinkRoute(app: FastifyInstance, links: LinkKeys, secret: string): void {
  const hash = hashKey(secret);
  app.post("/links", async (request) => {
    const given = parseInput(newLinkBody, request.body);
    if (!isKeyOf(hash, given.secret)) throw foreignSecret();
    return { key: links.create() } satisfies NewLink;
  });
}

/** What is counted for a session, and not for all of this computer, is counted by this. */
export const sessionKey = (request: FastifyRequest): string =>
  hashKey(request.cookies[cookieName(request)] ?? "");

/** Refuses requests without a session, and changes without its write key. */
export const checkSession =
  (sessionsOf: SessionsOf, command: string) =>
  async (request: FastifyRequest): Promise<void> => {
    const id = request.cookies[cookieName(request)] ?? "";
    const sessions = sessionsOf(request);
    if (!sessions.isOpen(id)) throw noSession(command);
    if (request.method === "GET" || request.method === "HEAD") return;
    const key = request.headers["x-catalog"];
    if (typeof key === "string" && sessions.isWriteKey(id, key)) return;
    throw new RequestError(403, "E_WRITE_KEY", {
      tr: `Bu sekmede değişiklik yapılamıyor. Başka bir terminalde ${command} komutunu yeniden çalıştırıp yazdığı bağlantıyı açın.`,
      en: `Nothing can be changed in this tab. Run ${command} again in another terminal and open the link that it prints.`,
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

const usedLink = (command: string): RequestError =>
  new RequestError(403, "E_LINK_USED", {
    tr: `Bu bağlantı kullanılmış ya da süresi dolmuş. Başka bir terminalde ${command} komutunu yeniden çalıştırıp yazdığı bağlantıyı açın.`,
    en: `This link was used or has expired. Run ${command} again in another terminal and open the link that it prints.`,
  });

const noSession = (command: string): RequestError =>
  new RequestError(401, "E_SESSION", {
    tr: `Oturum açık değil ya da sona erdi. Başka bir terminalde ${command} komutunu yeniden çalıştırıp yazdığı bağlantıyı açın.`,
    en: `There is no open session, or it has ended. Run ${command} again in another terminal and open the link that it prints.`,
  });

const foreignSecret = (): RequestError =>
  new RequestError(403, "E_LINK_SECRET", {
    tr: "Yeni bağlantı yalnızca sayfayı açan komut yeniden çalıştırılınca verilir.",
    en: "A new link is given only to the command that opened the page, when it is run again.",
  });
