/** One import that dies at named points, and is resumed. */

import type { Fault } from "@catalog/sandbox";

import { goodRow, writeCsv } from "../../helpers/product-sheet.ts";
import {
  compareStates,
  type Comparison,
  finishRun,
  FLAGS,
  nextCommand,
  openKillScenario,
} from "./kill-scenario.ts";

interface TriedPoint extends Comparison {
  /** Number of points that were reached and killed the process. */
  readonly deaths: number;
  readonly codes: readonly (number | null)[];
}

const ROWS = 24;

/** Faults that make lookups necessary. */
const FAULTS: readonly Fault[] = [
  { kind: "reset-after", endpoint: "product.add", nth: 3 },
  { kind: "error-before", endpoint: "product.add", nth: 6 },
  { kind: "truncated-without-length", endpoint: "product.add", nth: 9 },
];

/** Each start dies at the next of the points, the nth time that it is reached. */
export async function tryPoints(points: readonly string[], nth: number): Promise<TriedPoint> {
  await using shop = await openKillScenario({ rows: ROWS, faults: FAULTS });
  let deaths = 0;
  for (const point of points) {
    const crash = { point, nth };
    const { signal } = await shop.start({ crash }, ...nextCommand(shop)).finished;
    if (signal === "SIGKILL") deaths += 1;
  }
  // Once more, as nothing may happen to a run that is over.
  const codes = [...(await finishRun(shop)), ...(await finishRun(shop))];
  return { deaths, codes, ...compareStates(shop, ROWS) };
}

/* An import of updates that dies at named points, and is resumed. */

interface TriedClaims {
  /** Number of points that were reached and killed the process. */
  readonly deaths: number;
  /** Final states of the rows, each once. */
  readonly states: readonly string[];
  /** Causes of the rows' events, each once. */
  readonly moves: readonly string[];
  /** Number of updates that the marketplace has received. */
  readonly updates: number;
}

/** Rows of more than two batches. */
export const CLAIMED_ROWS = 20;

const NEW_STOCK = 500;

/** Each start dies at the next of the points, the first time that it is reached. */
export async function tryClaims(points: readonly string[]): Promise<TriedClaims> {
  await using shop = await openKillScenario({ rows: CLAIMED_ROWS, faults: [] });
  await shop.run("import", shop.file, "--yes", ...FLAGS);
  const rows = Array.from({ length: CLAIMED_ROWS }, (_, at) =>
    goodRow(at + 1, { "Stok *": NEW_STOCK }),
  );
  const file = writeCsv(shop.folder, "stok.csv", rows);
  let deaths = 0;
  let command: readonly string[] = ["import", file, "--yes", ...FLAGS];
  for (const point of points) {
    const { signal } = await shop.start({ crash: { point, nth: 1 } }, ...command).finished;
    if (signal === "SIGKILL") deaths += 1;
    command = nextCommand(shop);
  }
  await finishRun(shop);
  return {
    deaths,
    states: [...new Set(shop.read()?.rows.map(({ state }) => state))],
    moves: shop.readCauses(),
    updates: shop.sandbox.stats().byEndpoint["product.update"] ?? 0,
  };
}
