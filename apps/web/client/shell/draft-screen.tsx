import { lazy, type ReactNode, Suspense } from "react";

import type { DraftView } from "../../src/api/index.ts";
import { useEvents } from "../lib/events.ts";
import { usePage } from "../lib/page.tsx";
import { useDraft, useProgress, useRun } from "../lib/queries.ts";
import type { DraftStep } from "../lib/route.ts";
import { Columns } from "../steps/columns/columns.tsx";
import { FileStep } from "../steps/file/file-step.tsx";
import { MakePreview } from "../steps/preview/make-preview.tsx";
import { Loaded } from "../ui/loaded.tsx";
import { Message } from "../ui/message.tsx";
import { Waiting } from "../ui/progress.tsx";
import { StepBar } from "./step-bar.tsx";

const Fix = lazy(async () => {
  const { Fix: component } = await import("../steps/fix/fix.tsx");
  return { default: component };
});

interface StepProps {
  readonly draft: DraftView;
  readonly step: DraftStep;
}

const StepBody = ({ draft, step }: StepProps): ReactNode => {
  if (step === "file") return <FileStep draft={draft} />;
  if (step === "columns") return <Columns draft={draft} />;
  return step === "fix" ? <Fix draft={draft} /> : <MakePreview draft={draft} />;
};

const DraftBar = ({ draft, step }: StepProps): ReactNode =>
  draft.run === null ? (
    <StepBar isRunShown={false} draft={draft} run={null} current={step} />
  ) : (
    <PlannedDraftBar draft={draft} step={step} run={draft.run.id} />
  );

const PlannedDraftBar = ({ draft, step, run }: StepProps & { readonly run: string }): ReactNode => {
  const read = useRun(run).data;
  const progress = useProgress(run);
  const state = progress?.state ?? read?.state ?? "planned";
  return <StepBar isRunShown={false} draft={draft} run={{ id: run, state }} current={step} />;
};

/** A draft in one of its steps. */
export const DraftScreen = ({
  id,
  step,
}: {
  readonly id: string;
  readonly step: DraftStep;
}): ReactNode => {
  const { texts } = usePage();
  const query = useDraft(id);
  useEvents({ draft: id, run: query.data?.run?.id });
  return (
    <Loaded query={query}>
      {(draft) => (
        <>
          <DraftBar draft={draft} step={step} />
          <p className="file-name">{draft.name}</p>
          {draft.problem === null ? null : <Message tone="error">{draft.problem.message}</Message>}
          <Suspense fallback={<Waiting text={texts.app.loading} />}>
            <StepBody draft={draft} step={step} />
          </Suspense>
        </>
      )}
    </Loaded>
  );
};
