/** How the writes of a simulated world end, and whether they are carried out. */

import { type Answer, classifyAdd, type WirePhase } from "@catalog/runs";

import type { Random } from "./random.ts";

export interface FaultWeather {
  /** Share of writes that do not simply succeed. */
  readonly writeShare: number;
  /** Status of refusals that are carried out all the same, always or sometimes. */
  readonly liar: Liar | undefined;
  /** Share of reads that fail. */
  readonly readShare: number;
  readonly slowestAnswerMs: number;
  /** How long after the sender's time limit a write may still be carried out. */
  readonly latestEffectMs: number;
}

export interface Liar {
  /** 200 stands for an answer that says `status: false`. */
  readonly status: number;
  readonly share: number;
}

export interface Fate {
  readonly name: string;
  /** Whether the request reaches its first byte, as the sender sees it. */
  readonly begins: boolean;
  /** Whether and when the marketplace carries it out. */
  readonly effect: "none" | "now" | "late";
  /** Whether it is refused and carried out all the same. */
  readonly isLie?: boolean;
  /** `undefined` is the marketplace's regular answer. */
  readonly answer: Answer | undefined;
  /** Answer to an update, where the client tells it apart. */
  readonly updateAnswer?: Answer | undefined;
}

type Weighted = Fate & { readonly weight: number };

const lost = (phase: WirePhase): Answer => ({ kind: "lost", phase, message: `lost: ${phase}` });

const refused = (status: number, retryAfterMs?: number): Answer => {
  const contentType = status < 500 ? "application/json" : "text/html";
  const excerpt = status < 500 ? `{"data":{"status":false,"message":"no"}}` : "<html>";
  const facts = { status, contentType, excerpt };
  return {
    kind: "refused",
    status,
    phase: "body",
    message: `status ${status}`,
    retryAfterMs,
    facts,
  };
};

const answered = (data: unknown): Answer => ({ kind: "answered", data, phase: "body" });

type FateOptions = Pick<Weighted, "effect" | "answer" | "updateAnswer" | "weight"> & {
  readonly begins?: boolean;
};

const fate = (name: string, { begins = true, ...more }: FateOptions): Weighted => ({
  name,
  begins,
  ...more,
});

const WELL: Fate = { name: "well", begins: true, effect: "now", answer: undefined };

const FATES: readonly [Weighted, ...Weighted[]] = [
  fate("refused connection", { weight: 4, begins: false, effect: "none", answer: lost("none") }),
  fate("fails while beginning", { weight: 3, effect: "none", answer: lost("none") }),
  fate("reset before", { weight: 4, effect: "none", answer: lost("started") }),
  fate("reset after", { weight: 7, effect: "now", answer: lost("started") }),
  fate("timeout, carried out late", { weight: 5, effect: "late", answer: lost("started") }),
  fate("truncated", { weight: 5, effect: "now", answer: lost("headers") }),
  fate("502 before", { weight: 4, effect: "none", answer: refused(502) }),
  fate("502 after", { weight: 5, effect: "now", answer: refused(502) }),
  fate("504, carried out late", { weight: 3, effect: "late", answer: refused(504) }),
  fate("429", { weight: 4, effect: "none", answer: refused(429) }),
  fate("429 with a time", { weight: 2, effect: "none", answer: refused(429, 5_000) }),
  fate("429 with a long time", { weight: 3, effect: "none", answer: refused(429, 90_000) }),
  fate("401", { weight: 3, effect: "none", answer: refused(401) }),
  fate("403", { weight: 1, effect: "none", answer: refused(403) }),
  fate("422", { weight: 3, effect: "none", answer: refused(422) }),
  fate("400", { weight: 2, effect: "none", answer: refused(400) }),
  fate("404", { weight: 1, effect: "none", answer: refused(404) }),
  fate("says no", {
    weight: 3,
    effect: "none",
    answer: answered({ status: false, message: "no" }),
  }),
  fate("yes without an id", { weight: 3, effect: "now", answer: answered({ status: true }) }),
  fate("a page after", {
    weight: 3,
    effect: "now",
    answer: answered("<html>"),
    updateAnswer: lost("body"),
  }),
  fate("a page before", {
    weight: 2,
    effect: "none",
    answer: answered("<html>"),
    updateAnswer: lost("body"),
  }),
  fate("yes as a text", {
    weight: 2,
    effect: "now",
    answer: answered({ status: "true", product_id: "12" }),
  }),
];

/** Draws how one write ends. */
export function drawFate(random: Random, { writeShare, liar }: FaultWeather): Fate {
  if (!random.chance(writeShare)) return WELL;
  const drawn = random.weigh(FATES);
  const isLie =
    liar !== undefined && statusOf(drawn.answer) === liar.status && random.chance(liar.share);
  return isLie ? { ...drawn, name: `${drawn.name}, carried out`, effect: "now", isLie } : drawn;
}

/** Status of a refusal; `undefined` for any other answer. */
function statusOf(answer: Answer | undefined): number | undefined {
  if (answer?.kind === "refused") return answer.status;
  const isNo = answer?.kind === "answered" && classifyAdd(answer).to === "rejected";
  return isNo ? 200 : undefined;
}

export const GOOD_FATE: Fate = WELL;
