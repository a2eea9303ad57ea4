/** The parameters of a world, drawn from its seed: sheets, store, behaviors and faults. */

import type { ListingStatus } from "@catalog/contract";
import type { UnknownPolicy } from "@catalog/runs";

import type { FaultWeather } from "./faults.ts";
import type { Random } from "./random.ts";
import type { Death } from "./sim-process.ts";

export interface SheetRow {
  readonly row: number;
  readonly code: string;
  /** Rows with the same code and the same content are identical. */
  readonly content: string;
  readonly kind: "auto" | "incomplete" | "skip" | "by-id";
  readonly stock: number;
  /** New price; `undefined` where the row does not change it. */
  readonly price: number | undefined;
}

export interface Sheet {
  readonly runId: string;
  /** Number of the machine that sends it, from 0; each has a home of its own. */
  readonly home: number;
  readonly rows: readonly SheetRow[];
}

/** A product that was in the store before the first run. */
export interface OldProduct {
  readonly code: string;
  readonly status: ListingStatus;
  /** The listing call, from 1, at which the store moves it to the other listing. */
  readonly flip: { readonly atRead: number; readonly to: ListingStatus } | undefined;
}

/** Fields that rows write, under the names of the listing. */
export const EDITED_FIELDS = ["title", "stock", "price"] as const;

export type EditedField = (typeof EDITED_FIELDS)[number];

/** A change that a person makes in the panel. */
export interface Edit {
  readonly atMs: number;
  /** Index of the changed product, modulo the number of products. */
  readonly product: number;
  readonly field: EditedField;
  readonly value: string | number;
}

/** One start of the program for a run. */
export interface Start {
  readonly delayMs: number;
  readonly death: Death | undefined;
  /** Yield at which Ctrl-C is pressed. */
  readonly stopAt: number | undefined;
}

/** An older copy of the first home is restored. */
export interface Restoring {
  readonly copiedAtMs: number;
  readonly atMs: number;
  /** Whether the machine has marks outside the home that reveal the restored copy. */
  readonly isMarked: boolean;
}

/** How the listing is cut into pages. */
export interface PageBehavior {
  /** Maximum number of products on a page, whatever size is requested. */
  readonly cap: number;
  readonly total: "right" | "zero" | "half" | "this-page";
  /** Pages that are asked for at a time. */
  readonly width: number;
}

export interface Operator {
  readonly runId: string;
  /** Starts while there are faults; after that the run is started until no row of it is open. */
  readonly starts: readonly Start[];
}

