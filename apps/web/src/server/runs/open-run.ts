/** Opens the run that a path names. */

import type { Connection } from "@catalog/connection";
import { readRun } from "@catalog/importer";
import type { RunRecord } from "@catalog/runs";

import type { Site } from "../site.ts";

export interface OpenedRun {
  readonly connection: Connection;
  readonly run: RunRecord;
}

/** Throws `CatalogError` `E_RUN_UNKNOWN` where the store has no such run. */
export async function openRun({ store }: Pick<Site, "store">, id: string): Promise<OpenedRun> {
  const connection = await store.connection();
  return { connection, run: await readRun(connection, id) };
}
