import { type ReactNode, useState } from "react";

import type { RunView } from "../../src/api/index.ts";
import { usePage } from "../lib/page.tsx";
import { Button } from "../ui/button.tsx";

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

/** Who made the run, when, and of which file. */
export const RunFacts = ({ run }: { readonly run: RunView }): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.runFacts;
  return (
    <div className="run-facts muted small">
      <span>
        {run.by === null ? words.made : words.madeBy(run.by)}{" "}
        <time dateTime={run.createdAt}>{format.date(run.createdAt)}</time>
      </span>
      {run.fileSha256 === null ? null : <FileHash hash={run.fileSha256} />}
    </div>
  );
};