export interface Scenario {
  readonly sheets: readonly Sheet[];
  readonly products: readonly OldProduct[];
  readonly operators: readonly Operator[];
  readonly policy: UnknownPolicy;
  /** Whether a second process of the store is refused, as in the real program. */
  readonly isLocked: boolean;
  readonly concurrency: number;
  readonly weather: FaultWeather;
  /** New products are never shown. */
  readonly isBlind: boolean;
  /** Delay from an effect to its listing; `Infinity` is never. */
  readonly lagMs: () => number;
  readonly storesCode: (code: string) => string;
  /** Products that another program adds. */
  readonly others: readonly { readonly atMs: number; readonly code: string }[];
  readonly restoring: Restoring | undefined;
  /** Time that a person takes between a plan and its sending. */
  readonly thinkMs: number;
  /** @default everything on one page */
  readonly pages: PageBehavior | undefined;
  /** Whether a filter by product code finds nothing. */
  readonly isFilterUseless: boolean;
  readonly edits: readonly Edit[];
  /** Share of rows held for changed products that a person releases. */
  readonly releaseShare: number;
  readonly recheckMaxAgeMs: number;
  /** What is known of the unit of the listing's prices. */
  readonly priceUnit: "minor" | "unknown";
  /** Whether a guard holds the new prices of rows, of which a person releases a share. */
  readonly isPriceHeld: boolean;
  /** Whether every product costs more than its new price, so that a guard holds the price. */
  readonly hasCosts: boolean;
  readonly jumps: readonly { readonly atMs: number; readonly byMs: number }[];
  /** Whether a process dies with its machine. */
  readonly losesPower: boolean;
  /** Whether answers state the marketplace's time, and how far it is ahead. */
  readonly serverClock: { readonly isTold: boolean; readonly aheadMs: number };
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Time limit, late effects and delay of the listing together stay below the time after which an add
 * is sent again.
 */
const RESEND_BOUNDS_MS = { timeout: MINUTE_MS, late: 4 * MINUTE_MS, lag: 5 * MINUTE_MS };

const CODES: readonly [string, ...string[]] = ["A-1", "A-2", "A-11", "B-1", "ÇİĞ-3", "kod 4"];

export function drawScenario(random: Random): Scenario {
  const policy = random.chance(0.3) ? "resend" : "hold";
  const storesCode = drawCodeManner(random);
  const sheets = drawSheets(random.fork("sheets"));
  const maxLagMs = drawMaxLagMs(random, policy);
  const lags = random.fork("lags");
  const news = random.fork("news");
  const pages = news.chance(0.08) ? drawPages(news) : drawPagesInOrder(random.fork("pages"));
  const areProductsMoving = pages === undefined || pages.total === "right";
  const isLocked = policy === "resend" || random.chance(0.4);
  return {
    sheets,
    // Without right totals nobody can see that products move over the pages of a listing.
    products: drawProducts(random.fork("products")).map(({ code, status, flip }) => {
      return { code, status, flip: areProductsMoving ? flip : undefined };
    }),
    operators: drawOperators(random.fork("operators"), sheets, { isLocked, policy }),
    policy,
    isLocked,
    concurrency: random.between(1, 4) * (random.fork("adds at once").chance(0.25) ? 4 : 1),
    weather: drawWeather(random, policy),
    isBlind: maxLagMs === Infinity,
    lagMs: () => (maxLagMs === Infinity ? Infinity : drawLagMs(lags, maxLagMs)),
    storesCode,
    others: drawOthers(news),
    thinkMs: news.chance(0.3) ? news.below(20 * MINUTE_MS) : 0,
    restoring: isLocked && news.chance(0.12) ? drawRestoring(news) : undefined,
    pages,
    isFilterUseless: news.chance(0.08),
    ...drawSecondPerson(random.fork("second person")),
    isPriceHeld: random.fork("held prices").chance(0.3),
    hasCosts: random.fork("purchase prices").chance(0.05),
    jumps: drawJumps(random.fork("jumps"), policy),
    losesPower: isLocked && random.chance(0.5),
    serverClock: {
      isTold: random.chance(0.85),
      aheadMs: random.pick([0, 0, HOUR_MS, -HOUR_MS]),
    },
  };
}

/** No delay is so much longer than others that a few samples tell nothing of the rest. */
const drawLagMs = (random: Random, maxMs: number): number => maxMs * (0.25 + 0.75 * random.next());

const drawOthers = (random: Random): Scenario["others"] =>
  Array.from({ length: random.chance(0.3) ? random.between(1, 3) : 0 }, () => ({
    atMs: random.below(random.pick([MINUTE_MS, 20 * MINUTE_MS])),
    code: random.pick(CODES),
  }));

function drawRestoring(random: Random): Restoring {
  const copiedAtMs = random.below(random.pick([5_000, MINUTE_MS]));
  const atMs = copiedAtMs + random.below(random.pick([MINUTE_MS, HOUR_MS]));
  return { copiedAtMs, atMs, isMarked: random.chance(0.7) };
}

/** Clocks matter most where the time since the last look decides whether an add is sent again. */
function drawJumps(random: Random, policy: UnknownPolicy): Scenario["jumps"] {
  const isResend = policy === "resend";
  if (!random.chance(isResend ? 0.7 : 0.3)) return [];
  return Array.from({ length: random.between(1, isResend ? 8 : 3) }, () => ({
    atMs: random.below(isResend ? 5 * MINUTE_MS : 2 * MINUTE_MS),
    byMs: random.pick([-24 * HOUR_MS, 24 * HOUR_MS, -HOUR_MS, HOUR_MS]),
  }));
}

const drawPages = (random: Random): PageBehavior => ({
  cap: random.between(1, 4),
  total: random.pick(["right", "zero", "half", "this-page"]),
  width: random.between(1, 3),
});

/** Short pages with right totals, from which products move away while they are read. */
const drawPagesInOrder = (random: Random): PageBehavior | undefined =>
  random.chance(0.3)
    ? { cap: random.between(1, 3), total: "right", width: random.between(1, 4) }
    : undefined;

/** Edits of somebody who works in the panel all the time. */
const BUSY_EDITS = 60;

type SecondPerson = Pick<Scenario, "edits" | "releaseShare" | "recheckMaxAgeMs" | "priceUnit">;

function drawSecondPerson(random: Random): SecondPerson {
  const isBusy = random.chance(0.1);
  const count = isBusy ? BUSY_EDITS : random.chance(0.5) ? random.between(1, 6) : 0;
  return {
    edits: Array.from({ length: count }, (_, number) => drawEdit(random, number)),
    releaseShare: random.pick([0, 0.5, 1]),
    recheckMaxAgeMs: random.pick([1_000, 5_000, MINUTE_MS]),
    priceUnit: random.pick(["minor", "minor", "minor", "unknown"]),
  };
}

/** Some edits write the value that a row is about to write, or restore the earlier one. */
function drawEdit(random: Random, number: number): Edit {
  const field = random.pick(EDITED_FIELDS);
  const values = {
    title: [`Edit ${number}`, `${random.pick(CODES)} first`, `Old ${random.pick(CODES)}`],
    stock: [100 + number, ROW_STOCK, OLD_STOCK],
    price: [1_500 + number, ROW_PRICE, OLD_PRICE],
  };
  const [own, ours, old] = values[field];
  const at = random.weigh([
    { weight: 5, value: own },
    { weight: 2, value: ours },
    { weight: 1, value: old },
  ]);
  return {
    atMs: random.below(random.pick([4_000, 40_000, 3 * MINUTE_MS, HOUR_MS])),
    product: random.below(12),
    field,
    value: at.value ?? "",
  };
}

const ROW_STOCK = 3;
const ROW_PRICE = 1_990;

/** Stock of products that were there before. */
export const OLD_STOCK = 0;
export const OLD_PRICE = 1_200;

function drawCodeManner(random: Random): Scenario["storesCode"] {
  const manners: readonly [Scenario["storesCode"], ...Scenario["storesCode"][]] = [
    (code) => code,
    (code) => code,
    (code) => code.trim(),
    (code) => ` ${code} `,
  ];
  return random.pick(manners);
}

function drawSheets(random: Random): readonly Sheet[] {
  const count = random.chance(0.35) ? 2 : 1;
  const isSecondHome = random.chance(0.4);
  return Array.from({ length: count }, (_, at) => ({
    runId: `r-${at + 1}`,
    home: isSecondHome ? at : 0,
    rows: Array.from({ length: random.between(2, 6) }, (_row, index) => drawRow(random, index + 2)),
  }));
}

function drawRow(random: Random, row: number): SheetRow {
  const code = random.pick(CODES);
  return {
    row,
    code: random.weigh([
      { weight: 8, text: code },
      { weight: 1, text: ` ${code}` },
      { weight: 1, text: `${code}\u00a0` },
      { weight: 1, text: code.toLowerCase() },
    ]).text,
    // Usually the same for all rows of a code, so that duplicate rows are often identical.
    content: random.chance(0.7) ? "first" : "second",
    kind: random.weigh<{ readonly weight: number; readonly kind: SheetRow["kind"] }>([
      { weight: 14, kind: "auto" },
      { weight: 1, kind: "incomplete" },
      { weight: 1, kind: "skip" },
      { weight: 1, kind: "by-id" },
    ]).kind,
    stock: ROW_STOCK,
    price: random.chance(0.4) ? ROW_PRICE : undefined,
  };
}

const STATUSES: readonly [ListingStatus, ...ListingStatus[]] = ["approved", "passive", "veto"];

function drawProducts(random: Random): readonly OldProduct[] {
  return CODES.filter(() => random.chance(0.3)).map((code) => ({
    code,
    status: random.pick(STATUSES),
    flip: random.chance(0.4)
      ? { atRead: random.between(1, 12), to: random.pick(STATUSES) }
      : undefined,
  }));
}

function drawOperators(
  random: Random,
  sheets: readonly Sheet[],
  { isLocked, policy }: Pick<Scenario, "isLocked" | "policy">,
): readonly Operator[] {
  // An add is sent again only after several starts have looked for it.
  const isStorm = random.chance(policy === "resend" ? 0.3 : 0.1);
  const operators = sheets.map(({ runId }) => ({
    runId,
    starts: drawStarts(random, isStorm ? 12 : 3),
  }));
  // The same run is started a second time without a lock.
  const [first] = sheets;
  return first !== undefined && !isLocked && random.chance(0.6)
    ? [...operators, { runId: first.runId, starts: drawStarts(random, 2) }]
    : operators;
}

function drawStarts(random: Random, max: number): readonly Start[] {
  return Array.from({ length: random.between(1, max) }, () => ({
    delayMs: random.chance(0.8) ? random.below(30_000) : random.below(2 * HOUR_MS),
    death: random.chance(0.6)
      ? { at: 1 + random.below(random.pick([20, 60, 120])), when: random.pick(["before", "after"]) }
      : undefined,
    stopAt: random.chance(0.1) ? 1 + random.below(80) : undefined,
  }));
}

/** 200 stands for an answer that says `status: false`. */
const LIES: readonly [number, ...number[]] = [200, 400, 401, 403, 404, 422, 429];

function drawWeather(random: Random, policy: UnknownPolicy): FaultWeather {
  const isResend = policy === "resend";
  const lie = { status: random.pick(LIES), share: random.pick([0.3, 1]) };
  const liar = random.chance(0.3) ? lie : undefined;
  const writeShare = random.pick([0, 0.05, 0.35, 0.35, 0.8]);
  return {
    writeShare,
    liar,
    readShare: writeShare === 0 ? 0 : random.pick([0, 0.02, 0.1]),
    slowestAnswerMs: isResend ? RESEND_BOUNDS_MS.timeout : MINUTE_MS,
    latestEffectMs: isResend
      ? RESEND_BOUNDS_MS.late
      : random.pick([10_000, MINUTE_MS, 3 * HOUR_MS]),
  };
}

/** A store that never shows new products is played with both policies. */
function drawMaxLagMs(random: Random, policy: UnknownPolicy): number {
  return random.weigh([
    { weight: 5, maxMs: 0 },
    { weight: 4, maxMs: RESEND_BOUNDS_MS.lag },
    { weight: 1, maxMs: policy === "hold" ? 3 * HOUR_MS : Infinity },
    { weight: 1, maxMs: Infinity },
  ]).maxMs;
}
