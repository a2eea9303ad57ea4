/** Signing in: how often it may fail, and how long what it opens lasts. */

import type { NewAuditRecord } from "./chain.ts";
import { toLogin, toNetwork } from "./logins.ts";
import type { NewSessionRecord, SessionLimits, SignInTry } from "./records.ts";
import { createSecret, hashSecret } from "./secrets.ts";
import type { TeamParts } from "./team-parts.ts";
import type { NewSession, Person, Session, Sessions, SignInPlace } from "./team.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const TRIES_MS = 15 * MINUTE_MS;
const MAX_FAILURES = 5;
const IDLE_MS = 8 * HOUR_MS;
const ABSOLUTE_MS = 7 * 24 * HOUR_MS;
/** The use of a session is noted once in this time. */
const TOUCH_MS = MINUTE_MS;
const MAX_BROWSER_LENGTH = 200;

interface Prepared extends Omit<NewSession, "session"> {
  readonly record: NewSessionRecord;
}

export function createSessions(parts: TeamParts): Sessions {
  const { records, clock, hasher, entry } = parts;
  const { people, sessions } = records;
  const describe = createDescriptions(parts);
  const limits = (): SessionLimits => ({
    createdAfterMs: clock.now() - ABSOLUTE_MS,
    seenAfterMs: clock.now() - IDLE_MS,
  });
  const isOpen = ({ createdAtMs, seenAtMs }: Session): boolean => {
    const { createdAfterMs, seenAfterMs } = limits();
    return createdAtMs > createdAfterMs && seenAtMs > seenAfterMs;
  };
  return {
    async signIn({ login: typed, password }, from) {
      const login = toLogin(typed);
      const found = await people.findLogin(login);
      const toRefused = (reason: string): NewAuditRecord => describe.refusal(found, from, reason);
      const attempt = toTry(login, from, clock.now());
      if (await sessions.isBlocked(attempt)) {
        await sessions.settle(attempt, undefined, toRefused);
        return "tries";
      }
      const known = found?.isActive === true ? found.passwordHash : null;
      const isRight = await hasher.matches(password, known);
      const prepared =
        found && known && isRight
          ? prepare({ person: found.id, passwordHash: known }, from, clock.now())
          : undefined;
      const outcome = await sessions.settle(
        toTry(login, from, clock.now()),
        prepared?.record,
        (result, session) =>
          result === "opened" && found !== undefined
            ? describe.opening(found.id, from, session)
            : toRefused(result),
      );
      return typeof outcome === "string" ? outcome : toNewSession(prepared, outcome);
    },
    async open(person, from) {
      const prepared = prepare({ person }, from, clock.now());
      const session = await sessions.open(prepared.record, (id) =>
        describe.opening(person, from, id),
      );
      return session && toNewSession(prepared, session);
    },
    async find(cookie) {
      const found = await sessions.find(hashSecret(cookie));
      if (found === undefined || !isOpen(found)) return undefined;
      const seenAtMs = clock.now();
      if (seenAtMs - found.seenAtMs < TOUCH_MS) return found;
      await sessions.touch(found.id, seenAtMs, limits());
      return { ...found, seenAtMs };
    },
    isWriteKey: (id, writeKey) => sessions.hasWriteKey(id, hashSecret(writeKey)),
    list: async (person) => (await sessions.list(person)).filter(isOpen),
    end: (id, by) =>
      sessions.end(id, ({ person, address, browser }) =>
        entry(
          { action: "session.end", subject: String(id), before: { person, address, browser } },
          by,
        ),
      ),
  };
}

function prepare(
  { person, passwordHash }: Pick<NewSessionRecord, "person" | "passwordHash">,
  from: SignInPlace,
  now: number,
): Prepared {
  const cookie = createSecret();
  const writeKey = createSecret();
  const record = {
    person,
    passwordHash,
    createdAtMs: now,
    seenAtMs: now,
    address: from.address,
    browser: from.browser.slice(0, MAX_BROWSER_LENGTH).toWellFormed(),
    cookieHash: hashSecret(cookie),
    writeKeyHash: hashSecret(writeKey),
    replaces: from.replaces === undefined ? undefined : hashSecret(from.replaces),
  };
  return { record, cookie, writeKey };
}

interface Descriptions {
  opening(person: number, from: SignInPlace, session: number | undefined): NewAuditRecord;
  refusal(found: Person | undefined, from: SignInPlace, reason: string): NewAuditRecord;
}

const createDescriptions = ({ entry }: TeamParts): Descriptions => ({
  opening: (person, { address, browser }, session) =>
    entry(
      {
        action: "session.open",
        subject: String(session),
        after: { browser: browser.slice(0, MAX_BROWSER_LENGTH) },
      },
      { person, key: null, address },
    ),
  // An unknown login is left out, as it may be a password in the wrong field.
  refusal: (found, { address }, reason) =>
    entry(
      {
        action: "session.refused",
        subject: found === undefined ? null : String(found.id),
        after: { login: found?.login, reason },
      },
      { person: null, key: null, address },
    ),
});

function toNewSession(prepared: Prepared | undefined, session: Session): NewSession {
  if (prepared === undefined) throw new Error("a session was opened that nobody asked for");
  return { session, cookie: prepared.cookie, writeKey: prepared.writeKey };
}

const toTry = (login: string, { address }: SignInPlace, atMs: number): SignInTry => ({
  loginHash: hashSecret(login),
  network: toNetwork(address),
  atMs,
  sinceMs: atMs - TRIES_MS,
  maxFailures: MAX_FAILURES,
});
