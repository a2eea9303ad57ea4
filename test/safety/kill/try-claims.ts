/** An import of updates that dies at named points, and is gone on with. */

import { goodRow, writeWorkbook } from "../../helpers/product-sheet.ts";
import { FLAGS, nextCommand, settleRun } from "./account.ts";
import { openKillShop } from "./kill-scenario.ts";

export interface TriedClaims {
  /** How many of the points were reached, and killed the process. */
  readonly deaths: number;
  /** States of the rows in the end, each once. */
  readonly states: readonly string[];
  /** Why rows moved, each cause once. */
  readonly moves: readonly string[];
  /** Updates that the marketplace has received. */
  readonly updates: number;
}

/** More than two batches. */
export const CLAIMED_ROWS = 20;

const NEW_STOCK = 500;

/** Each start dies at the next of the points when it comes past it the first time. */
export async function tryClaims(points: readonly string[]): Promise<TriedClaims> {
  await using shop = await openKillShop({ rows: CLAIMED_ROWS, faults: [] });
  await settleRun(shop);
  const rows = Array.from({ length: CLAIMED_ROWS }, (_, at) =>
    goodRow(at + 1, { "Stok *": NEW_STOCK }),
  );
  const file = await writeWorkbook(shop.folder, "stok.xlsx", rows);
  let deaths = 0;
  let command: readonly string[] = ["import", file, "--yes", ...FLAGS];
  for (const point of points) {
    const { signal } = await shop.start({ crash: { point, nth: 1 } }, ...command).finished;
    if (signal === "SIGKILL") deaths += 1;
    command = nextCommand(shop);
  }
  await settleRun(shop);
  return {
    deaths,
    states: [...new Set(shop.read()?.rows.map(({ state }) => state))],
    moves: shop.readCauses(),
    updates: shop.sandbox.stats().byEndpoint["product.update"] ?? 0,
  };
}
