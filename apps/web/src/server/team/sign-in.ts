/** Signing in and out, the own password, the own sessions, and invitations. */

import type { NewSession, Person, Session, SignInPlace, Team } from "@catalog/team";
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from "fastify";

import type { OpenedSession } from "../../api/session.ts";
import {
  acceptBody,
  accountBody,
  type AccountView,
  invitationBody,
  type InvitationView,
  passwordBody,
  type PersonName,
  type SessionView,
  signInBody,
  type SignInView,
} from "../../api/team.ts";
import { SAFE_METHODS } from "../access.ts";
import { askerOf, needs } from "../needs.ts";
import { parseInput, RequestError, unknownRecord } from "../site.ts";

/** What only a server of several people knows of a request. */
interface SignedIn {
  readonly person: Person;
  readonly session: Session;
}

declare module "fastify" {
  interface FastifyRequest {
    signedIn: SignedIn | null;
  }
}

/** The person and the session of a request that has passed {@link createSessionCheck}. */
export function signedInOf({ signedIn }: FastifyRequest): SignedIn {
  if (signedIn === null) throw new TypeError("nobody has signed in");
  return signedIn;
}

const COOKIE = "__Host-catalog";
const DAY_SECONDS = 24 * 60 * 60;

/** Browsers take it only from this host, over TLS, and give it to no script and no other site. */
const COOKIE_OPTIONS = {
  path: "/",
  httpOnly: true,
  secure: true,
  sameSite: "strict",
  maxAge: 7 * DAY_SECONDS,
} as const;

const MAX_BROWSER = 300;

export interface SignInOptions {
  readonly team: Team;
  readonly version: string;
  readonly addressOf: (request: FastifyRequest) => string;
  /** Name of the identity provider. @default there is none */
  readonly openId?: string | undefined;
}

/** Finds the session of a request, and refuses those without one, and changes without its write key. */
export const createSessionCheck =
  ({ team, addressOf }: Pick<SignInOptions, "team" | "addressOf">) =>
  async (request: FastifyRequest): Promise<void> => {
    const session = await findSession(team, request);
    if (session === undefined) throw signInNeeded();
    const person = await team.people.read(session.person);
    if (person?.isActive !== true) throw signInNeeded();
    request.signedIn = { person, session };
    const memberships = await team.people.memberships(person.id);
    request.asker = {
      name: person.name,
      role: memberships.find(({ store }) => store === null)?.role ?? null,
      actor: { person: person.id, key: null, address: addressOf(request) },
    };
    if (SAFE_METHODS.has(request.method)) return;
    const key = request.headers["x-catalog"];
    if (typeof key === "string" && (await team.sessions.isWriteKey(session.id, key))) return;
    throw new RequestError(403, "E_WRITE_KEY", {
      tr: "Bu sekmede değişiklik yapılamıyor. Çıkıp yeniden girin.",
      en: "Nothing can be changed in this tab. Sign out and sign in again.",
    });
  };

/** The session of the request's cookie, unless it is over. */
export async function findSession(
  { sessions }: Pick<Team, "sessions">,
  { cookies: { [COOKIE]: cookie } }: FastifyRequest,
): Promise<Session | undefined> {
  return cookie === undefined ? undefined : await sessions.find(cookie);
}

export function placeOf(
  request: FastifyRequest,
  { addressOf }: Pick<SignInOptions, "addressOf">,
): SignInPlace {
  return {
    address: addressOf(request),
    browser: (request.headers["user-agent"] ?? "").slice(0, MAX_BROWSER),
    replaces: request.cookies[COOKIE],
  };
}

/** Gives the browser the cookie; the page gets the other half. */
export function giveSession(reply: FastifyReply, { cookie, writeKey }: NewSession): OpenedSession {
  reply.setCookie(COOKIE, cookie, COOKIE_OPTIONS);
  return { writeKey };
}

/** What hashes passwords is asked no more often than this from one address. */
export const limitOf = ({
  addressOf,
}: Pick<SignInOptions, "addressOf">): RouteShorthandOptions => ({
  config: { needs: "open", rateLimit: { ...TRIES, keyGenerator: addressOf } },
});

const TRIES = { max: 60, timeWindow: 60_000 } as const;

/** Routes that need no session. */
export function addSignInRoutes(app: FastifyInstance, options: SignInOptions): void {
  const { team, openId } = options;
  const limit = limitOf(options);
  app.get("/sign-in", needs("open"), (): SignInView => ({ openId: openId ?? null }));
  app.post("/sign-in", limit, async (request, reply) => {
    const given = parseInput(signInBody, request.body);
    const opened = await team.sessions.signIn(given, placeOf(request, options));
    if (opened === "tries") throw tooManyTries();
    if (opened === "wrong") throw wrongSignIn();
    return giveSession(reply, opened);
  });
  app.post("/invitations/find", limit, async (request): Promise<InvitationView> => {
    const found = await team.invitations.find(parseInput(invitationBody, request.body).secret);
    if (found === undefined) throw usedInvitation();
    return { login: found.login, name: found.name };
  });
  app.post("/invitations/accept", limit, async (request, reply) => {
    const { secret, password } = parseInput(acceptBody, request.body);
    const place = placeOf(request, options);
    const { id } = await team.invitations.accept(secret, password, place);
    const opened = await team.sessions.open(id, place);
    if (opened === undefined) throw usedInvitation();
    return giveSession(reply, opened);
  });
}

