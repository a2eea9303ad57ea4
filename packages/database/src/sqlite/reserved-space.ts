/**
 * Disk space that is reserved beside the database and freed when the disk is full, so that the
 * outcomes of requests under way can still be written. Without it nothing new is sent.
 */

import { existsSync, rmSync, writeFileSync } from "node:fs";

import { DatabaseError, toDatabaseError } from "../errors.ts";
import { readFreeBytes } from "./filesystem-checks.ts";

const MIB = 1024 * 1024;
const RESERVED_BYTES = 8 * MIB;

/** Minimum free space for sending anything new. */
export const MIN_FREE_BYTES: number = 64 * MIB;

/** The reserved space of one database. */
export interface ReservedSpace {
  /**
   * Throws `DatabaseError` `E_DISK_FULL` when the space is not reserved and cannot be. Space that was
   * freed is reserved again once the disk has room for it.
   */
  assertKept(): void;
  /** Frees the space. Returns whether any was reserved. */
  drop(): boolean;
}

export interface ReservedSpaceOptions {
  readonly databasePath: string;
  /** @default asks the file system */
  readonly freeBytes?: (path: string) => number;
}

/** Reserves nothing before `assertKept` is called; a database in memory needs none. */
export function createReservedSpace({
  databasePath,
  freeBytes = readFreeBytes,
}: ReservedSpaceOptions): ReservedSpace {
  if (databasePath === ":memory:") return { assertKept: () => undefined, drop: () => false };
  const path = `${databasePath}.ballast`;
  let isKept = false;
  const refuse = (): never => {
    throw new DatabaseError("E_DISK_FULL", databasePath);
  };

  return {
    assertKept() {
      if (isKept) return;
      if (freeBytes(databasePath) < MIN_FREE_BYTES) refuse();
      try {
        // Written, not only sized: a sparse file occupies no space that could be freed.
        if (!existsSync(path)) writeFileSync(path, new Uint8Array(RESERVED_BYTES), { mode: 0o600 });
      } catch (error) {
        throw toDatabaseError(error, path);
      }
      isKept = true;
    },
    drop() {
      isKept = false;
      if (!existsSync(path)) return false;
      rmSync(path, { force: true });
      return true;
    },
  };
}
