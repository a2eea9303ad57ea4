/** Compares the stored run with what is in the marketplace. */

import type { Orders } from "./child-orders.ts";
import type { KillHome, KillScenario } from "./kill-scenario.ts";

export interface Comparison {
  /** Deviations, in words; empty without any. */
  readonly wrong: readonly string[];
  readonly rows: number;
  readonly done: number;
  readonly held: number;
  /** Number of duplicate products. */
  readonly doubles: number;
}

/** Flags of every start; the hourly limit is not tested here. */
export const FLAGS = ["--json", "--requests-per-hour", "10000000"] as const;

/** The next command: the import of the file, or the resume of its run. */
export function nextCommand(shop: KillHome): readonly string[] {
  const run = shop.read();
  return run === undefined
    ? ["import", shop.file, ...shop.flags, "--yes", ...FLAGS]
    : ["resume", run.runId, ...FLAGS];
}

const MAX_STARTS = 20;

/** Starts the program until its run has ended. Returns the exit codes. */
export async function finishRun(
  shop: KillHome,
  orders: Orders | undefined = {},
): Promise<readonly (number | null)[]> {
  const codes: (number | null)[] = [];
  while (codes.length < MAX_STARTS) {
    const { code } = await shop.start(orders, ...nextCommand(shop)).finished;
    codes.push(code);
    if (isOver(code)) break;
  }
  return codes;
}

/** Whether all rows are done, or some are held. */
const isOver = (code: number | null | undefined): boolean => code === 0 || code === 5;

export function compareStates(shop: KillScenario, rows: number): Comparison {
  const stored = shop.read()?.rows ?? [];
  const products = Map.groupBy(shop.sandbox.products(), ({ product_code }) => product_code);
  const wrong = stored.flatMap(({ code, state, product }) => {
    const found = products.get(code) ?? [];
    if (state === "done" && found.length === 1 && found[0]?.id === product) return [];
    // A held row whose add was not carried out.
    if (state === "held" && found.length === 0) return [];
    // A row that is no product by itself.
    if (state === "skipped" && found.length === 0) return [];
    return [`${code} is ${state} and ${found.length} times in the marketplace`];
  });
  const codes = new Set(stored.map(({ code }) => code));
  const strange = [...products.keys()].filter((code) => !codes.has(code));
  const count = (wanted: string): number => stored.filter(({ state }) => state === wanted).length;
  return {
    wrong: [
      ...wrong,
      ...strange.map((code) => `${code} is in the marketplace and no row says so`),
      ...(stored.length === rows ? [] : [`${stored.length} of ${rows} rows are stored`]),
    ],
    rows: stored.length,
    done: count("done"),
    held: count("held"),
    doubles: [...products.values()].reduce((sum, same) => sum + same.length - 1, 0),
  };
}

/** Codes are compared normalized, as the store may change them. */
const toKey = (code: string): string => code.trim().toUpperCase();

/**
 * Compares what several homes of one store, or a home that is a copy, have stored with what is in
 * the marketplace.
 */
export function compareCommonStates(
  shop: KillScenario,
  homes: readonly KillHome[],
  rows: number,
): Comparison {
  const stored = homes.flatMap((home) => home.read()?.rows ?? []);
  const products = Map.groupBy(shop.sandbox.products(), (product) => toKey(product.product_code));
  const told = new Set(stored.map(({ code }) => toKey(code)));
  const wrong = stored
    .filter(({ code, state, product }) => {
      const ids = (products.get(toKey(code)) ?? []).map(({ id }) => id);
      return state === "done" && !ids.some((id) => id === product);
    })
    .map(({ code }) => `${code} is done, and its product is not there`);
  const strange = [...products.keys()].filter((code) => !told.has(code));
  const count = (wanted: string): number => stored.filter(({ state }) => state === wanted).length;
  return {
    wrong: [
      ...wrong,
      ...strange.map((code) => `${code} is there and no row says so`),
      ...(stored.length === rows * homes.length ? [] : [`${stored.length} rows are stored`]),
    ],
    rows: stored.length,
    done: count("done"),
    held: count("held"),
    doubles: [...products.values()].reduce((sum, same) => sum + same.length - 1, 0),
  };
}
