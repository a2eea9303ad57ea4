import type { ReactNode } from "react";

import type { RunView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { Message } from "../../ui/message.tsx";
import { Cost } from "./cost.tsx";

const Sentences = ({
  title,
  sentences,
}: {
  readonly title: string;
  readonly sentences: readonly string[];
}): ReactNode =>
  sentences.length === 0 ? null : (
    <details className="facts">
      <summary>{title}</summary>
      <ul>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </details>
  );

/** What sending costs, and what a person should know of the plan. */
export const PreviewFacts = ({ run }: { readonly run: RunView }): ReactNode => {
  const words = usePage().texts.preview;
  const { plan } = run;
  return (
    <div className="stack-tight">
      {run.warnings.length === 0 ? null : (
        <Message tone="warning" title={words.warnings}>
          <ul>
            {run.warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </Message>
      )}
      <Cost plan={plan} />
      <Sentences title={words.notes} sentences={run.notes} />
      {run.capabilities.length === 0 ? null : (
        <details className="facts">
          <summary>{words.capabilities}</summary>
          <dl className="capabilities">
            {run.capabilities.map(({ field, text }) => (
              <div key={field}>
                <dt>{field}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
          <p className="muted small">{words.documented}</p>
        </details>
      )}
    </div>
  );
};
