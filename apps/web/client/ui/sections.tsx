/** Parts that every screen is made of: sections, tables, lists, and links to files. */

import type { ReactNode } from "react";

import { usePage } from "../lib/page.tsx";
import { inStore } from "../lib/place.ts";
import { Button, Icon } from "./controls.tsx";

interface SectionProps {
  readonly title: ReactNode;
  readonly children: ReactNode;
}

/** A screen of the navigation. */
export const TitledScreen = ({
  title,
  intro,
  action,
  isNarrow = false,
  children,
}: TitledScreenProps): ReactNode => (
  <section className={isNarrow ? "stack wide-narrow" : "stack"}>
    <div className="screen-head">
      <div>
        <h1>{title}</h1>
        {intro === undefined ? null : <p className="muted">{intro}</p>}
      </div>
      {action}
    </div>
    {children}
  </section>
);

interface TitledScreenProps extends SectionProps {
  readonly intro?: string;
  /** The one thing to do there; it stands beside the title. */
  readonly action?: ReactNode;
  /** @default as wide as the page */
  readonly isNarrow?: boolean;
}

export const Notice = ({ title, children }: SectionProps): ReactNode => (
  <section className="narrow card">
    <h1>{title}</h1>
    {children}
  </section>
);

export const Card = ({
  title,
  intro,
  isHeld = false,
  children,
}: SectionProps & { readonly intro?: ReactNode; readonly isHeld?: boolean }): ReactNode => (
  <section className={isHeld ? "card stack-tight held" : "card stack-tight"}>
    <h2>{title}</h2>
    {intro === undefined ? null : <p className="muted">{intro}</p>}
    {children}
  </section>
);

/** Items of a list, or what to do where there are none. */
export const List = ({
  items,
  none,
  className,
}: {
  readonly items: readonly ReactNode[];
  readonly none: ReactNode;
  readonly className?: string;
}): ReactNode =>
  items.length === 0 ? <p className="empty">{none}</p> : <ul className={className}>{items}</ul>;

export const TableHead = ({ columns }: { readonly columns: readonly string[] }): ReactNode => (
  <thead>
    <tr>
      {columns.map((column) => (
        <th key={column} scope="col">
          {column}
        </th>
      ))}
    </tr>
  </thead>
);

/** Reads the next page of a list. */
export const More = ({
  query,
}: {
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => Promise<unknown>;
  };
}): ReactNode => {
  const { app } = usePage().texts;
  return query.hasNextPage ? (
    <Button isBusy={query.isFetchingNextPage} onPress={() => void query.fetchNextPage()}>
      {app.more}
    </Button>
  ) : null;
};

export const Download = ({
  href,
  kind = "plain",
  label,
  children,
}: {
  readonly href: string;
  readonly kind?: "plain" | "primary";
  readonly label?: string;
  readonly children: ReactNode;
}): ReactNode => (
  <a className={`button button-${kind}`} href={inStore(href)} aria-label={label} download>
    <Icon name="download" />
    {children}
  </a>
);

const ADDRESS = /^https?:\/\/\S+$/u;
const MAX_NAME_CHARS = 60;

/** Whether the end of a text tells it from others, as with addresses and paths of categories. */
export const isLedUpTo = (text: string): boolean => {
  const names = text.split(" > ");
  return (
    ADDRESS.test(text) || (names.length > 1 && names.every(({ length }) => length < MAX_NAME_CHARS))
  );
};

/** A text of one line; one that is told from others by its end is cut at its front. */
export const CutText = ({ text }: { readonly text: string }): ReactNode =>
  isLedUpTo(text) ? (
    <span className="end-of-text">
      <bdi>{text}</bdi>
    </span>
  ) : (
    text
  );
