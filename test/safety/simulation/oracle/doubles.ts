/**
 * Judges products that were added twice, by what each sender could have known. Duplicates of one
 * home are always errors. Two homes, or a home and a copy of it, know of each other only through
 * the store: a duplicate of a product that was not listed yet is counted as excused.
 */

import { codeKey, CODE_KEYS } from "@catalog/mapping";

import type { Market, TrueProduct } from "../world/market.ts";
import type { SentWrite } from "../world/marketplace-port.ts";
import type { Scenario } from "../world/scenario.ts";
import type { SimProcess } from "../world/sim-process.ts";

/**
 * When a process began to read the listing for what it sends: the whole listing, or recent products
 * only.
 */
export interface Rechecks {
  readonly wholeMs: number;
  readonly recentMs: number;
}

export interface DoubleJudge {
  /** Duplicates that no sender could have avoided. */
  readonly excused: number;
  rechecked(process: SimProcess, what: "whole" | "recent"): void;
  /** A plan is decided from what its process has read. */
  planned(runId: string, process: SimProcess): void;
  /** An add is sent; what its sender knows is recorded. */
  left(write: Add): void;
  /** The marketplace has carried out an add. */
  added(write: Add): void;
}

type Add = Extract<SentWrite, { readonly kind: "add" }>;

export interface DoubleJudgeOptions {
  readonly scenario: Scenario;
  readonly market: Market;
  readonly nowMs: () => number;
  readonly break: (rule: string, what: string) => void;
}

/** A listing of recent products covers this period. */
const RECENT_MS = 10 * 60_000;

const NEVER: Rechecks = { wholeMs: -Infinity, recentMs: -Infinity };

export function createDoubleJudge(options: DoubleJudgeOptions): DoubleJudge {
  const { market, nowMs } = options;
  const rechecked = new Map<SimProcess, Rechecks>();
  const plannedMs = new Map<string, number>();
  let excused = 0;
  const lookedOf = (process: SimProcess): Rechecks => rechecked.get(process) ?? NEVER;
  // All runs of a home share its last listing, so a second reader changes it for the others; only
  // the lock of the store prevents that.
  const mayBeSpoilt = !options.scenario.isLocked && options.scenario.operators.length > 1;
  const judgePair = (write: Add, key: string, first: TrueProduct): void => {
    if (first.line === write.line) {
      options.break("I2", `${key} was added twice`);
    } else if (!mayBeSpoilt && wasShown(first, lookedOf(write.by))) {
      options.break("I17", `${key} was added by ${first.line}, shown, and added by ${write.line}`);
    } else if (isHeldBack(options, write, first)) {
      options.break("I18", `${key} was added again by a copy that cannot know`);
    } else {
      excused += 1;
    }
  };

  return {
    get excused() {
      return excused;
    },
    rechecked(process, what) {
      const atMs = nowMs();
      const before = lookedOf(process);
      const wholeMs = what === "whole" ? atMs : before.wholeMs;
      rechecked.set(process, { wholeMs, recentMs: atMs });
    },
    planned: (runId, process) => void plannedMs.set(runId, lookedOf(process).wholeMs),
    left({ body, by, line, runId }) {
      if (mayBeSpoilt) return;
      const key = codeKey(body.product_code);
      for (const product of productsOf(market, key)) {
        const isOurs = product.by === "us" && product.line === line;
        if (!isOurs && wasShown(product, lookedOf(by))) {
          options.break("I2", `${key} was added and was there`);
        }
      }
      judgeAlike(options, key, plannedMs.get(runId) ?? -Infinity);
    },
    added(write) {
      const key = codeKey(write.body.product_code);
      const ours = productsOf(market, key).filter(({ by }) => by === "us");
      const [last, ...earlier] = ours.toReversed();
      if (last === undefined) return;
      for (const first of earlier) judgePair(write, key, first);
    },
  };
}

/** Whether a code that looks like another is a different product is not decided by a plan. */
function judgeAlike(options: DoubleJudgeOptions, key: string, plannedMs: number): void {
  for (const { code, by, visibleAtMs } of options.market.products.values()) {
    const isAlike = codeKey(code) !== key && CODE_KEYS.lookAlike(code) === CODE_KEYS.lookAlike(key);
    if (isAlike && by !== "us" && visibleAtMs < plannedMs) {
      options.break("I21", `${key} was added, and looks like ${code}, which was there`);
    }
  }
}

export function productsOf({ products }: Market, key: string): readonly TrueProduct[] {
  return [...products.values()].filter(({ code }) => codeKey(code) === key);
}

/** Whether the sender has read the listing after it began to show the product. */
function wasShown(
  { visibleAtMs, addedAtMs }: TrueProduct,
  { wholeMs, recentMs }: Rechecks,
): boolean {
  const isRecent = visibleAtMs - addedAtMs < RECENT_MS && addedAtMs > wholeMs - RECENT_MS;
  return visibleAtMs < wholeMs || (isRecent && visibleAtMs < recentMs);
}

/** A copy that knows itself to be one sends no add while it has seen no added product. */
function isHeldBack(
  { scenario: { restoring, isBlind } }: DoubleJudgeOptions,
  { line }: Add,
  first: TrueProduct,
): boolean {
  const isCopy = restoring?.isMarked === true && sameHome(line, first.line ?? "");
  return isCopy && isBlind;
}

const sameHome = (one: string, other: string): boolean =>
  one.split(",")[0] === other.split(",")[0] && one !== other;
