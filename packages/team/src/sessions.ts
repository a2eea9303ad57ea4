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

export function createSessions({ records, clock, hasher, entry }: TeamParts): Sessions {
  const { people, sessions } = records;
  const limits = (): SessionLimits => ({
    createdAfterMs: clock.now() - ABSOLUTE_MS,
    seenAfterMs: clock.now() - IDLE_MS,
  });
  const isOpen = ({ createdAtMs, seenAtMs }: Session): boolean => {
    const { createdAfterMs, seenAfterMs } = limits();
    return createdAtMs > createdAfterMs && seenAtMs > seenAfterMs;
  };
  const prepare = (person: number, from: SignInPlace, passwordHash?: string): Prepared => {
    const cookie = createSecret();
    const writeKey = createSecret();
    const now = clock.now();
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
  };

  return {
    async signIn({ login: typed, password }, from) {
      const login = toLogin(typed);
      const found = await people.findLogin(login);
      const toRefused = (reason: string): NewAuditRecord => describeRefusal(found, from, reason);
      const attempt = toTry(login, from, clock.now());
      if (await sessions.isBlocked(attempt)) {
        await sessions.settle(attempt, undefined, toRefused);
        return "tries";
      }
      const known = found?.isActive === true ? found.passwordHash : null;
      const isRight = await hasher.matches(password, known);
      const prepared = found && known && isRight ? prepare(found.id, from, known) : undefined;
      const outcome = await sessions.settle(
        toTry(login, from, clock.now()),
        prepared?.record,
        (result, session) =>
          result === "opened" && found !== undefined
            ? describeOpening(found.id, from, session)
            : toRefused(result),
      );
      return typeof outcome === "string" ? outcome : toNewSession(prepared, outcome);
    },
    async open(person, from) {
      const prepared = prepare(person, from);
      const session = await sessions.open(prepared.record, (id) =>
        describeOpening(person, from, id),
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
    end: (id, by) => sessions.end(id, entry({ action: "session.end", subject: String(id) }, by)),
  };

  function describeOpening(
    person: number,
    { address, browser }: SignInPlace,
    session: number | undefined,
  ): NewAuditRecord {
    return entry(
      {
        action: "session.open",
        subject: String(session),
        after: { browser: browser.slice(0, MAX_BROWSER_LENGTH) },
      },
      { person, key: null, address },
    );
  }

  /** An unknown login is left out, as it may be a password in the wrong field. */
  function describeRefusal(
    found: Person | undefined,
    { address }: SignInPlace,
    reason: string,
  ): NewAuditRecord {
    const subject = found === undefined ? null : String(found.id);
    const after = { login: found?.login, reason };
    return entry(
      { action: "session.refused", subject, after },
      { person: null, key: null, address },
    );
  }
}

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
