/**
 * At most one page of a kind runs in a home. A lock that dies with its process decides which one; a
 * private note beside it tells the same command, started again, how to ask that page for a link.
 */

import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

import type { Clock } from "@catalog/clock";
import { DatabaseError, lockFile, readLockHolder } from "@catalog/connection";
import { UsageError } from "@catalog/console";
import { makeFolder } from "@catalog/i18n";
import { z } from "zod";

import { createKey } from "../../server/access.ts";
import { silentPage } from "./texts.ts";

/** How long a page that is starting or does not answer is waited for. */
const WAIT_MS = 20_000;
const ASK_EVERY_MS = 200;

const noteSchema = z.object({ port: z.number(), pid: z.number(), secret: z.string() });
const answerSchema = z.object({ key: z.string() });

type Note = z.infer<typeof noteSchema>;

/** A page that another process serves, with the key of a new link to it. */
export interface RunningPage {
  readonly port: number;
  readonly key: string;
}

/** The right to serve the page; it is given back when it is disposed of or the process dies. */
export interface PageClaim extends Disposable {
  /** What a request for a link has to know. */
  readonly secret: string;
  /** Tells later starts the port of this page. */
  publish(port: number): void;
}

export interface ClaimOptions {
  /** Path of the note. */
  readonly path: string;
  /** The command as a person typed it. */
  readonly command: string;
  readonly clock: Clock;
}

/**
 * Claims the page, or gets a link from the process that has claimed it. Throws {@link UsageError}
 * where that process does not answer.
 */
export async function claimPage(options: ClaimOptions): Promise<PageClaim | RunningPage> {
  const { path, clock } = options;
  makeFolder(dirname(path));
  const untilMs = clock.now() + WAIT_MS;
  for (;;) {
    const claim = tryClaim(options);
    if (claim !== undefined) return claim;
    const running = await askForLink(path, untilMs - clock.now());
    if (running !== undefined) return running;
    if (clock.now() >= untilMs) throw new UsageError(silentPage(readLockHolder(lockOf(path))?.pid));
    await clock.sleep(ASK_EVERY_MS);
  }
}

const lockOf = (path: string): string => `${path}.lock`;

function tryClaim({ path, command, clock }: ClaimOptions): PageClaim | undefined {
  const lock = tryLock({ path, command, clock });
  if (lock === undefined) return undefined;
  // What a process that was killed has left is not true any more.
  rmSync(path, { force: true });
  const secret = createKey();
  return {
    secret,
    publish: (port) => writeNote(path, { port, pid: process.pid, secret }),
    [Symbol.dispose]() {
      rmSync(path, { force: true });
      lock[Symbol.dispose]();
    },
  };
}

function tryLock({ path, command, clock }: ClaimOptions): Disposable | undefined {
  const holder = { command, pid: process.pid, sinceMs: clock.now() };
  try {
    return lockFile({ path: lockOf(path), holder });
  } catch (error) {
    if (error instanceof DatabaseError && error.code === "E_STORE_BUSY") return undefined;
    throw error;
  }
}

function writeNote(path: string, note: Note): void {
  const next = `${path}.new`;
  rmSync(next, { force: true });
  writeFileSync(next, JSON.stringify(note), { mode: 0o600, flag: "wx" });
  renameSync(next, path);
}

/** The note of the process that holds the lock; one of another process is old. */
function readNote(path: string): Note | undefined {
  try {
    const note = noteSchema.parse(JSON.parse(readFileSync(path, "utf8")));
    return readLockHolder(lockOf(path))?.pid === note.pid ? note : undefined;
  } catch {
    return undefined;
  }
}

async function askForLink(path: string, waitMs: number): Promise<RunningPage | undefined> {
  const note = readNote(path);
  if (note === undefined || waitMs <= 0) return undefined;
  const { port, secret } = note;
  const origin = `http://127.0.0.1:${port}`;
  try {
    const response = await fetch(`${origin}/api/links`, {
      method: "POST",
      headers: { origin, "content-type": "application/json" },
      body: JSON.stringify({ secret }),
      redirect: "error",
      signal: AbortSignal.timeout(waitMs),
    });
    if (!response.ok) return undefined;
    return { port, key: answerSchema.parse(await response.json()).key };
  } catch {
    // It was ended meanwhile, or does not answer; the caller asks again.
    return undefined;
  }
}
