import { closeSync, openSync, writeSync } from "node:fs";

const PAGE_BYTES = 16_384;

/** Overwrites a page of a database file, as a failing disk does. */
export function damagePage(path: string, page: number): void {
  const file = openSync(path, "r+");
  writeSync(file, Buffer.alloc(PAGE_BYTES, 0xaa), 0, PAGE_BYTES, (page - 1) * PAGE_BYTES);
  closeSync(file);
}
