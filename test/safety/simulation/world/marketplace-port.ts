/**
 * The marketplace of one process in a simulated world. A request that was sent takes effect even
 * when its sender dies; answers reach only living processes.
 */

import { ShapeError } from "@catalog/client/errors";
import {
  type ListingEnd,
  type PagingOptions,
  readPages,
  type ListingTotals,
} from "@catalog/client/paging";
import type { Page, PageQuery, ProductAdd, ProductUpdate, StoreProduct } from "@catalog/contract";
import type { Answer, ListedEnd, Marketplace, SendOptions } from "@catalog/runs";
import { checkFakeUpdate } from "@catalog/runs/testing";

import type { Timeline } from "../timeline.ts";
import { drawFate, type Fate, type FaultWeather, GOOD_FATE } from "./faults.ts";
import type { Market } from "./market.ts";
import type { Random } from "./random.ts";
import type { PageBehavior } from "./scenario.ts";
import type { SimProcess } from "./sim-process.ts";

/** Callbacks of the oracle. */
export interface WireWatch {
  /**
   * The first byte of a write is sent. Returns the callback for when its sender can get no answer
   * any more.
   */
  left(write: SentWrite): () => void;
  /** The marketplace carries out a write. */
  arrived(write: SentWrite): void;
}

export type SentWrite = {
  readonly by: SimProcess;
  readonly runId: string;
  /** State of the sending home. */
  readonly line: string;
} & (
  | { readonly kind: "add"; readonly body: ProductAdd }
  | { readonly kind: "update"; readonly body: ProductUpdate }
);

export interface MarketplacePortOptions {
  readonly process: SimProcess;
  /** Run that the process sends. */
  readonly runId: string;
  readonly line: string;
  /** @default everything on one page */
  readonly pages: PageBehavior | undefined;
  readonly market: Market;
  readonly timeline: Timeline;
  readonly random: Random;
  /** `undefined` after the faults have ended. */
  readonly weather: () => FaultWeather | undefined;
  readonly watch: WireWatch;
  /** The marketplace's own time; `undefined` where its answers state none. */
  readonly serverNowMs: () => number | undefined;
  /** Resolves once the database allows a write. */
  readonly ready: () => Promise<void>;
}

/** Reads and logins end with errors; this is the only one that a simulated marketplace throws. */
export class ReadFailed extends Error {
  override readonly name = "ReadFailed";
}

/** Maximum time until a request arrives. */
const MAX_LATENCY_MS = 50;

/** Share of waits for a slot or a connection that are long enough for other processes to interleave. */
const LONG_WAITS = { slot: 0.05, connection: 0.15 } as const;
const LONGEST_WAIT_MS = 10_000;

type Wire = MarketplacePortOptions & {
  /** An answer has arrived, with the marketplace's time. */
  readonly hear: () => void;
  /** What becomes of each write whose slot was taken, by its signal. */
  readonly fates: WeakMap<AbortSignal, Conditions>;
};

export function createMarketplacePort(options: MarketplacePortOptions): Marketplace {
  const { process, market, random, runId, line } = options;
  const by = { by: process, runId, line };
  let toldMs: number | undefined;
  const hear = (): void => {
    toldMs = options.serverNowMs();
  };
  const wire: Wire = { ...options, hear, fates: new WeakMap() };
  const { pages } = options;
  const totals: ListingTotals = { areProven: false };
  const read = <T>(what: string, work: () => T): Promise<T> =>
    process.yield(
      () => {
        const weather = options.weather();
        if (weather !== undefined && random.chance(weather.readShare)) {
          throw new ReadFailed("the marketplace does not answer");
        }
        hear();
        return work();
      },
      { delayMs: random.next() * MAX_LATENCY_MS, what },
    );

  return {
    countProducts(status, signal) {
      signal?.throwIfAborted();
      return read(`COUNT ${status}`, () => market.count(status));
    },
    async *listProducts({ signal, addedAfterMs, onPage: _onPage, onEnd, ...asked }) {
      signal?.throwIfAborted();
      // The marketplace's clock differs from the world's.
      const aheadMs = (options.serverNowMs() ?? 0) - options.timeline.nowMs;
      const after = addedAfterMs === undefined ? undefined : addedAfterMs - aheadMs;
      const filter = { ...asked, addedAfterMs: after };
      const what = `LIST ${filter.status} ${filter.code ?? filter.ids?.join(",") ?? ""}`;
      const list = (): readonly StoreProduct[] => market.list(filter);
      if (pages === undefined) {
        yield* await read(what, list);
        onEnd?.({ isStill: true });
        return;
      }
      const { width } = pages;
      const cut = (query: PageQuery): Promise<Page<StoreProduct>> =>
        read(what, () => cutPage(list(), query, pages));
      yield* listPages(cut, { totals, width: () => width, onEnd: (end) => onEnd?.(toEnd(end)) });
    },
    takeSlot: (signal) => takeSlot(wire, signal),
    addProduct: (body, send) => write(wire, { kind: "add", body, ...by }, send),
    updateProduct: (body, send) => write(wire, { kind: "update", body, ...by }, send),
    checkUpdate: checkFakeUpdate,
    serverTimeMs: () => toldMs,
  };
}

const PAGING = { defaultSize: 50, maxSize: 50 } as const;

