import type { ReactNode } from "react";

import type { RunCounts, RunView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { type Total, Totals } from "../preview/totals.tsx";

const TONES = {
  added: "good",
  updated: "accent",
  held: "warning",
  rejected: "error",
  waiting: undefined,
  unchanged: undefined,
  invalid: "error",
  duplicate: "error",
  cancelled: undefined,
  excluded: undefined,
} as const;

const NAMES = [
  "added",
  "updated",
  "held",
  "rejected",
  "waiting",
  "unchanged",
  "invalid",
  "duplicate",
  "cancelled",
  "excluded",
] as const;

/** Results that are shown even where no row has them. */
const ALWAYS: ReadonlySet<string> = new Set(["added", "updated", "held", "rejected"]);

interface CountTotalsProps {
  readonly counts: RunCounts;
  /** Held rows whose stock was sent. @default 0 */
  readonly stockSent?: number;
  /** What the rows came from. @default a file */
  readonly kind?: RunView["kind"];
}

/** Rows by result. */
export const CountTotals = ({ counts, stockSent = 0, kind }: CountTotalsProps): ReactNode => {
  const { counts: usual, syncCounts } = usePage().texts;
  const words = kind === "sync" ? { ...usual, ...syncCounts } : usual;
  const totals: readonly Total[] = NAMES.filter((name) => counts[name] > 0 || ALWAYS.has(name)).map(
    (name) => ({ label: words[name], count: counts[name], tone: TONES[name] }),
  );
  const stock: readonly Total[] =
    stockSent === 0 ? [] : [{ label: words.stockSent, count: stockSent, tone: "accent" }];
  return <Totals totals={[...totals, ...stock]} />;
};