/** Routes for everybody who has signed in. */
export function addAccountRoutes(app: FastifyInstance, options: SignInOptions): void {
  const { team, version } = options;
  app.get("/account", needs("person"), async (request): Promise<AccountView> => {
    const { person } = signedInOf(request);
    const stores = await Promise.all(
      (await team.stores.list()).map(async ({ id, name, baseUrl, storeId }) => {
        const role = await team.people.roleIn(person.id, id);
        return role === undefined ? [] : [{ name, baseUrl, storeId, role }];
      }),
    );
    return {
      version,
      person: { id: person.id, login: person.login, name: person.name },
      isAdministrator: askerOf(request).role === "administrator",
      stores: stores.flat().toSorted((a, b) => a.name.localeCompare(b.name)),
    };
  });
  app.put("/account", needs("person"), async (request): Promise<PersonName> => {
    const { name } = parseInput(accountBody, request.body);
    const { id } = signedInOf(request).person;
    await team.people.setName(id, name, askerOf(request).actor);
    const person = (await team.people.read(id)) ?? signedInOf(request).person;
    return { id, login: person.login, name: person.name };
  });
  app.delete("/session", needs("person"), async (request, reply) => {
    const { session } = signedInOf(request);
    await team.sessions.end(session.id, askerOf(request).actor);
    const { maxAge: _, ...cookie } = COOKIE_OPTIONS;
    // The page forgets what it has read by itself; images would stay in the browser's cache.
    reply.header("clear-site-data", '"cache"').clearCookie(COOKIE, cookie);
    await reply.status(204).send();
  });
  app.put("/password", needs("person"), async (request, reply) => {
    const { current, next } = parseInput(passwordBody, request.body);
    const { person } = signedInOf(request);
    const given = { login: person.login, password: current };
    // The new session is the only one that stays.
    const opened = await team.sessions.signIn(given, placeOf(request, options));
    if (opened === "tries") throw tooManyTries();
    if (opened === "wrong") throw wrongSignIn();
    const answer = giveSession(reply, opened);
    await team.people.setPassword(person.id, next, askerOf(request).actor, opened.session.id);
    return answer;
  });
  app.get("/sessions", needs("person"), async (request) =>
    readSessions(team, signedInOf(request).person.id, request),
  );
  app.delete<SessionPath>("/sessions/:session", needs("person"), async (request, reply) => {
    await endSessionOf(team, signedInOf(request).person.id, request);
    await reply.status(204).send();
  });
}

export interface SessionPath {
  readonly Params: { readonly session: string };
}

export async function readSessions(
  { sessions }: Pick<Team, "sessions">,
  person: number,
  request: FastifyRequest,
): Promise<readonly SessionView[]> {
  const own = signedInOf(request).session.id;
  return (await sessions.list(person)).map(({ id, createdAtMs, seenAtMs, address, browser }) => ({
    id,
    createdAt: new Date(createdAtMs).toISOString(),
    seenAt: new Date(seenAtMs).toISOString(),
    address,
    browser,
    isCurrent: id === own,
  }));
}

/** Ends a session of the person; that of another one is answered as one that is not there. */
export async function endSessionOf(
  { sessions }: Pick<Team, "sessions">,
  person: number,
  request: FastifyRequest<SessionPath>,
): Promise<void> {
  const id = Number(request.params.session);
  const isOwn = (await sessions.list(person)).some((session) => session.id === id);
  if (!isOwn) throw unknownRecord();
  await sessions.end(id, askerOf(request).actor);
}

const signInNeeded = (): RequestError =>
  new RequestError(401, "E_SIGN_IN_NEEDED", {
    tr: "Oturumunuz kapanmış. Yeniden girin; yaptıklarınız duruyor.",
    en: "Your session has ended. Sign in again; nothing that you did is lost.",
  });

const wrongSignIn = (): RequestError =>
  new RequestError(403, "E_SIGN_IN", {
    tr: "Kullanıcı adı ya da parola yanlış.",
    en: "The name or the password is wrong.",
  });

const tooManyTries = (): RequestError =>
  new RequestError(429, "E_TOO_MANY_TRIES", {
    tr: "Çok sık denendi. 15 dakika sonra yeniden deneyin ya da yöneticinizden yeni bir parola bağlantısı isteyin.",
    en: "That was tried too often. Try again in 15 minutes, or ask your administrator for a link to a new password.",
  });

const usedInvitation = (): RequestError =>
  new RequestError(404, "E_INVITATION_USED", {
    tr: "Bu davet bağlantısı kullanılmış ya da süresi dolmuş. Yöneticinizden yenisini isteyin.",
    en: "This invitation was used or has expired. Ask your administrator for a new one.",
  });
