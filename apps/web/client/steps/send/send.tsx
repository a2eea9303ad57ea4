import type { ReactNode } from "react";

import type { RunProgress, RunView } from "../../../src/api/index.ts";
import type { Decisions } from "../../lib/decisions.ts";
import { useFocusAfter } from "../../lib/heading-focus.ts";
import { usePage } from "../../lib/page.tsx";
import { useProgress, useRunChange } from "../../lib/queries.ts";
import { isReachable } from "../../lib/requests.ts";
import { goTo } from "../../lib/route.ts";
import { useExternal } from "../../lib/use-external.ts";
import { Button } from "../../ui/button.tsx";
import { Link } from "../../ui/link.tsx";
import { Failure, Message } from "../../ui/message.tsx";
import { OutdatedPlan, useOutdated } from "../preview/plan-again.tsx";
import { CountTotals } from "../report/count-totals.tsx";
import { Approve } from "./approve.tsx";
import { SendProgress } from "./send-progress.tsx";

interface WorkProps {
  readonly run: RunView;
  readonly progress: RunProgress | undefined;
}

const Stopped = ({ run, progress }: WorkProps): ReactNode => {
  const words = usePage().texts.send;
  const resume = useRunChange(run.id);
  const problem = progress?.problem ?? run.problem;
  return (
    <>
      <Message tone="warning" title={words.stopped}>
        {words.stoppedText}
      </Message>
      {problem === null ? null : <Message tone="error">{problem.message}</Message>}
      <Failure error={resume.error} />
      <div className="line">
        <Button
          kind="primary"
          icon="play"
          isDisabled={!run.can.resume}
          isBusy={resume.isPending}
          onPress={() => resume.mutate({ path: "/resume" })}
        >
          {words.resume}
        </Button>
        <Link to={{ page: "run", id: run.id, step: "report" }}>{words.toReport}</Link>
      </div>
    </>
  );
};

const Finished = ({ run }: { readonly run: RunView }): ReactNode => {
  const words = usePage().texts.send;
  return (
    <>
      <Message tone="success" title={words.finished} />
      <div className="line">
        <Button kind="primary" onPress={() => goTo({ page: "run", id: run.id, step: "report" })}>
          {words.toReport}
        </Button>
      </div>
    </>
  );
};

const Working = ({ run, progress }: WorkProps): ReactNode => {
  const state = progress?.state ?? run.state;
  if (state === "stopped") return <Stopped run={run} progress={progress} />;
  if (state === "finished") return <Finished run={run} />;
  return null;
};

/** Whether sending goes on is not known while the program does not answer. */
const Heading = ({ isSending }: { readonly isSending: boolean }): ReactNode => {
  const words = usePage().texts.send;
  const isReached = useExternal(isReachable);
  return <h1>{isSending && isReached ? words.sending : words.title}</h1>;
};

/** The fifth step: approval, then the way of the rows to the store. */
export const Send = ({
  run,
  decisions,
}: {
  readonly run: RunView;
  readonly decisions: Decisions;
}): ReactNode => {
  const progress = useProgress(run.id);
  const state = progress?.state ?? run.state;
  const isOld = useOutdated(run);
  useFocusAfter(state);
  if (isOld && state === "planned") return <OutdatedPlan run={run} />;
  if (state === "planning" || state === "planned")
    return <Approve run={run} decisions={decisions} />;
  return (
    <section className="stack wide-narrow">
      <Heading isSending={state === "sending"} />
      <SendProgress run={run} progress={progress} />
      <Working run={run} progress={progress} />
      <CountTotals counts={progress?.counts ?? run.counts} />
    </section>
  );
};
