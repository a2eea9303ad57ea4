import type { ReactNode } from "react";

import type { RunView } from "../../../src/api/index.ts";
import { describeUndone } from "../../lib/describe-undone.ts";
import { isChangedSince } from "../../lib/outdated.ts";
import { usePage } from "../../lib/page.tsx";
import { useActivity, useDraft, useProgress } from "../../lib/queries.ts";
import { Link } from "../../ui/link.tsx";
import { Message } from "../../ui/message.tsx";
import { Waiting } from "../../ui/progress.tsx";
import { CountTotals } from "./count-totals.tsx";
import { RunUnit } from "./price-unit.tsx";
import { ReportActions } from "./report-actions.tsx";
import { ReportRows } from "./report-rows.tsx";
import { WaitingRows } from "./waiting-rows.tsx";

/** Says that the rows were corrected after they were sent. */
const ChangedSince = ({
  run,
  draft,
}: {
  readonly run: RunView;
  readonly draft: string;
}): ReactNode => {
  const words = usePage().texts.report;
  const { data } = useDraft(draft);
  if (!isChangedSince(run, data)) return null;
  return (
    <Message
      tone="info"
      actions={<Link to={{ page: "draft", id: draft, step: "fix" }}>{words.toFix}</Link>}
    >
      {words.changedSince}
    </Message>
  );
};

/** Says that another run is planned from this one, of which nothing is sent yet. */
const Preparing = ({ run }: { readonly run: RunView }): ReactNode => {
  const words = usePage().texts.report;
  const { preparing } = useActivity(run);
  return preparing === null ? null : <Waiting text={words.preparingRun[preparing]} />;
};

const Notices = ({ run }: { readonly run: RunView }): ReactNode => {
  const words = usePage().texts.report;
  return (
    <>
      {run.undoneBy === null ? null : (
        <Message
          tone="info"
          actions={
            <Link to={{ page: "run", id: run.undoneBy.run, step: "report" }}>
              {words.undoneLink}
            </Link>
          }
        >
          {describeUndone(run.undoneBy, words)}
        </Message>
      )}
      <Preparing run={run} />
      {run.draft === null ? null : <ChangedSince run={run} draft={run.draft} />}
      {run.problem === null ? null : <Message tone="error">{run.problem.message}</Message>}
    </>
  );
};

const Head = ({ run }: { readonly run: RunView }): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.report;
  return (
    <div className="report-head">
      <h1>{words.title}</h1>
      <p className="muted">
        {run.stateText} · <time dateTime={run.updatedAt}>{format.date(run.updatedAt)}</time>
        {run.of === null ? null : (
          <>
            {" · "}
            <Link to={{ page: "run", id: run.of, step: "report" }}>{words.of}</Link>
          </>
        )}
      </p>
    </div>
  );
};

const NOT_BEGUN: ReadonlySet<RunView["state"]> = new Set(["planning", "planned", "queued"]);

/** The sixth step: what became of every row. */
export const Report = ({ run }: { readonly run: RunView }): ReactNode => {
  const { texts } = usePage();
  const counts = useProgress(run.id)?.counts ?? run.counts;
  if (NOT_BEGUN.has(run.state)) {
    return (
      <section className="narrow card">
        <h1>{texts.report.title}</h1>
        <p>{texts.report.notSent}</p>
        <Link to={{ page: "run", id: run.id, step: "preview" }}>{texts.send.toPreview}</Link>
      </section>
    );
  }
  return (
    <section className="stack report">
      <Head run={run} />
      <Notices run={run} />
      <CountTotals counts={counts} stockSent={run.stockSent} kind={run.kind} />
      <ReportActions run={run} />
      <RunUnit run={run} />
      {run.can.release ? <WaitingRows run={run} /> : null}
      <ReportRows run={run} />
    </section>
  );
};
