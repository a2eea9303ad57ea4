/** The locks of one store between processes, as files in the home. */

import { createHash } from "node:crypto";
import { join } from "node:path";

import { type JobLocks, type LockHolder, lockStore, readLockHolder } from "@catalog/database";

import type { StoreLock, StoreLocks } from "./connection-groups.ts";
import type { ConnectionOptions } from "./connection-options.ts";

type LockPlace = Pick<ConnectionOptions, "home" | "baseUrl" | "storeId" | "clock">;

/** Opens the locks of the store; none is taken yet. */
export function openLocks(options: LockPlace): StoreLocks {
  const pathOf = createLockPaths(options);
  const lock = createLock(options);
  return {
    store: (command) => lock("store", "", command),
    feeds: (command) => lock("feed", "", command),
    schedule: (key) => lock("schedule", ` ${key}`, "catalog sync --every"),
    scheduleHolder: async (key) => readLockHolder(pathOf("schedule", ` ${key}`)),
    schedules: (command) => lock("schedules", "", command),
    schedulesHolder: async () => readLockHolder(pathOf("schedules", "")),
    export: (key) => lock("export", ` ${key}`, "export"),
    runsUnderWay: async () =>
      new Set(readHolders(pathOf).flatMap(({ run }) => (run === undefined ? [] : [run]))),
    storeHolder: async () => readLockHolder(pathOf("store", "")),
    holderOf: async (runId) => readHolders(pathOf).find(({ run }) => run === runId),
    takeOvers: async () => [],
  };
}

/** Opens the locks of jobs, by which workers of this machine share the queue. */
export function openJobLocks(options: LockPlace): Omit<JobLocks, "storeHolder"> {
  const pathOf = createLockPaths(options);
  const lock = createLock(options);
  return {
    job: ({ kind, key }) => lock("job", ` ${kind} ${key}`, "catalog worker"),
    jobHolder: async ({ kind, key }) => readLockHolder(pathOf("job", ` ${kind} ${key}`)),
  };
}

function createLock(
  options: LockPlace,
): (kind: LockKind, of: string, command: string) => Promise<StoreLock> {
  const pathOf = createLockPaths(options);
  return async (kind, of, command) => {
    const holder = { command, pid: process.pid, sinceMs: options.clock.now() };
    const file = lockStore({ path: pathOf(kind, of), holder });
    return {
      nameRun: async (runId) => file.nameRun(runId),
      [Symbol.asyncDispose]: async () => file[Symbol.dispose](),
    };
  };
}

/** The processes that work on runs of the store. */
const readHolders = (pathOf: ReturnType<typeof createLockPaths>): readonly LockHolder[] =>
  (["store", "feed"] as const).flatMap((kind) => readLockHolder(pathOf(kind, "")) ?? []);

type LockKind = "store" | "feed" | "schedule" | "schedules" | "job" | "export";

/** Paths of locks of a kind, each for the part `of` the store; an empty `of` is the whole store. */
function createLockPaths({
  home,
  baseUrl,
  storeId,
}: LockPlace): (kind: LockKind, of: string) => string {
  return (kind, of) => {
    const hash = createHash("sha256").update(`${baseUrl} ${storeId}${of}`).digest("hex");
    return join(home, `${kind}-${hash.slice(0, 16)}.lock`);
  };
}
