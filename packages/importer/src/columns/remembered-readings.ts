/**
 * What accepted plans have left for later files with the same headers: the columns that a person
 * chose, and the decimal signs of numbers. Lists and forgets it.
 */

import type { Connection } from "@catalog/connection";

import { DEFAULTS_KEY } from "./default-values.ts";
import { listRememberedNotations, removeRememberedNotations } from "./remembered-notations.ts";

type MemoryOf = Pick<Connection, "memory" | "baseUrl">;

/** One thing that is remembered for files with the same headers. */
export interface RememberedReading {
  /** The beginning of the headers' key, by which a person names it. */
  readonly id: string;
  readonly kind: "columns" | "decimals";
  /** Name of the file that was accepted; `null` where it is not known. */
  readonly learntFrom: string | null;
  /** Number of columns of that file, which tells files of one name apart. @default not known */
  readonly columnCount?: number | undefined;
  /** Header to the field, or to the decimal sign. */
  readonly entries: Readonly<Record<string, string>>;
}

const ID_CHARS = 8;

const toId = (key: string): string => key.slice(0, ID_CHARS);

/** Lists what is remembered, columns first. */
export async function listRememberedReadings({
  memory: { profiles, notes },
  baseUrl,
}: MemoryOf): Promise<readonly RememberedReading[]> {
  const learnt = (await profiles.listLearnt()).filter(
    ({ headerKey, columns }) => headerKey !== DEFAULTS_KEY && Object.keys(columns).length > 0,
  );
  const notations = await listRememberedNotations({ notes, baseUrl });
  return [
    ...learnt.map(({ headerKey, learntFrom, columns }) => ({
      id: toId(headerKey),
      kind: "columns" as const,
      learntFrom,
      entries: columns,
    })),
    ...notations.map(({ hash, decimals, file }) => ({
      id: toId(hash),
      kind: "decimals" as const,
      learntFrom: file?.name ?? null,
      columnCount: file?.columns,
      entries: decimals,
    })),
  ];
}

/** Forgets the readings with this id, or all of them for `all`; returns how many there were. */
export async function forgetReadings(connection: MemoryOf, id: string): Promise<number> {
  const { memory, baseUrl } = connection;
  const { profiles, notes } = memory;
  const isWanted = (key: string): boolean => id === "all" || toId(key) === id.toLowerCase();
  let forgotten = 0;
  for (const { headerKey } of await profiles.listLearnt()) {
    if (headerKey === DEFAULTS_KEY || !isWanted(headerKey)) continue;
    forgotten += await profiles.forget(headerKey);
  }
  return forgotten + (await removeRememberedNotations({ notes, baseUrl }, isWanted));
}
