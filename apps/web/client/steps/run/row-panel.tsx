/** One row of a run in full, beside its table: the product, what changes, and why it waits. */

import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef } from "react";

import type { RunRowView } from "../../../src/api/index.ts";
import { toPlainText } from "../../lib/format.ts";
import { usePage } from "../../lib/page.tsx";
import { readRunRows } from "../../lib/queries.ts";
import { Comments } from "../../team/talk.tsx";
import { Button } from "../../ui/controls.tsx";
import { Loaded } from "../../ui/messages.tsx";
import { Picture } from "../../ui/picture.tsx";

type Change = RunRowView["changes"][number];

const MAX_CELL_CHARS = 80;
const MAX_PANEL_CHARS = 600;

interface FromToProps {
  readonly change: Change;
  /** In full: longer texts, and the old value also where it is the new one. @default false */
  readonly isFull?: boolean;
}

/** The old and the new value of a change. */
export const FromTo = ({ change, isFull = false }: FromToProps): ReactNode => {
  const words = usePage().texts.preview;
  const { before, after } = change;
  const maxChars = isFull ? MAX_PANEL_CHARS : MAX_CELL_CHARS;
  const show = (text: string): string => {
    const plain = toPlainText(text);
    if (text === "") return words.empty;
    return plain.length > maxChars ? `${plain.slice(0, maxChars)}…` : plain;
  };
  return (
    <>
      {before === null || (before === after && !isFull) ? null : (
        <>
          <span className="unseen">{words.from} </span>
          <del className="old">{show(before)}</del>
          <span aria-hidden="true"> → </span>
          <span className="unseen">{words.to} </span>
        </>
      )}
      <ins className="new">{show(after)}</ins>
    </>
  );
};

const ChangeItem = ({ change }: { readonly change: Change }): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.preview;
  const { label, before, after, percent } = change;
  return (
    <div className="row-change">
      <dt>{label}</dt>
      <dd>
        <FromTo change={change} isFull />
        {change.field === "paid_price" && before === after ? (
          <span className="muted"> {words.samePaid}</span>
        ) : null}
        {percent === null ? null : <span className="percent"> {format.percent(percent)}</span>}
      </dd>
    </div>
  );
};

const Changes = ({ changes }: { readonly changes: readonly Change[] }): ReactNode =>
  changes.length === 0 ? null : (
    <dl className="row-changes">
      {changes.map((change) => (
        <ChangeItem key={change.field} change={change} />
      ))}
    </dl>
  );

/** Fields of a new product that are shown at once; its title and its code stand above them. */
const FIRST_FIELDS: readonly string[] = ["paid_price", "price", "currency", "stock_count"];

/** Shops that sell in the currency of the country need not read it at each product. */
const USUAL_CURRENCY = "TL";

const NAMED_FIELDS: ReadonlySet<string> = new Set(["title", "product_code"]);

const isFirst = ({ field, after }: Change): boolean =>
  FIRST_FIELDS.includes(field) && !(field === "currency" && after === USUAL_CURRENCY);

/** The price and the stock of a new product; its other values are folded. */
const NewProduct = ({ changes }: { readonly changes: readonly Change[] }): ReactNode => {
  const words = usePage().texts.preview;
  const first = FIRST_FIELDS.flatMap((field) =>
    changes.filter((one) => one.field === field && isFirst(one)),
  );
  const rest = changes.filter((one) => !first.includes(one) && !NAMED_FIELDS.has(one.field));
  return (
    <>
      <Changes changes={first} />
      {rest.length === 0 ? null : (
        <details className="more-fields">
          <summary>{words.moreFields(rest.length)}</summary>
          <Changes changes={rest} />
        </details>
      )}
    </>
  );
};

const isWebAddress = (text: string): boolean =>
  text.startsWith("https://") || text.startsWith("http://");

const RowLinks = ({ row }: { readonly row: RunRowView }): ReactNode => {
  const words = usePage().texts.report;
  const links = [
    { href: row.link, label: words.link },
    { href: row.image, label: words.image },
  ];
  return (
    <p className="row-links">
      {links.map(({ href, label }) =>
        href === null || !isWebAddress(href) ? null : (
          <a key={label} href={href} target="_blank" rel="noreferrer noopener">
            {label}
          </a>
        ),
      )}
      {row.productId === null ? null : (
        <span className="muted small">
          {words.productId} {row.productId}
        </span>
      )}
    </p>
  );
};

const RowBody = ({ row }: { readonly row: RunRowView }): ReactNode => (
  <>
    {row.issues.map((issue) => (
      <p key={issue.code + issue.message} className="row-issue">
        {issue.message}
        {issue.suggestion === null ? null : <span className="muted"> {issue.suggestion}</span>}
      </p>
    ))}
    {row.action === "add" ? (
      <NewProduct changes={row.changes} />
    ) : (
      <Changes changes={row.changes} />
    )}
    <RowLinks row={row} />
  </>
);

interface RowPanelProps {
  readonly run: string;
  readonly row: number;
  readonly onClose: () => void;
}

/** Takes the focus; Escape closes it and gives the focus back. */
export const RowPanel = ({ run, row, onClose }: RowPanelProps): ReactNode => {
  const { texts, lang } = usePage();
  const words = texts.preview;
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    panel.current?.focus({ preventScroll: true });
    return () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  const query = useQuery({
    queryKey: ["run-rows", run, "row", row, lang],
    queryFn: async () => (await readRunRows(run, [row], lang))[0] ?? null,
  });
  return (
    <aside
      ref={panel}
      className="row-panel"
      aria-label={words.rowInFull}
      tabIndex={-1}
      onKeyDown={({ key }) => {
        if (key === "Escape") onClose();
      }}
    >
      <Loaded query={query}>
        {(found) => (
          <>
            <div className="row-panel-head">
              <div>
                <h3>{found?.title ?? found?.code ?? found?.name}</h3>
                <p className="muted small">
                  {found?.code} · {words.row} {found?.name}
                </p>
              </div>
              <Button kind="quiet" icon="close" label={texts.app.close} onPress={onClose}>
                {null}
              </Button>
            </div>
            {found === null || found.image === null ? null : (
              <Picture of={{ run, row }} look="large" alt={found.title ?? ""} />
            )}
            {found === null ? null : <RowBody row={found} />}
            <Comments run={run} row={row} />
          </>
        )}
      </Loaded>
    </aside>
  );
};
