/**
 * Who may use the page: requests of the page itself, in a session that a link has opened.
 * The files of sessions, one for each port, hold hashes of keys only.
 */

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Clock } from "@catalog/clock";
import { isFileError, makeFolder } from "@catalog/i18n";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";

import type { NewLink, OpenedSession } from "../api/session.ts";
import { needs } from "./needs.ts";
import { parseInput, RequestError } from "./site.ts";

const KEY_BYTES = 32;

/** A new key of 256 random bits, in letters that an address may hold. */
export const createKey = (): string => randomBytes(KEY_BYTES).toString("base64url");

const hashKey = (key: string): string => createHash("sha256").update(key).digest("hex");

/** Whether the key has this hash; takes the same time for every key. */
function isKeyOf(hash: string, key: string): boolean {
  const known = Buffer.from(hash, "hex");
  const given = Buffer.from(hashKey(key), "hex");
  return known.length === given.length && timingSafeEqual(known, given);
}

const LINK_MS = 5 * 60_000;

export interface LinkKeys {
  /** Makes the key of a new link; an earlier link no longer works. */
  create(): string;
  /** Whether it is the key of the link; it is used up then. */
  use(key: string): boolean;
}

export function createLinkKeys(clock: Clock): LinkKeys {
  let open: { readonly hash: string; readonly untilMs: number } | undefined;
  return {
    create() {
      const key = createKey();
      open = { hash: hashKey(key), untilMs: clock.now() + LINK_MS };
      return key;
    },
    use(key) {
      if (open === undefined || clock.now() >= open.untilMs || !isKeyOf(open.hash, key)) {
        return false;
      }
      open = undefined;
      return true;
    },
  };
}

const HOUR_MS = 60 * 60_000;

/** A session that was not used for so long is over. */
export const IDLE_MS: number = 8 * HOUR_MS;
/** A session is over after so long in any case. */
export const MAX_AGE_MS: number = 7 * 24 * HOUR_MS;
/** The time of use is written at most so often. */
const WRITE_EVERY_MS = 5 * 60_000;
const MAX_SESSIONS = 20;

const fileSchema = z.array(
  z.object({
    idHash: z.string(),
    keyHash: z.string(),
    createdAtMs: z.number(),
    seenAtMs: z.number(),
  }),
);

type Session = z.infer<typeof fileSchema>[number];

/** The two secrets of a new session: one for the cookie, one for the page's own storage. */
interface NewSession {
  readonly id: string;
  readonly writeKey: string;
}

export interface SessionStore {
  open(): NewSession;
  /** Whether the id is that of a session; notes its use. */
  isOpen(id: string): boolean;
  /** Whether the key is the write key of the session. */
  isWriteKey(id: string, key: string): boolean;
  close(id: string): void;
}

interface SessionStoreOptions {
  readonly folder: string;
  /** Cookies do not tell ports apart, so each port has its own sessions. */
  readonly port: number;
  readonly clock: Clock;
}

export function createSessionStore({ folder, port, clock }: SessionStoreOptions): SessionStore {
  const path = join(folder, `sessions-${port}.json`);
  let sessions = readSessions(path);
  const isLive = ({ createdAtMs, seenAtMs }: Session): boolean =>
    clock.now() - seenAtMs < IDLE_MS && clock.now() - createdAtMs < MAX_AGE_MS;
  /** Returns whether a later start of the server knows of it; the sessions of this one hold anyway. */
  const save = (next: readonly Session[]): boolean => {
    sessions = next.filter(isLive).slice(-MAX_SESSIONS);
    return writeSessions(folder, path, sessions);
  };
  const find = (id: string): Session | undefined =>
    sessions.find((session) => isKeyOf(session.idHash, id) && isLive(session));

  return {
    open() {
      const [id, writeKey] = [createKey(), createKey()];
      const now = clock.now();
      const hashes = { idHash: hashKey(id), keyHash: hashKey(writeKey) };
      save([...sessions, { ...hashes, createdAtMs: now, seenAtMs: now }]);
      return { id, writeKey };
    },
    isOpen(id) {
      const found = find(id);
      if (found === undefined) return false;
      const seenAtMs = clock.now();
      if (seenAtMs - found.seenAtMs >= WRITE_EVERY_MS) {
        save(sessions.map((each) => (each === found ? { ...found, seenAtMs } : each)));
      }
      return true;
    },
    isWriteKey(id, key) {
      const found = find(id);
      return found !== undefined && isKeyOf(found.keyHash, key);
    },
    close(id) {
      const found = find(id);
      if (found === undefined) return;
      const isSaved = save(sessions.filter((session) => session !== found));
      // What was closed must not come back, even if others are closed with it.
      if (!isSaved) rmSync(path, { force: true });
    },
  };
}

/** A missing or damaged file holds no session; its people open a new link. */
function readSessions(path: string): readonly Session[] {
  try {
    const parsed = fileSchema.safeParse(JSON.parse(readFileSync(path, "utf8")));
    return parsed.success ? parsed.data : [];
  } catch {
    return [];
  }
}

/** A full disk, or one that cannot be written, must not keep people from reading. */
function writeSessions(folder: string, path: string, sessions: readonly Session[]): boolean {
  const next = `${path}.new`;
  try {
    makeFolder(folder);
    writeFileSync(next, JSON.stringify(sessions), { mode: 0o600 });
    renameSync(next, path);
    return true;
  } catch (error) {
    if (!isFileError(error)) throw error;
    return false;
  }
}

/** Names by which this computer's own browser reaches the server. */
const HOSTS: readonly string[] = ["127.0.0.1", "localhost", "[::1]"];

/** Methods that change nothing. */
export const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD"]);

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

interface OriginOptions {
  readonly originOf: (request: FastifyRequest) => string;
  /** Whether a link of another site may lead to the address. @default none may */
  readonly isLinked?: (request: FastifyRequest) => boolean;
}

/** Refuses requests of other sites, and changes that are not stated to be the page's own. */
export const createOriginCheck =
  ({ originOf, isLinked = () => false }: OriginOptions) =>
  async (request: FastifyRequest): Promise<void> => {
    const { headers } = request.raw;
    const { origin } = headers;
    const isOwn = origin === originOf(request);
    const isOwnSite = OWN_SITES.has(headers["sec-fetch-site"] ?? "none");
    if (!isOwnSite && !(isNavigation(request) && isLinked(request))) throw foreign();
    if (origin !== undefined && !isOwn) throw foreign();
    if (SAFE_METHODS.has(request.method)) return;
    if (!isOwn) throw foreign();
    if (hasBody(headers) && !BODY_TYPES.has(typeOf(headers["content-type"]))) throw foreign();
  };

/** Whether the browser shows the answer to a person, as after a click on a link. */
const isNavigation = ({ method, raw: { headers } }: FastifyRequest): boolean =>
  method === "GET" &&
  headers["sec-fetch-mode"] === "navigate" &&
  headers["sec-fetch-dest"] === "document";

/** The same for the page of this computer, whose host was checked before. */
export const checkOrigin: (request: FastifyRequest) => Promise<void> = createOriginCheck({
  originOf: ({ raw }) => `http://${raw.headers.host ?? ""}`,
});

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

const openSessionBody = z.object({ key: z.string().min(1).max(200) });

/** The secret is in the private file of the command that opened the page. */
const newLinkBody = z.object({ secret: z.string().min(1).max(200) });

type SessionsOf = (request: FastifyRequest) => SessionStore;

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

interface OpeningOptions {
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
  app.post("/session", needs("open"), async (request, reply) => {
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
  app.post("/links", needs("open"), async (request) => {
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
