/**
 * Behaviors with which rows end otherwise than planned unavoidably; with all others they must end
 * as planned.
 */

import { listBehaviorSettings } from "@catalog/sandbox";

import type { Played } from "./play-mixed.ts";

export interface Unavoidable {
  /** A behavior such as "update-stock=refused". */
  readonly behavior: string;
  /** Outcome of the rows, as {@link Played} counts it. */
  readonly kind: string;
  readonly why: string;
  /** Maximum share of the rows in percent; at least one row must have the outcome. */
  readonly maxPercent: number;
  /** Whether it depends on which call reaches the hourly limit. @default false */
  readonly isChance?: boolean;
}

export const UNAVOIDABLE: readonly Unavoidable[] = [
  {
    behavior: "update-stock=refused",
    kind: "update: rejected E_REJECTED",
    why: "The call is documented without stock; whether a store takes it is known once it was asked.",
    maxPercent: 10,
  },
  {
    behavior: "update-stock=ignored",
    kind: "update: done, but not stock_count",
    why: "The store answers that all is well; only reading back shows that the stock stayed.",
    maxPercent: 10,
  },
  {
    behavior: "hourly-limit=silent",
    kind: "add: held E_OUTCOME_UNKNOWN",
    why: "The request has left and no answer came: it must not be sent again, and is not to be found.",
    maxPercent: 20,
    isChance: true,
  },
  {
    behavior: "new-product=after-approval",
    kind: "add: held E_OUTCOME_UNKNOWN",
    why: "An add that the hourly limit refused cannot be looked for in a store that shows none.",
    maxPercent: 20,
    isChance: true,
  },
  {
    behavior: "hourly-limit=silent",
    kind: "add: held E_ADD_UNSEEN",
    why: "Where the hour ends at the first add, no product of ours has been seen in the store yet, and a run that goes on after it may go on from an old copy: a person is asked.",
    maxPercent: 40,
    isChance: true,
  },
  ...["429-retry-after", "403", "429"].map((limit) => ({
    behavior: `hourly-limit=${limit}`,
    kind: "add: held E_REFUSED_OPEN",
    why: "Where the hour ends at the first add, no product of ours has been seen in the store yet, so that its absence proves nothing; every later run looks for it again.",
    maxPercent: 20,
    isChance: true,
  })),
  ...["after-approval", "after-delay"].map((shown) => ({
    behavior: `new-product=${shown}`,
    kind: "add: held E_ADD_UNSEEN",
    why: "A run that goes on after an hour may go on from an old copy, and such a store hides what that copy has sent: a person is asked.",
    maxPercent: 40,
    isChance: true,
  })),
];

/** Every behavior that is not the default, and the default once. */
export const BEHAVIORS: readonly string[] = listBehaviorSettings().flatMap(
  ({ name, values }, index) => values.slice(index === 0 ? 0 : 1).map((value) => `${name}=${value}`),
);

const MAX_VALUES = Math.max(...listBehaviorSettings().map(({ values }) => values.length));

/**
 * A few stores in which every value of every setting occurs. A total that is too high is not
 * combined with a repeated last page: the two look like a listing that is cut off, for which
 * nothing is planned.
 */
export const CROWDS: readonly (readonly string[])[] = Array.from(
  { length: MAX_VALUES },
  (_, answer) =>
    listBehaviorSettings().map(({ name, values }) => {
      const at = name === "page-past-end" ? answer + 1 : answer;
      return `${name}=${values[at % values.length] ?? ""}`;
    }),
);

/** Deviations of a played run from what is expected, in words; empty without any. */
export function judgePlayed(
  personality: readonly string[],
  { wrong, otherwise, rows: total }: Played,
): readonly string[] {
  const allowed = UNAVOIDABLE.filter((one) => personality.includes(one.behavior));
  const missed = allowed.filter(({ kind, isChance }) => isChance !== true && !(kind in otherwise));
  const others = Object.entries(otherwise).filter(([kind, rows]) => {
    const max = allowed.find((one) => one.kind === kind)?.maxPercent ?? 0;
    return rows * 100 > max * total;
  });
  return [
    ...wrong,
    ...missed.map(({ kind }) => `no row ends as "${kind}"`),
    ...others.map(([kind, rows]) => `${rows} rows end as "${kind}"`),
  ];
}
