/**
 * Products that were added twice, judged by one who knows who could have seen what. Within one home
 * there is no excuse. Two homes, or a home and a copy of it, know nothing of each other but what the
 * store shows: what it did not show yet when the second one looked is counted and nothing more.
 */

import { codeKey, suspectCodeKey } from "@catalog/mapping";

import { type Market, type TrueProduct } from "../world/market.ts";
import { type SentWrite } from "../world/marketplace-port.ts";
import { type Scenario } from "../world/scenario.ts";
import { type SimProcess } from "../world/sim-process.ts";

/** When a process began to read the store for what it sends: all of it, or what was added lately. */
export interface Looked {
  readonly wholeMs: number;
  readonly recentMs: number;
}

export interface DoubleJudge {
  /** Doubles that nobody could have seen coming. */
  readonly excused: number;
  looked(process: SimProcess, what: "whole" | "recent"): void;
  /** A plan rests on what its process has read. */
  planned(runId: string, process: SimProcess): void;
  /** An add leaves; what its sender knows is known by now. */
  left(write: Add): void;
  /** The marketplace has carried an add out. */
  added(write: Add): void;
}

type Add = Extract<SentWrite, { readonly kind: "add" }>;

export interface DoubleJudgeOptions {
  readonly scenario: Scenario;
  readonly market: Market;
  readonly nowMs: () => number;
  readonly break: (rule: string, what: string) => void;
}

/** A listing of what was added lately goes so far back. */
const RECENT_MS = 10 * 60_000;

const NEVER: Looked = { wholeMs: -Infinity, recentMs: -Infinity };

export function createDoubleJudge(options: DoubleJudgeOptions): DoubleJudge {
  const { market, nowMs } = options;
  const looked = new Map<SimProcess, Looked>();
  const plannedMs = new Map<string, number>();
  let excused = 0;
  const lookedOf = (process: SimProcess): Looked => looked.get(process) ?? NEVER;
  // The last listing is one for the home: who reads it anew spoils it for the others. It is the lock
  // of the store that keeps them apart.
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
    looked(process, what) {
      const atMs = nowMs();
      const before = lookedOf(process);
      const wholeMs = what === "whole" ? atMs : before.wholeMs;
      looked.set(process, { wholeMs, recentMs: atMs });
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

/** Whether a code that only looks like another is another product, no plan decides. */
function judgeAlike(options: DoubleJudgeOptions, key: string, plannedMs: number): void {
  for (const { code, by, visibleAtMs } of options.market.products.values()) {
    const isAlike = codeKey(code) !== key && suspectCodeKey(code) === suspectCodeKey(key);
    if (isAlike && by !== "us" && visibleAtMs < plannedMs) {
      options.break("I21", `${key} was added, and looks like ${code}, which was there`);
    }
  }
}

export function productsOf({ products }: Market, key: string): readonly TrueProduct[] {
  return [...products.values()].filter(({ code }) => codeKey(code) === key);
}

/** Whether the sender's looks have covered the product after the store began to show it. */
function wasShown({ visibleAtMs, addedAtMs }: TrueProduct, { wholeMs, recentMs }: Looked): boolean {
  const isRecent = visibleAtMs - addedAtMs < RECENT_MS && addedAtMs > wholeMs - RECENT_MS;
  return visibleAtMs < wholeMs || (isRecent && visibleAtMs < recentMs);
}

/** A copy that knows it is one sends nothing where it has seen nothing that was added. */
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
