/** What few people ask of a run, folded: how its file was read, who made it, and of which file. */

import { type ReactNode, useState } from "react";

import type { RunSummaryView, RunView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { Button } from "../../ui/controls.tsx";

/** Characters of a hash that tell files apart at a glance. */
const SHORT_CHARS = 12;

/** The beginning of the hash; all of it is its title, and what the button copies. */
const FileHash = ({ hash }: { readonly hash: string }): ReactNode => {
  const words = usePage().texts.runFacts;
  const [isCopied, setIsCopied] = useState(false);
  const copy = (): void => {
    // A browser that refuses leaves the title.
    navigator.clipboard.writeText(hash).then(
      () => setIsCopied(true),
      () => undefined,
    );
  };
  return (
    <span className="line">
      {words.hash} <code title={hash}>{hash.slice(0, SHORT_CHARS)}…</code>
      <Button kind="quiet" onPress={copy}>
        {isCopied ? words.copied : words.copy}
      </Button>
    </span>
  );
};

/** What is known of the fields of this store that the marketplace does not document. */
const Capabilities = ({ capabilities }: Pick<RunView, "capabilities">): ReactNode => {
  const words = usePage().texts.runFacts;
  if (capabilities.length === 0) return null;
  return (
    <>
      <dl className="capabilities">
        {capabilities.map(({ field, text }) => (
          <div key={field}>
            <dt>{field}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <p className="muted small">{words.documented}</p>
    </>
  );
};

/** Who has approved a run, below those who have prepared it, where that was another person. */
export const OtherApprover = ({
  by,
  approvedBy,
}: Pick<RunSummaryView, "by" | "approvedBy">): ReactNode => {
  const words = usePage().texts.runFacts;
  // A maker is named after the place, such as "Page · ayse".
  if (approvedBy === null || by?.split(" · ").at(-1) === approvedBy) return null;
  return <small className="approver muted">{words.approvedBy(approvedBy)}</small>;
};

export const RunDetails = ({ run }: { readonly run: RunView }): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.runFacts;
  return (
    <details className="facts run-facts">
      <summary>{words.title}</summary>
      {run.notes.length === 0 ? null : (
        <ul>
          {run.notes.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
      <Capabilities capabilities={run.capabilities} />
      <p>
        {run.by === null ? words.made : words.madeBy(run.by)}{" "}
        <time dateTime={run.createdAt}>{format.date(run.createdAt)}</time>
      </p>
      {run.approvedBy === null ? null : <p>{words.approvedBy(run.approvedBy)}</p>}
      {run.fileSha256 === null ? null : <FileHash hash={run.fileSha256} />}
    </details>
  );
};
