/** Checks of the file: on a local disk, and still the file that was opened. */

import { statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";

import { DatabaseError } from "../errors.ts";

/** File systems whose locks and syncs are unreliable, by their type numbers in Linux. */
const NETWORK_TYPES: ReadonlyMap<number, string> = new Map([
  [0x69_69, "NFS"],
  [0x51_7b, "SMB"],
  [0xfe_53_4d_42, "SMB2"],
  [0xff_53_4d_42, "CIFS"],
  [0x01_02_19_97, "9p"],
  [0x65_73_55_46, "FUSE"],
  [0x00_c3_64_00, "Ceph"],
  [0x53_46_41_4f, "AFS"],
]);

/** Returns the name of the network file system of this type; `undefined` for any other type. */
export function toNetworkName(type: number): string | undefined {
  return NETWORK_TYPES.get(type);
}

/** Throws `DatabaseError` `E_DATABASE_NETWORK` where the folder is not on a local disk. */
export function assertLocal(path: string, typeOf: (folder: string) => number = readType): void {
  const folder = dirname(path);
  const name = toNetworkName(typeOf(folder));
  if (name !== undefined) throw new DatabaseError("E_DATABASE_NETWORK", `${folder}: ${name}`);
}

const readType = (folder: string): number => statfsSync(folder).type;

/** Returns the free bytes on the disk of the file. */
export function readFreeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(dirname(path));
  return bavail * bsize;
}

/**
 * Remembers the identity of the file. The returned function throws `DatabaseError`
 * `E_DATABASE_REPLACED` when the path now leads to another file or to none, because writes to the
 * old file would be lost.
 */
export function watchDatabaseFile(path: string): () => void {
  const read = (): string | undefined => {
    const found = statSync(path, { throwIfNoEntry: false, bigint: true });
    return found === undefined ? undefined : `${found.dev} ${found.ino}`;
  };
  const opened = read();
  return () => {
    if (read() !== opened) throw new DatabaseError("E_DATABASE_REPLACED", path);
  };
}
