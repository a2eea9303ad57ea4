/** Row 27: the list of a large store's products, as the page's server answers for it. */

import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import { watchPeakMb } from "../../helpers/processes/process-memory.ts";
import {
  type Figure,
  type MeasureRow,
  median,
  memory,
  seconds,
  serve,
  sized,
} from "../bench-tools.ts";
import { openSession, startPage } from "../page-server.ts";

const ROW = 27;
const CALLS_PER_HOUR = 1_000_000;
const SHOWN = 100;

type Send = Awaited<ReturnType<typeof openSession>>;

/** What a person waits for, with the longest wait. */
const WAITS: readonly (readonly [what: string, limitMs: number, send: (send: Send) => unknown])[] =
  [
    ["the list, its order and the first rows", 500, readFirstRows],
    ["the order of all", 200, (send) => send("GET", "/products/order")],
    ["filtered by a text", 200, (send) => send("GET", "/products/order?text=aksesuar")],
    ["filtered by changed by others", 200, (send) => send("GET", "/products/order?marks=others")],
    ["sorted by title", 300, (send) => send("GET", "/products/order?sort=title")],
    [
      "sorted by stock, backwards",
      300,
      (send) => send("GET", "/products/order?sort=stock&direction=down"),
    ],
  ];

async function readFirstRows(send: Send): Promise<void> {
  const [order] = await Promise.all([send("GET", "/products/order"), send("GET", "/products")]);
  const numbers = new Uint32Array(order).slice(0, SHOWN);
  await send("GET", `/products/rows?n=${numbers.join(",")}`);
}

const time = async (work: () => unknown): Promise<number> => {
  const begunMs = performance.now();
  await work();
  return performance.now() - begunMs;
};

/** Reads the whole store, and waits until it is read. */
async function readStore(send: Send): Promise<number> {
  await send("POST", "/products/read");
  for (;;) {
    const text = new TextDecoder().decode(await send("GET", "/products"));
    const { reading, problem, total } = JSON.parse(text);
    if (problem !== null) throw new Error(String(problem));
    if (reading === null) return Number(total);
    await wait(1_000);
  }
}

export const measureProducts: MeasureRow = async (bench) => {
  const products = sized(bench, 100_000);
  const size = ["--products", String(products), "--requests-per-hour", String(CALLS_PER_HOUR)];
  using sandbox = await serve(bench, ["sandbox", "--json", ...size]);
  const home = join(bench.folder, "home-products");
  const { child, link } = await startPage(bench, { sandbox: sandbox.line, home });
  const peak = watchPeakMb(child);
  const send = await openSession(link);
  let read = 0;
  const readMs = await time(async () => (read = await readStore(send)));
  const what = `page with ${read} products`;
  const figures: Figure[] = [];
  for (const [name, limit, measure] of WAITS) {
    const rounds: number[] = [];
    for (let round = 0; round < bench.rounds; round += 1) {
      rounds.push(await time(() => measure(send)));
    }
    const value = median(rounds);
    const ours = `${value.toFixed(0)} ms; all were read in ${seconds(readMs)}`;
    figures.push({ row: ROW, what: `${what}: ${name}`, ours, peer: "", value, limit, unit: "ms" });
  }
  child.kill("SIGINT");
  return [...figures, memory(ROW, `${what}: server`, [await peak, 300])];
};
