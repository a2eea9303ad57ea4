/** The fourth step: everything that sending would change. */

import type { ReactNode } from "react";

import type { RunView } from "../../../src/api/index.ts";
import { type Page, usePage } from "../../lib/page.tsx";
import { useActivity, useDraft } from "../../lib/queries.ts";
import { goTo } from "../../lib/route.ts";
import { type ChangeDecisions, countRows, type Decisions } from "../../lib/runs.ts";
import { useMay } from "../../lib/team.ts";
import { type ChosenPeriod, PlanPeriod, RunPeriod } from "../../period/run-period.tsx";
import { isEmptyRun } from "../../shell/step-bar.tsx";
import { Requested, useMayApprove } from "../../team/talk.tsx";
import { Button, Link } from "../../ui/controls.tsx";
import { Message, Problem, Waiting } from "../../ui/messages.tsx";
import { Notice } from "../../ui/sections.tsx";
import { listLacked, MISSING_DIALOG } from "../fix/dialogs.tsx";
import { HeldRows, PlannedRows } from "./planned-rows.tsx";
import { FactLine, PlanAgain, PlanUnit, useOutdated } from "./run-parts.tsx";

const Warnings = ({ warnings }: Pick<RunView, "warnings">): ReactNode => {
  const words = usePage().texts.preview;
  if (warnings.length === 0) return null;
  return (
    <Message tone="warning" title={words.warnings}>
      <ul>
        {warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
    </Message>
  );
};

interface PreviewProps {
  readonly run: RunView;
  readonly decisions: Decisions;
  readonly period: ChosenPeriod;
  readonly onDecide: ChangeDecisions;
}

/** The calls of a plan, and how long they take here where that is known. */
const describeCalls = (
  { calls, duration }: RunView["plan"],
  words: Page["texts"]["preview"],
): string | null => {
  if (calls === 0) return null;
  return duration === null ? words.calls(calls) : words.callsTake(calls, duration);
};

/** What else becomes of the rows, and what sending takes; nothing of what there is none of. */
const PlanFacts = ({ run }: { readonly run: RunView }): ReactNode => {
  const words = usePage().texts.preview;
  const { plan, counts, state } = run;
  const isDone = state === "finished";
  return (
    <FactLine
      facts={[
        { text: state === "planned" ? words.nothingSent : null },
        { text: plan.held === 0 ? null : words.heldRows(plan.held), tone: "warning" },
        { text: isDone || plan.stock === 0 ? null : words.stockRows(plan.stock) },
        {
          text: plan.invalid === 0 ? null : words.invalidRows(plan.invalid),
          tone: "error",
        },
        {
          text: plan.duplicate === 0 ? null : words.duplicateRows(plan.duplicate),
          tone: "error",
        },
        { text: plan.unchanged === 0 ? null : words.unchangedRows(plan.unchanged) },
        { text: state === "planned" ? describeCalls(plan, words) : null },
        { text: counts.excluded === 0 ? null : words.excludedRows(counts.excluded) },
      ]}
    />
  );
};

const Going = ({ run, decisions }: Pick<PreviewProps, "run" | "decisions">): ReactNode => {
  const { texts } = usePage();
  const words = texts.preview;
  const mayApprove = useMayApprove(run);
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
        {mayApprove === false ? texts.team.approval.go : words.go}
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

/** What the preview is about, as one sentence; what it says depends on how much was sent. */
const Title = ({ run }: { readonly run: RunView }): ReactNode => {
  const words = usePage().texts.preview;
  const { state } = useActivity(run);
  const { adds, updates } = run.plan;
  const will = run.deeds?.will ?? "";
  if (state === "finished" && !isEmptyRun(run)) return <h1>{words.titleDone}</h1>;
  if (state !== "planned" && state !== "finished") return <h1>{words.titleBegun}</h1>;
  if (adds + updates === 0) return <h1>{words.title}</h1>;
  if (run.kind !== "undo" && will !== "") return <h1>{will}</h1>;
  return <h1>{run.kind === "undo" ? words.willUndo(updates) : words.will(updates, adds)}</h1>;
};

type HeadProps = Pick<PreviewProps, "run" | "period">;

/** What the plan is, and what a person should know before deciding. */
const Head = ({ run, period }: HeadProps): ReactNode => {
  const isOld = useOutdated(run);
  const isPlanned = run.state === "planned";
  const mayDecide = useMay("approver");
  return (
    <>
      <div className="run-head">
        <Title run={run} />
        <PlanFacts run={run} />
        {isOld || !isPlanned || !mayDecide ? null : <PlanPeriod run={run} chosen={period} />}
      </div>
      <RunPeriod run={run} />
      {isOld && run.draft !== null ? <PlanAgain draft={run.draft} /> : <Problem {...run} />}
      {isPlanned ? <Requested run={run} /> : null}
      <NothingToUndo run={run} />
      {isPlanned && !isOld ? <Lacked run={run} /> : null}
      <Warnings warnings={run.warnings} />
      <PlanUnit run={run} />
    </>
  );
};

export const Preview = ({ run, decisions, period, onDecide }: PreviewProps): ReactNode => {
  const words = usePage().texts.preview;
  const isOld = useOutdated(run);
  const isPlanned = run.state === "planned";
  const canDecide = useMay("approver") && isPlanned;
  if (run.state === "planning") return <Planning run={run} />;
  return (
    <section className="stack run-screen" aria-label={words.title}>
      <Head run={run} period={period} />
      {run.guards.length === 0 || !isPlanned ? null : (
        <HeldRows run={run} decisions={decisions} onDecide={canDecide ? onDecide : null} />
      )}
      <PlannedRows run={run} decisions={decisions} onDecide={canDecide ? onDecide : null} />
      {isPlanned && !isOld ? <Going run={run} decisions={decisions} /> : null}
    </section>
  );
};
