/**
 * Rows 15 and 16: plan, export and updates through the command against a marketplace that takes 100
 * ms for each answer. A ratio leaves out what the same command takes with a single product, which is
 * the start of the program and the calls that come before and after the pages.
 */

import { type Bench, type Figure, median, seconds, sized } from "../bench-tools.ts";
import { openTimedStore, type TimedCommand, type TimedStore } from "../timed-store.ts";

const LATENCY_MS = 100;
const PAGE_PRODUCTS = 50;
const CONCURRENCY = 8;
const FIXED: readonly string[] = ["--concurrency", String(CONCURRENCY)];
const MAX_RATIO = 1.3;
/** Calls beside the pages of the listing. */
const OTHER_CALLS = 10;

/** One round of the commands, each with a home of its own. */
interface Round {
  readonly export: TimedCommand;
  readonly plan: TimedCommand;
  readonly fixedExport: TimedCommand;
  readonly fixedPlan: TimedCommand;
  readonly apply: TimedCommand;
}

async function playRound(store: TimedStore, name: string, updates: number): Promise<Round> {
  const exported = await store.export(`${name}-export`);
  const { lines } = exported;
  const same = store.writeSheet(`${name}-same.csv`, lines);
  const changed = lines
    .slice(0, updates)
    .map(({ product_code, stock }) => ({ product_code, stock: stock + 1 }));
  const sheet = store.writeSheet(`${name}-changed.csv`, changed);
  const plan = await store.run(["plan", same], `${name}-plan`);
  const fixedExport = await store.export(`${name}-fixed-export`, FIXED);
  const fixedPlan = await store.run(["plan", same, ...FIXED], `${name}-fixed-plan`);
  const { run } = await store.run(["plan", sheet, ...FIXED], `${name}-apply`);
  const apply = await store.run(["apply", run, ...FIXED], `${name}-apply`);
  return { export: exported, plan, fixedExport, fixedPlan, apply };
}

/** Duration of an export, of a plan and of an apply that have next to nothing to do. */
async function measureStart(bench: Bench): Promise<Pick<Round, "export" | "plan" | "apply">> {
  using store = await openTimedStore(bench, { products: 1, latencyMs: LATENCY_MS });
  const rounds: Round[] = [];
  for (let n = 0; n < Math.max(3, bench.rounds); n += 1) {
    rounds.push(await playRound(store, `start-${n}`, 1));
  }
  return middleOf(rounds);
}

function middleOf(rounds: readonly Round[]): Round {
  const of = (name: keyof Round): TimedCommand => ({
    run: "",
    ms: median(rounds.map((round) => round[name].ms)),
    calls: median(rounds.map((round) => round[name].calls)),
  });
  return {
    export: of("export"),
    plan: of("plan"),
    fixedExport: of("fixedExport"),
    fixedPlan: of("fixedPlan"),
    apply: of("apply"),
  };
}

export async function measureStore(bench: Bench): Promise<readonly Figure[]> {
  const products = sized(bench, 5_000);
  const updates = sized(bench, 1_000);
  const start = await measureStart(bench);
  using store = await openTimedStore(bench, { products, latencyMs: LATENCY_MS });
  const rounds: Round[] = [];
  for (let n = 0; n < bench.rounds; n += 1) {
    rounds.push(await playRound(store, `store-${n}`, updates));
  }
  const middle = middleOf(rounds);
  const pages = Math.ceil(products / PAGE_PRODUCTS);
  const row = 15;
  const whole = (what: string, { ms, calls }: TimedCommand, limitMs: number): Figure => {
    const ours = `${seconds(ms)}, ${calls} calls`;
    return { row, what, ours, peer: "", value: ms, limit: limitMs, unit: "ms" };
  };
  const count = (what: string, { calls }: TimedCommand): Figure => {
    const [ours, peer] = [`${calls} calls`, `${pages} pages`];
    return { row, what, ours, peer, value: calls, limit: pages + OTHER_CALLS, unit: "calls" };
  };
  const ratio = (what: string, name: keyof typeof start, parts: RatioParts): Figure => {
    const idealMs = (parts.calls * LATENCY_MS) / CONCURRENCY;
    const ms = parts.ms - start[name].ms;
    const peer = `${parts.calls} x ${LATENCY_MS} ms / ${CONCURRENCY} are ${seconds(idealMs)}`;
    const ours = `${seconds(ms)} over the ${seconds(start[name].ms)} of a store of one product`;
    return { row, what, ours, peer, value: ms / idealMs, limit: MAX_RATIO, unit: "x" };
  };
  const { fixedPlan, fixedExport, apply } = middle;
  const eight = `--concurrency ${CONCURRENCY}`;
  return [
    whole(`plan of ${products} unchanged rows`, middle.plan, 8_000),
    count(`plan of ${products} unchanged rows`, middle.plan),
    whole(`export of ${products} products`, middle.export, 6_000),
    count(`export of ${products} products`, middle.export),
    whole(`${updates} updates, ${eight}`, apply, 15_000),
    ratio(`plan of ${products} rows, ${eight}`, "plan", { ms: fixedPlan.ms, calls: pages }),
    ratio(`export of ${products}, ${eight}`, "export", { ms: fixedExport.ms, calls: pages }),
    ratio(`${updates} updates, ${eight}`, "apply", { ms: apply.ms, calls: updates }),
  ];
}

interface RatioParts {
  readonly ms: number;
  /** Calls that the ideal makes. */
  readonly calls: number;
}

export async function measureLargeStore(bench: Bench): Promise<readonly Figure[]> {
  const products = sized(bench, 20_000);
  using store = await openTimedStore(bench, { products, latencyMs: LATENCY_MS });
  const { lines } = await store.export("large-export");
  const sheet = store.writeSheet("large.csv", lines);
  const plans: TimedCommand[] = [];
  for (let n = 0; n < bench.rounds; n += 1) {
    plans.push(await store.run(["plan", sheet], `large-plan-${n}`));
  }
  const ms = median(plans.map((plan) => plan.ms));
  const calls = median(plans.map((plan) => plan.calls));
  const what = `plan of ${products} unchanged rows, ${LATENCY_MS} ms an answer`;
  const ours = `${seconds(ms)}, ${calls} calls`;
  return [{ row: 16, what, ours, peer: "", value: ms, limit: 20_000, unit: "ms" }];
}
