import type { ReactNode } from "react";

import type { RunView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { useRunChange, useTakeRun } from "../../lib/queries.ts";
import { countSent } from "../../lib/sent-count.ts";
import { Button } from "../../ui/button.tsx";
import { Link } from "../../ui/link.tsx";
import { Failure } from "../../ui/message.tsx";

/** A run that waits until a worker begins to send it. */
export const Queued = ({ run }: { readonly run: RunView }): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.send;
  const { done } = countSent(run.counts);
  const takeRun = useTakeRun();
  const unqueue = useRunChange<RunView>(run.id);
  return (
    <section className="narrow card stack">
      <h1>{words.queued}</h1>
      <p>{words.queuedText(format.number(run.counts.waiting))}</p>
      <p className="muted">
        {done === 0 ? words.queuedNone : words.queuedSome(format.number(done))} {words.queuedHint}
      </p>
      <Failure error={unqueue.error} />
      <div className="line">
        <Button
          isBusy={unqueue.isPending}
          onPress={() => unqueue.mutate({ path: "/unqueue" }, { onSuccess: takeRun })}
        >
          {words.unqueue}
        </Button>
        <Link to={{ page: "run", id: run.id, step: "preview" }}>{words.toPreview}</Link>
      </div>
    </section>
  );
};
