import type { ReactNode } from "react";

import type { RunRowView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { toPlainText } from "../../lib/plain-text.ts";

type ChangeView = RunRowView["changes"][number];

const MAX_TEXT = 140;

const short = (text: string): string =>
  text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;

const Change = ({ change }: { readonly change: ChangeView }): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.preview;
  const { before, after, percent } = change;
  return (
    <li className="change">
      <span className="change-label">{change.label}</span>
      {before === null ? null : (
        <>
          <span className="unseen">{words.from} </span>
          <del className="old">{before === "" ? words.empty : short(before)}</del>
          <span aria-hidden="true"> → </span>
          <span className="unseen">{words.to} </span>
        </>
      )}
      <ins className="new">{after === "" ? words.empty : short(after)}</ins>
      {change.field === "paid_price" && before === after ? (
        <span className="muted"> {words.samePaid}</span>
      ) : null}
      {percent === null ? null : (
        <span className={percent < 0 ? "percent percent-down" : "percent percent-up"}>
          {format.percent(percent)}
        </span>
      )}
    </li>
  );
};

const List = ({ changes, isInLine = false }: ListProps): ReactNode =>
  changes.length === 0 ? null : (
    <ul className={isInLine ? "changes changes-add" : "changes"}>
      {changes.map((change) => (
        <Change key={change.field} change={change} />
      ))}
    </ul>
  );

interface ListProps {
  readonly changes: readonly ChangeView[];
  readonly isInLine?: boolean;
}

/** Fields of a new product that are shown at once; its title and its code stand beside them. */
const FIRST_FIELDS: readonly string[] = ["paid_price", "price", "currency", "stock_count"];

/** Shops that sell in the currency of the country need not read it at each product. */
const USUAL_CURRENCY = "TL";

const isFirst = ({ field, after }: ChangeView): boolean =>
  FIRST_FIELDS.includes(field) && !(field === "currency" && after === USUAL_CURRENCY);
const NAMED_FIELDS: ReadonlySet<string> = new Set(["title", "product_code"]);

const withoutTags = (change: ChangeView): ChangeView =>
  change.field === "description" ? { ...change, after: toPlainText(change.after) } : change;

/** The price and the stock of a new product; its other values are folded. */
const NewProduct = ({ changes }: Pick<ListProps, "changes">): ReactNode => {
  const words = usePage().texts.preview;
  const first = FIRST_FIELDS.flatMap((field) =>
    changes.filter((one) => one.field === field && isFirst(one)),
  );
  const rest = changes.filter((one) => !first.includes(one) && !NAMED_FIELDS.has(one.field));
  return (
    <>
      <List changes={first} isInLine />
      {rest.length === 0 ? null : (
        <details className="more-fields">
          <summary>{words.moreFields(rest.length)}</summary>
          <List changes={rest.map(withoutTags)} />
        </details>
      )}
    </>
  );
};

/** What a row changes: old and new values, or the values of a new product. */
export const Changes = ({ row }: { readonly row: RunRowView }): ReactNode => (
  <>
    {row.action === "add" ? <NewProduct changes={row.changes} /> : <List changes={row.changes} />}
    {row.issues.map((issue) => (
      <p key={issue.code + issue.message} className="row-issue">
        {issue.message}
        {issue.suggestion === null ? null : <span className="muted"> {issue.suggestion}</span>}
      </p>
    ))}
  </>
);