/** Reads the pages as the client does. */
async function* listPages(
  fetchPage: (query: PageQuery) => Promise<Page<StoreProduct>>,
  how: Pick<PagingOptions<PageQuery>, "totals" | "width" | "onEnd">,
): AsyncGenerator<StoreProduct> {
  const paging = { name: "product.list", paging: PAGING, input: {}, ...how };
  try {
    for await (const { result } of readPages(fetchPage, paging)) yield* result;
  } catch (error) {
    // The client refuses a listing in which a product that moved between two pages is shown twice.
    throw error instanceof ShapeError ? new ReadFailed(error.message) : error;
  }
}

const toEnd = ({ elements, maxTotal, isSteady, hasRepeats }: ListingEnd): ListedEnd => ({
  isStill: isSteady && !hasRepeats && maxTotal === elements,
});

/** A page of a marketplace that cuts pages short and counts them in its own way. */
function cutPage(
  all: readonly StoreProduct[],
  { limit = PAGING.defaultSize, page = 1 }: PageQuery,
  { cap, total }: PageBehavior,
): Page<StoreProduct> {
  const size = Math.min(limit, cap);
  const result = all.slice((page - 1) * size, page * size);
  const totals = {
    right: all.length,
    zero: 0,
    half: Math.floor(all.length / 2),
    "this-page": result.length,
  };
  return { total: totals[total], result };
}

async function takeSlot(wire: Wire, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) throw new Error("the wait for a slot cannot be ended");
  const weather = wire.weather();
  const fate = weather === undefined ? GOOD_FATE : drawFate(wire.random, weather);
  wire.fates.set(signal, { fate, weather });
  await pause(wire, "slot", signal);
  await wire.process.yield(() => wire.ready(), { what: "ready" });
}

async function write(options: Wire, sent: SentWrite, send: SendOptions): Promise<Answer> {
  const { process } = options;
  const conditions = send.signal && options.fates.get(send.signal);
  if (conditions === undefined) throw new Error("a write has no slot");
  const { fate } = conditions;
  await pause(options, "connection", send.signal);
  if (fate.begins) {
    try {
      send.beforeSend();
    } catch (error) {
      // A process that died meanwhile gets no error.
      if (process.isDead) return await never();
      throw error;
    }
  }
  if (fate.answer?.phase === "none")
    return await process.yield(() => unanswered(fate), { what: fate.name });
  return await exchange(options, sent, conditions);
}

/** Waits for a slot, or for token and connection; a stop ends the wait. */
async function pause(
  { process, random }: MarketplacePortOptions,
  what: keyof typeof LONG_WAITS,
  signal: AbortSignal | undefined,
): Promise<void> {
  signal?.throwIfAborted();
  const longestMs = random.chance(LONG_WAITS[what]) ? LONGEST_WAIT_MS : MAX_LATENCY_MS;
  const delayMs = random.next() * longestMs;
  await process.yield(() => undefined, { delayMs, what: `waits for its ${what}` });
  signal?.throwIfAborted();
}

function unanswered({ answer, name }: Fate): Answer {
  if (answer === undefined) throw new Error(`${name} has no answer`);
  return answer;
}

const never = (): Promise<never> => new Promise(() => undefined);

interface Conditions {
  readonly fate: Fate;
  readonly weather: FaultWeather | undefined;
}

const NO_WEATHER = { latestEffectMs: 0, slowestAnswerMs: 0 } as const;

/** From the first byte to the answer, or to the time limit. */
async function exchange(
  options: Wire,
  sent: SentWrite,
  { fate, weather }: Conditions,
): Promise<Answer> {
  const { timeline, random, process, watch } = options;
  const end = watch.left(sent);
  const isLost = fate.answer?.kind === "lost";
  const { latestEffectMs, slowestAnswerMs } = weather ?? NO_WEATHER;
  const latencyMs = random.next() * MAX_LATENCY_MS;
  const answerMs = latencyMs + random.next() * (isLost ? slowestAnswerMs : MAX_LATENCY_MS);
  let answer: Answer | undefined;
  const carryOut = (): void => {
    answer = carry(options, sent, fate.isLie === true);
  };
  if (fate.effect === "now") timeline.add(latencyMs, undefined, carryOut);
  if (fate.effect === "late") {
    timeline.add(answerMs + random.next() * latestEffectMs, undefined, carryOut);
  }
  // Shortly after the effect, even where both have the same delay.
  const what = `${sent.kind} ${sent.body.description}: ${fate.name}`;
  await process.yield(() => undefined, { delayMs: answerMs + 0.001, what });
  end();
  if (!isLost) options.hear();
  return toldOf(sent, fate) ?? answer ?? unanswered(fate);
}

function toldOf({ kind }: SentWrite, { answer, updateAnswer }: Fate): Answer | undefined {
  return kind === "update" ? (updateAnswer ?? answer) : answer;
}

function carry(
  { market, watch }: MarketplacePortOptions,
  sent: SentWrite,
  isDenied: boolean,
): Answer {
  watch.arrived(sent);
  if (sent.kind === "add") {
    const id = market.add(sent.body, { line: sent.line, isDenied });
    return { kind: "answered", data: { status: true, product_id: id }, phase: "body" };
  }
  return market.update(sent.body, sent.runId)
    ? { kind: "answered", data: { status: true }, phase: "body" }
    : { kind: "refused", status: 404, phase: "body", message: "there is no such product" };
}
