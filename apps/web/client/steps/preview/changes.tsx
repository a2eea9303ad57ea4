import type { ReactNode } from "react";

import type { RunRowView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";

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

/** What a row changes: old and new values, or the values of a new product. */
export const Changes = ({ row }: { readonly row: RunRowView }): ReactNode => (
  <>
    {row.changes.length === 0 ? null : (
      <ul className={row.action === "add" ? "changes changes-add" : "changes"}>
        {row.changes.map((change) => (
          <Change key={change.field} change={change} />
        ))}
      </ul>
    )}
    {row.issues.map((issue) => (
      <p key={issue.code + issue.message} className="row-issue">
        {issue.message}
        {issue.suggestion === null ? null : <span className="muted"> {issue.suggestion}</span>}
      </p>
    ))}
  </>
);
