import type { ReactNode } from "react";

import type { FeedSampleView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { Message } from "../../ui/message.tsx";

/** The first rows of a feed, and what is taken from each column. */
export const FeedSample = ({ sample }: { readonly sample: FeedSampleView }): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.work.feeds;
  return (
    <section className="stack-tight">
      <Message tone="success">
        {words.form.sampleOf(sample.name)}{" "}
        {sample.dataAt === null ? null : words.changed(format.ago(sample.dataAt, Date.now()))}
      </Message>
      <div className="scroll" tabIndex={0} role="region" aria-label={words.form.sample}>
        <table className="table feed-sample">
          <thead>
            <tr>
              {sample.columns.map(({ header, label }, index) => (
                <th key={index} scope="col">
                  {header}{" "}
                  <span className={label === null ? "badge" : "badge badge-accent"}>
                    {label ?? words.form.unused}
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sample.rows.map((cells, row) => (
              <tr key={row}>
                {cells.map((cell, index) => (
                  <td key={index}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
};
