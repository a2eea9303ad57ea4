/**
 * Sessions of browsers, in a private file for each port, so that an open tab goes on after the
 * server was started again. The file holds hashes only.
 */

import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Clock } from "@catalog/clock";
import { isFileError, makeFolder } from "@catalog/i18n";
import { z } from "zod";

import { createKey, hashKey, isKeyOf } from "./secrets.ts";

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
export interface NewSession {
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

export interface SessionStoreOptions {
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
