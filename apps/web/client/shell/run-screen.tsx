/** A run in one of its steps. */

import { type ReactNode, useMemo } from "react";

import type { RunView } from "../../src/api/index.ts";
import { useEvents } from "../lib/events.ts";
import { PageContext, usePage } from "../lib/page.tsx";
import { useActivity, useDraft, useRun, useRunOrder } from "../lib/queries.ts";
import type { RunStep } from "../lib/route.ts";
import { countStock, useDecisions } from "../lib/runs.ts";
import { forRole } from "../lib/team.ts";
import { useChosenPeriod } from "../period/run-period.tsx";
import { Preview } from "../steps/run/preview.tsx";
import { RefusedSync, Report } from "../steps/run/report.tsx";
import { RunDetails } from "../steps/run/run-details.tsx";
import { Send } from "../steps/run/send.tsx";
import { PartOfShared } from "../team/share-upload.tsx";
import { Comments } from "../team/talk.tsx";
import { textsOfRun } from "../texts/texts.ts";
import { Loaded } from "../ui/messages.tsx";
import { isEmptyRun, StepBar, type StepRun } from "./step-bar.tsx";

interface RunStepProps {
  readonly run: RunView;
  readonly step: RunStep;
}

const RunBody = ({ run: read, step }: RunStepProps): ReactNode => {
  const [decisions, setDecisions] = useDecisions(read.planHash);
  const hasStock = read.plan.stock > 0 && decisions.release.size > 0;
  const { data: stockRows } = useRunOrder(read.id, { can: "stock" }, null, hasStock);
  const stock = hasStock && stockRows ? countStock(stockRows, decisions) : read.plan.stock;
  const run = useMemo(() => ({ ...read, plan: { ...read.plan, stock } }), [read, stock]);
  const period = useChosenPeriod(run);
  if (step === "send") return <Send run={run} decisions={decisions} period={period} />;
  if (step === "report") return <Report run={run} />;
  return <Preview run={run} decisions={decisions} period={period} onDecide={setDecisions} />;
};

const RunBar = ({ run, step }: RunStepProps): ReactNode => {
  const { state, isPaused } = useActivity(run);
  const shown = {
    id: run.id,
    state,
    isPaused,
    isWithoutFile: run.kind === "undo" || run.actions !== null,
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

/** Gives the screens of a run the words of what its rows do. */
const RunPage = ({
  run: { actions },
  children,
}: {
  readonly run: RunView;
  readonly children: ReactNode;
}): ReactNode => {
  const page = usePage();
  const { lang } = page;
  const own = useMemo(() => ({ ...page, texts: textsOfRun(lang, actions) }), [page, lang, actions]);
  return <PageContext value={own}>{children}</PageContext>;
};

export const RunScreen = ({
  id,
  step,
}: {
  readonly id: string;
  readonly step: RunStep;
}): ReactNode => {
  const query = useRun(id);
  const { role } = usePage().me;
  useEvents({ run: id, draft: query.data?.draft ?? undefined });
  return (
    <Loaded query={query}>
      {(read) => {
        const run = forRole(read, role);
        return (
          <RunPage run={run}>
            <div className="way">
              {run.refusal === null ? <RunBar run={run} step={step} /> : null}
              <p className="file-name" title={run.name}>
                {run.name}
              </p>
            </div>
            <PartOfShared draft={run.draft} />
            {run.refusal === null ? (
              <RunBody run={run} step={step} />
            ) : (
              <RefusedSync reason={run.refusal} />
            )}
            <Comments run={run.id} />
            <RunDetails run={run} />
          </RunPage>
        );
      }}
    </Loaded>
  );
};
