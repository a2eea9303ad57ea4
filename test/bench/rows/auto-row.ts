/**
 * Row 17: `--concurrency auto` against fixed numbers, with marketplaces that serve 2, 8 or 32 calls
 * at a time and let the others wait. Every command has a home of its own, so that nothing is
 * remembered. The start of the program is a part of every time.
 */

import { type Bench, type Figure, median, seconds, sized } from "../bench-tools.ts";
import { openTimedStore, type StockLine, type TimedStore } from "../timed-store.ts";

const LATENCY_MS = 100;
const CAPACITIES: readonly number[] = [2, 8, 32];
const FIXED: readonly number[] = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32];
/** Number of calls at a time up to which `auto` grows. */
const MAX_AT_ONCE = 16;
const MAX_RATIO = 1.15;
const MAX_REPEATED = 0.01;
/** With fewer, the time until `auto` has grown would dominate. */
const MIN_PRODUCTS = 2_000;
const MIN_UPDATES = 200;

/** A kind of command. */
interface Kind {
  readonly what: "export" | "updates";
  readonly run: (setting: string, name: string) => Promise<Timed>;
}

interface Timed {
  readonly ms: number;
  readonly calls: number;
}

export async function measureAuto(bench: Bench): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const capacity of CAPACITIES) {
    const products = Math.max(MIN_PRODUCTS, sized(bench, 5_000));
    using store = await openTimedStore(bench, { products, latencyMs: LATENCY_MS, capacity });
    const { lines } = await store.export(`auto-${capacity}`);
    const updated = lines.slice(0, Math.max(MIN_UPDATES, sized(bench, 1_000)));
    for (const kind of kindsOf(store, updated)) {
      figures.push(...(await compare(bench, kind, capacity)));
    }
  }
  return figures;
}

function kindsOf(store: TimedStore, lines: readonly StockLine[]): readonly Kind[] {
  let changes = 0;
  return [
    {
      what: "export",
      run: (setting, name) => store.export(name, ["--concurrency", setting]),
    },
    {
      what: "updates",
      async run(setting, name) {
        changes += 1;
        const changed = lines.map(({ product_code, stock }) => ({
          product_code,
          stock: stock + changes,
        }));
        const sheet = store.writeSheet(`${name}.csv`, changed);
        const { run } = await store.run(["plan", sheet], name);
        // The plan has taught `auto` about this address, but an update is not a page.
        return await store.run(["apply", run, "--concurrency", setting], name);
      },
    },
  ];
}

async function compare(bench: Bench, kind: Kind, capacity: number): Promise<readonly Figure[]> {
  const times = new Map<string, Timed[]>();
  for (let round = 0; round < bench.rounds; round += 1) {
    for (const setting of ["auto", ...FIXED.map(String)]) {
      const name = `${kind.what}-${capacity}-${setting}-${round}`;
      times.set(setting, [...(times.get(setting) ?? []), await kind.run(setting, name)]);
    }
  }
  const msOf = (setting: string): number => median((times.get(setting) ?? []).map(({ ms }) => ms));
  const callsOf = (setting: string): number =>
    median((times.get(setting) ?? []).map(({ calls }) => calls));
  const bestOf = (numbers: readonly number[]): number =>
    numbers.reduce((best, number) => (msOf(String(number)) < msOf(String(best)) ? number : best));
  const best = bestOf(FIXED.filter((number) => number <= MAX_AT_ONCE));
  const bestOfAll = bestOf(FIXED);
  const autoMs = msOf("auto");
  const what = `${kind.what} with auto, ${capacity} calls served at a time`;
  const all = FIXED.map((number) => `${number}: ${seconds(msOf(String(number)))}`).join(", ");
  const plain = (autoMs / msOf(String(bestOfAll))).toFixed(2);
  return [
    {
      row: 17,
      what,
      ours: `${seconds(autoMs)}; ${plain} x the best of all, ${bestOfAll}`,
      peer: `best up to ${MAX_AT_ONCE} is ${best}; ${all}`,
      value: autoMs / msOf(String(best)),
      limit: MAX_RATIO,
      unit: "x",
    },
    {
      row: 17,
      what: `${what}: calls beside those that one at a time takes`,
      ours: `${callsOf("auto")} calls`,
      peer: `${callsOf("1")} calls`,
      value: Math.max(0, callsOf("auto") / callsOf("1") - 1),
      limit: MAX_REPEATED,
      unit: "share",
    },
  ];
}
