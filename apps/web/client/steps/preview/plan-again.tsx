import type { ReactNode } from "react";

import type { RunView } from "../../../src/api/index.ts";
import { isOutdated } from "../../lib/outdated.ts";
import { usePage } from "../../lib/page.tsx";
import { useDraft, useDraftChange } from "../../lib/queries.ts";
import { goTo } from "../../lib/route.ts";
import { Button } from "../../ui/button.tsx";
import { Link } from "../../ui/link.tsx";
import { Message } from "../../ui/message.tsx";

/** Plans the draft as it is now; its own preview tells how far it is, or why it cannot. */
const usePlanAgain = (draft: string) => {
  const view = useDraft(draft).data;
  const { mutate, isPending } = useDraftChange(draft);
  const open = (): void => goTo({ page: "draft", id: draft, step: "preview" });
  const plan = (): void => {
    if (view?.state !== "ready" || view.progress !== null) open();
    else mutate({ path: "/plan", body: { version: view.version } }, { onSettled: open });
  };
  return { plan, isPending };
};

/** Says that the draft of a plan has changed since, and makes the preview anew. */
export const PlanAgain = ({ draft }: { readonly draft: string }): ReactNode => {
  const words = usePage().texts.preview;
  const { plan, isPending } = usePlanAgain(draft);
  return (
    <Message
      tone="warning"
      title={words.staleTitle}
      actions={
        <Button kind="primary" isBusy={isPending} onPress={plan}>
          {words.planAgain}
        </Button>
      }
    >
      {words.staleText}
    </Message>
  );
};

/** The step of sending where its plan is out of date: nothing can be sent. */
export const OutdatedPlan = ({ run }: { readonly run: RunView }): ReactNode => {
  const { send, preview } = usePage().texts;
  return (
    <section className="narrow card stack">
      <h1>{send.title}</h1>
      {run.draft === null ? (
        <Message tone="error">{run.problem?.message ?? preview.staleText}</Message>
      ) : (
        <PlanAgain draft={run.draft} />
      )}
      <p className="muted">{preview.nothingSent}</p>
      <div className="line">
        <Link to={{ page: "run", id: run.id, step: "preview" }}>{send.toPreview}</Link>
      </div>
    </section>
  );
};

/** Whether the draft of a plan was changed after the plan was made. */
export const useOutdated = (run: RunView): boolean =>
  isOutdated(run, useDraft(run.draft ?? "", run.draft !== null).data);
