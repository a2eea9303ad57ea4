import type { MouseEvent, ReactNode } from "react";

import { formatRoute, goTo, type Route } from "../lib/route.ts";

interface LinkProps {
  readonly to: Route;
  readonly className?: string | undefined;
  readonly children: ReactNode;
  readonly isCurrent?: "page" | "step" | undefined;
}

const isPlain = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;

/** A link within the page; it opens in a new tab as any link does. */
export const Link = ({ to, className, children, isCurrent }: LinkProps): ReactNode => (
  <a
    href={formatRoute(to)}
    className={className}
    aria-current={isCurrent}
    onClick={(event) => {
      if (!isPlain(event)) return;
      event.preventDefault();
      goTo(to);
    }}
  >
    {children}
  </a>
);
