import type { ReactNode } from "react";

import type { RunView } from "../../src/api/index.ts";
import { useEvents } from "../lib/events.ts";
import { useActivity, useDraft, useRun } from "../lib/queries.ts";
import type { RunStep } from "../lib/route.ts";
import { isEmptyRun, type StepRun } from "../lib/step-states.ts";
import { useDecisions } from "../lib/use-decisions.ts";
import { Preview } from "../steps/preview/preview.tsx";
import { RefusedSync } from "../steps/report/refused-sync.tsx";
import { Report } from "../steps/report/report.tsx";
import { Send } from "../steps/send/send.tsx";
import { Loaded } from "../ui/loaded.tsx";
import { RunFacts } from "./run-facts.tsx";
import { StepBar } from "./step-bar.tsx";

interface RunStepProps {
  readonly run: RunView;
  readonly step: RunStep;
}

const RunBody = ({ run, step }: RunStepProps): ReactNode => {
  const [decisions, setDecisions] = useDecisions(run.planHash);
  if (step === "send") return <Send run={run} decisions={decisions} />;
  if (step === "report") return <Report run={run} />;
  return <Preview run={run} decisions={decisions} onDecide={setDecisions} />;
};

const RunBar = ({ run, step }: RunStepProps): ReactNode => {
  const { state, isPaused } = useActivity(run);
  const shown = {
    id: run.id,
    state,
    isPaused,
    isEmpty: run.kind === "undo" && isEmptyRun(run),
  };
  return run.draft === null ? (
    <StepBar isRunShown draft={null} run={shown} current={step} />
  ) : (
    <DraftRunBar run={shown} draft={run.draft} step={step} />
  );
};

interface DraftRunBarProps {
  readonly run: StepRun;
  readonly draft: string;
  readonly step: RunStep;
}

const DraftRunBar = ({ run, draft, step }: DraftRunBarProps): ReactNode => (
  <StepBar isRunShown draft={useDraft(draft).data ?? null} run={run} current={step} />
);

/** A run in one of its steps. */
export const RunScreen = ({
  id,
  step,
}: {
  readonly id: string;
  readonly step: RunStep;
}): ReactNode => {
  const query = useRun(id);
  useEvents({ run: id, draft: query.data?.draft ?? undefined });
  return (
    <Loaded query={query}>
      {(run) => (
        <>
          {run.refusal === null ? <RunBar run={run} step={step} /> : null}
          <p className="file-name">{run.name}</p>
          {run.refusal === null ? (
            <RunBody run={run} step={step} />
          ) : (
            <RefusedSync reason={run.refusal} />
          )}
          <RunFacts run={run} />
        </>
      )}
    </Loaded>
  );
};
