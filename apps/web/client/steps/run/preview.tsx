/** The fourth step: everything that sending would change. */

import type { ReactNode } from "react";

import type { RunView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { useActivity, useDraft } from "../../lib/queries.ts";
import { goTo } from "../../lib/route.ts";
import { type ChangeDecisions, countRows, type Decisions } from "../../lib/runs.ts";
import { isEmptyRun } from "../../shell/step-bar.tsx";
import { Button, Link } from "../../ui/controls.tsx";
import { Message, Problem, Waiting } from "../../ui/messages.tsx";
import { Notice } from "../../ui/sections.tsx";
import { listLacked, MISSING_DIALOG } from "../fix/dialogs.tsx";
import { HeldRows, PlannedRows } from "./planned-rows.tsx";
import { Cost, PlanAgain, PlanUnit, Totals, useOutdated } from "./run-parts.tsx";

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
const PreviewFacts = ({ run }: { readonly run: RunView }): ReactNode => {
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

export interface PreviewProps {
  readonly run: RunView;
  readonly decisions: Decisions;
  readonly onDecide: ChangeDecisions;
}

const PlanTotals = ({ run: { state, plan, counts } }: { readonly run: RunView }): ReactNode => {
  const words = usePage().texts.preview;
  const isDone = state === "finished";
  return (
    <Totals
      totals={[
        { label: isDone ? words.added : words.adds, count: plan.adds, tone: "good" },
        { label: isDone ? words.updated : words.updates, count: plan.updates, tone: "accent" },
        ...(isDone || plan.stock === 0
          ? []
          : [{ label: words.stockOnly, count: plan.stock, tone: "accent" as const }]),
        { label: words.held, count: plan.held, tone: "warning" },
        { label: words.invalid, count: plan.invalid, tone: "error" },
        { label: words.duplicate, count: plan.duplicate, tone: "error" },
        { label: words.unchanged, count: plan.unchanged },
        ...(counts.excluded === 0 ? [] : [{ label: words.excluded, count: counts.excluded }]),
      ]}
    />
  );
};

const Going = ({ run, decisions }: Omit<PreviewProps, "onDecide">): ReactNode => {
  const words = usePage().texts.preview;
  const { rows, stock, heldBack } = countRows(run.plan, decisions);
  return (
    <div className="go">
      <p role="status">
        <strong>{rows === 0 ? words.nothing : words.chosen(rows)}</strong>
        {stock === 0 ? "" : `, ${words.chosenStock(stock)}`}
        {heldBack === 0 ? "" : `, ${words.heldBack(heldBack)}`}
      </p>
      <Button
        kind="primary"
        isDisabled={rows === 0}
        onPress={() => goTo({ page: "run", id: run.id, step: "send" })}
      >
        {words.go}
      </Button>
    </div>
  );
};

/** A plan that is still being written, maybe by a command of a terminal. */
const Planning = ({ run }: { readonly run: RunView }): ReactNode => {
  const words = usePage().texts.preview;
  return (
    <Notice title={words.title}>
      {run.problem === null ? (
        <Waiting text={words.making} />
      ) : (
        <Message tone="error">{run.problem.message}</Message>
      )}
      <p className="muted">{words.nothingSent}</p>
    </Notice>
  );
};

/** New products that lack a field in every row, and the way to give it once for all of them. */
const Lacked = ({ run }: { readonly run: RunView }): ReactNode => {
  const { preview, fix } = usePage().texts;
  const { draft: id } = run;
  const columns = useDraft(id ?? "", id !== null).data?.columns ?? null;
  const rows = run.reasons.find(({ code }) => code === "E_COLUMN_MISSING")?.rows ?? 0;
  const lacked = columns === null || rows === 0 ? [] : listLacked(columns);
  if (id === null || lacked.length === 0) return null;
  const open = (): void => goTo({ page: "draft", id, step: "fix" }, MISSING_DIALOG);
  return (
    <Message
      tone="error"
      title={preview.lackedTitle(rows)}
      actions={
        <Button kind="primary" onPress={open}>
          {fix.giveLacked}
        </Button>
      }
    >
      {preview.lackedText(lacked.map(({ label }) => label).join(", "))}
    </Message>
  );
};

/** An undo that found nothing to undo; the warnings below say why. */
const NothingToUndo = ({ run }: { readonly run: RunView }): ReactNode => {
  const { preview, report } = usePage().texts;
  if (run.kind !== "undo" || !isEmptyRun(run)) return null;
  const { of } = run;
  return (
    <Message
      tone="info"
      title={preview.undoNothing}
      actions={
        of === null ? null : <Link to={{ page: "run", id: of, step: "report" }}>{report.of}</Link>
      }
    >
      {preview.undoNothingText}
    </Message>
  );
};

/** What the preview shows depends on how much of it was sent. */
const Title = ({ run }: { readonly run: RunView }): ReactNode => {
  const words = usePage().texts.preview;
  const { state } = useActivity(run);
  if (state === "finished" && !isEmptyRun(run)) return <h1>{words.titleDone}</h1>;
  return <h1>{state === "planned" || state === "finished" ? words.title : words.titleBegun}</h1>;
};

export const Preview = ({ run, decisions, onDecide }: PreviewProps): ReactNode => {
  const words = usePage().texts.preview;
  const isOld = useOutdated(run);
  const canDecide = run.state === "planned";
  if (run.state === "planning") return <Planning run={run} />;
  return (
    <section className="stack">
      <Title run={run} />
      {canDecide ? <p className="lead">{words.nothingSent}</p> : null}
      {isOld && run.draft !== null ? <PlanAgain draft={run.draft} /> : <Problem {...run} />}
      <NothingToUndo run={run} />
      <PlanTotals run={run} />
      {canDecide && !isOld ? <Lacked run={run} /> : null}
      <PreviewFacts run={run} />
      <PlanUnit run={run} />
      {run.guards.length === 0 || !canDecide ? null : (
        <HeldRows run={run} decisions={decisions} onDecide={onDecide} />
      )}
      <PlannedRows run={run} decisions={decisions} onDecide={canDecide ? onDecide : null} />
      {canDecide && !isOld ? <Going run={run} decisions={decisions} /> : null}
    </section>
  );
};
