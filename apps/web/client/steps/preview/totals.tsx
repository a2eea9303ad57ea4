import type { ReactNode } from "react";

import { usePage } from "../../lib/page.tsx";

export interface Total {
  readonly label: string;
  readonly count: number;
  readonly tone?: "good" | "accent" | "warning" | "error" | undefined;
}

/** Numbers side by side; a zero is pale. */
export const Totals = ({ totals }: { readonly totals: readonly Total[] }): ReactNode => {
  const { format } = usePage();
  return (
    <dl className="totals">
      {totals.map(({ label, count, tone }) => (
        <div
          key={label}
          className={count === 0 ? "total total-none" : `total total-${tone ?? "plain"}`}
        >
          <dt>{label}</dt>
          <dd>{format.number(count)}</dd>
        </div>
      ))}
    </dl>
  );
};
