/**
 * Behaviors with which rows end otherwise than planned unavoidably; with all others they must end
 * as planned.
 */

import { listSwitches } from "@catalog/sandbox";

import { type Played } from "./play-mixed.ts";

export interface Unavoidable {
  /** A behavior such as "update-stock=refused". */
  readonly personality: string;
  /** Outcome of the rows, as {@link Played} counts it. */
  readonly kind: string;
  readonly why: string;
  /** Maximum share of the rows in percent; at least one row must have the outcome. */
  readonly mostPercent: number;
  /** Whether it depends on which call reaches the hourly limit. @default false */
  readonly isChance?: boolean;
}

export const UNAVOIDABLE: readonly Unavoidable[] = [
  {
    personality: "update-stock=refused",
    kind: "update: rejected E_REJECTED",
    why: "The call is documented without stock; whether a store takes it is known once it was asked.",
    mostPercent: 10,
  },
  {
    personality: "update-stock=ignored",
    kind: "update: done, but not stock_count",
    why: "The store answers that all is well; only reading back shows that the stock stayed.",
    mostPercent: 10,
  },
  {
    personality: "hourly-limit=silent",
    kind: "add: held E_OUTCOME_UNKNOWN",
    why: "The request has left and no answer came: it must not be sent again, and is not to be found.",
    mostPercent: 20,
    isChance: true,
  },
  {
    personality: "new-product=after-approval",
    kind: "add: held E_OUTCOME_UNKNOWN",
    why: "An add that the hourly limit refused cannot be looked for in a store that shows none.",
    mostPercent: 20,
    isChance: true,
  },
  {
    personality: "hourly-limit=silent",
    kind: "add: held E_ADD_UNSEEN",
    why: "Where the hour ends at the first add, no product of ours has been seen in the store yet, and a run that goes on after it may go on from an old copy: a person is asked.",
    mostPercent: 40,
    isChance: true,
  },
  ...["after-approval", "after-delay"].map((shown) => ({
    personality: `new-product=${shown}`,
    kind: "add: held E_ADD_UNSEEN",
    why: "A run that goes on after an hour may go on from an old copy, and such a store hides what that copy has sent: a person is asked.",
    mostPercent: 40,
    isChance: true,
  })),
];

/** Every behavior that is not the default, and the default once. */
export const PERSONALITIES: readonly string[] = listSwitches().flatMap(({ name, values }, index) =>
  values.slice(index === 0 ? 0 : 1).map((value) => `${name}=${value}`),
);

const MOST_VALUES = Math.max(...listSwitches().map(({ values }) => values.length));

/**
 * A few stores in which every value of every switch occurs. A total that is too high is not
 * combined with a repeated last page: the two look like a listing that is cut off, for which
 * nothing is planned.
 */
export const CROWDS: readonly (readonly string[])[] = Array.from(
  { length: MOST_VALUES },
  (_, turn) =>
    listSwitches().map(({ name, values }) => {
      const at = name === "page-past-end" ? turn + 1 : turn;
      return `${name}=${values[at % values.length] ?? ""}`;
    }),
);

/** Deviations of a played run from what is expected, in words; empty without any. */
export function judgePlayed(
  personality: readonly string[],
  { wrong, otherwise, rows: total }: Played,
): readonly string[] {
  const allowed = UNAVOIDABLE.filter((one) => personality.includes(one.personality));
  const missed = allowed.filter(({ kind, isChance }) => isChance !== true && !(kind in otherwise));
  const others = Object.entries(otherwise).filter(([kind, rows]) => {
    const most = allowed.find((one) => one.kind === kind)?.mostPercent ?? 0;
    return rows * 100 > most * total;
  });
  return [
    ...wrong,
    ...missed.map(({ kind }) => `no row ends as "${kind}"`),
    ...others.map(([kind, rows]) => `${rows} rows end as "${kind}"`),
  ];
}
