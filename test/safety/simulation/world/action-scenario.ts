/** What happens in a world of actions, drawn from its seed. */

import {
  type ActionCandidate,
  type ActionName,
  subjectKey,
  type UnknownPolicy,
} from "@catalog/runs";

import type { FaultWeather } from "./faults.ts";
import type { Random } from "./random.ts";
import type { Death } from "./sim-process.ts";

export const SHEET = "Liste";
export const RUNS: readonly ["a-1", "a-2"] = ["a-1", "a-2"];

/** Waits of the store and of the wire together stay below the 15 minutes before a second try. */
const LAGS_MS: [number, ...number[]] = [0, 0, 20_000, 5 * 60_000];
const LATEST_EFFECT_MS = 4 * 60_000;
const SLOWEST_ANSWER_MS = 60_000;

/** Refusals of what was carried out; 200 stands for an answer that says so. */
const LYING_STATUSES: [number, ...number[]] = [401, 403, 404, 409, 422, 429, 200];

export interface ActionScenario {
  readonly lists: ReadonlyMap<string, readonly ActionCandidate[]>;
  readonly hidden: ReadonlySet<string>;
  readonly lagMs: number;
  readonly weather: FaultWeather;
  readonly policy: UnknownPolicy;
  readonly concurrency: number;
  readonly maxAgeMs: number;
  readonly starts: readonly {
    readonly runId: string;
    readonly waitMs: number;
    readonly death: Death | undefined;
  }[];
  /** Share of the moments at which somebody else does something. */
  readonly otherShare: number;
  /** Starts before which the home is copied, and before which the copy replaces it. */
  readonly restoring: { readonly copied: number; readonly restored: number } | undefined;
}

export const CHOICES: [readonly [ActionName, string], ...(readonly [ActionName, string])[]] = [
  ["reply", "q1"],
  ["reply", "q2"],
  ["accept", "p1"],
  ["accept", "p2"],
  ["postpone", "p1"],
  ["shipping-code", "p1"],
  ["shipping-code", "p2"],
  ["update-template", "t1"],
  ["create-template", "New"],
];

export function drawActions(random: Random): ActionScenario {
  const isSame = random.chance(0.5);
  const first = drawList(random, "a-1", CHOICES);
  const same = CHOICES.filter((choice) =>
    first.some(({ codeKey: key }) => key === subjectKey(...choice)),
  );
  const [choice = CHOICES[0], ...others] = isSame ? same : CHOICES;
  const lists = new Map([
    ["a-1", first],
    ["a-2", drawList(random, "a-2", [choice, ...others])],
  ]);
  const policy = random.chance(0.25) ? "resend" : "hold";
  const restores = random.chance(0.2);
  // What a lost database has sent is found in a store that shows it at once.
  const lagMs = restores ? 0 : random.pick(LAGS_MS);
  const hidden = new Set(
    ["shipping_code", "status"].filter(() => random.chance(restores ? 0.5 : 0.2)),
  );
  const isOpen = lagMs === 0 && hidden.size === 0 && !restores;
  const starts = Array.from({ length: random.between(2, 7) }, () => ({
    runId: random.pick(RUNS),
    waitMs: random.below(random.pick([2_000, 60_000, 1_200_000])),
    death: random.chance(0.6)
      ? { at: random.between(1, 90), when: random.pick(["before", "after"] as const) }
      : undefined,
  }));
  return {
    lists,
    hidden,
    lagMs,
    policy,
    concurrency: random.between(1, 3),
    maxAgeMs: random.pick([2_000, 2_000, 60_000]),
    otherShare: random.pick([0, 0.2, 0.8]),
    weather: {
      writeShare: random.pick([0, 0.4, 0.8]),
      liar: isOpen ? { status: random.pick(LYING_STATUSES), share: 0.3 } : undefined,
      readShare: random.pick([0, 0, 0.05]),
      slowestAnswerMs: SLOWEST_ANSWER_MS,
      latestEffectMs: restores ? 0 : LATEST_EFFECT_MS,
    },
    starts,
    restoring: restores
      ? { copied: random.between(0, 2), restored: random.between(2, 5) }
      : undefined,
  };
}

function drawList(
  random: Random,
  runId: string,
  choices: typeof CHOICES,
): readonly ActionCandidate[] {
  const drawn = Array.from({ length: random.between(1, 5) }, () => random.pick(choices));
  // Rows that ask for two things of one subject are not sent.
  const mayClash = random.chance(0.1);
  const apart = new Map(drawn.map((choice) => [subjectKey(...choice), choice]));
  return (mayClash ? drawn : [...apart.values()]).map(([action, subject], at) =>
    toCandidate(runId, at + 2, [action, subject]),
  );
}

export const BODY_IDS: Readonly<Partial<Record<ActionName, string>>> = {
  reply: "product_question_id",
  "create-template": "template_name",
  "update-template": "shipping_template_id",
};

function toCandidate(
  runId: string,
  row: number,
  [action, subject]: readonly [ActionName, string],
): ActionCandidate {
  const message = `${action} by ${runId}`;
  return {
    row,
    subject,
    codeKey: subjectKey(action, subject),
    action,
    call: { [BODY_IDS[action] ?? "package_id"]: subject, message, tag: `${runId}/${row}` },
    wanted: toWanted(action, subject, message),
    issues: [],
    location: { sheet: SHEET, row, column: "ID", cell: `A${row}`, value: subject },
  };
}

function toWanted(action: ActionName, subject: string, message: string): ActionCandidate["wanted"] {
  if (action === "reply") return { answer: message };
  if (action === "shipping-code") return { shipping_code: undefined };
  if (action === "create-template") return { template_name: subject };
  return action === "update-template" ? { shipping_note: message } : { status: undefined };
}
