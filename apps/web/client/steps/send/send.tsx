import { type ReactNode, useState } from "react";

import type { RunProgress, RunView } from "../../../src/api/index.ts";
import type { Decisions } from "../../lib/decisions.ts";
import { useFocusAfter } from "../../lib/heading-focus.ts";
import { usePage } from "../../lib/page.tsx";
import { useProgress } from "../../lib/queries.ts";
import { isReachable } from "../../lib/requests.ts";
import { goTo } from "../../lib/route.ts";
import { countSent, describeEnd } from "../../lib/sent-count.ts";
import { useExternal } from "../../lib/use-external.ts";
import { Button } from "../../ui/button.tsx";
import { Link } from "../../ui/link.tsx";
import { Message } from "../../ui/message.tsx";
import { Waiting } from "../../ui/progress.tsx";
import { OutdatedPlan, useOutdated } from "../preview/plan-again.tsx";
import { CountTotals } from "../report/count-totals.tsx";
import { Approve } from "./approve.tsx";
import { CancelRest } from "./cancel-rest.tsx";
import { ConfirmGoingOn } from "./confirm-sending.tsx";
import { Queued } from "./queued.tsx";
import { SendProgress } from "./send-progress.tsx";

interface WorkProps {
  readonly run: RunView;
  readonly progress: RunProgress | undefined;
}

/** Why nothing is sent now: a person has paused it, or something stands in the way. */
const Reason = ({ run, progress }: WorkProps): ReactNode => {
  const words = usePage().texts.send;
  const { isPaused, problem, counts } = progress ?? run;
  const text = countSent(counts).done === 0 ? words.noneSentText : words.stoppedText;
  return (
    <>
      <Message tone={isPaused ? "info" : "warning"}>{text}</Message>
      {problem === null ? null : <Message tone="error">{problem.message}</Message>}
    </>
  );
};

const Stopped = ({ run, progress }: WorkProps): ReactNode => {
  const words = usePage().texts.send;
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Reason run={run} progress={progress} />
      <ConfirmGoingOn run={run} isOpen={isOpen} onClose={() => setIsOpen(false)} />
      <div className="line">
        <Button
          kind="primary"
          icon="play"
          isDisabled={!run.can.resume}
          onPress={() => setIsOpen(true)}
        >
          {words.resume}
        </Button>
        {run.can.cancelRest ? <CancelRest run={run} /> : null}
        <Link to={{ page: "run", id: run.id, step: "report" }}>{words.toReport}</Link>
      </div>
    </>
  );
};

const Finished = ({ run }: { readonly run: RunView }): ReactNode => {
  const words = usePage().texts.send;
  return (
    <div className="line">
      <Button kind="primary" onPress={() => goTo({ page: "run", id: run.id, step: "report" })}>
        {words.toReport}
      </Button>
    </div>
  );
};

const Working = ({ run, progress }: WorkProps): ReactNode => {
  const { state } = progress ?? run;
  if (state === "stopped") return <Stopped run={run} progress={progress} />;
  if (state === "finished") return <Finished run={run} />;
  return null;
};

/** Whether sending goes on is not known while the program does not answer. */
const Heading = ({ run, progress }: WorkProps): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.send;
  const isReached = useExternal(isReachable);
  const { state, isPaused, counts } = progress ?? run;
  const { done, total } = countSent(counts);
  if (state === "finished") return <h1>{describeEnd(counts, words, format)}</h1>;
  if (isPaused) return <h1>{words.paused(format.number(done), format.number(total))}</h1>;
  if (state === "stopped") return <h1>{words.stopped}</h1>;
  return <h1>{isReached ? words.sending : words.progress}</h1>;
};

/** A plan that another process still writes. */
const Planning = (): ReactNode => {
  const { send, preview } = usePage().texts;
  return (
    <section className="narrow card">
      <h1>{send.title}</h1>
      <Waiting text={preview.making} />
    </section>
  );
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
  const { state } = progress ?? run;
  const isOld = useOutdated(run);
  useFocusAfter(state);
  if (isOld && state === "planned") return <OutdatedPlan run={run} />;
  if (state === "planning") return <Planning />;
  if (state === "planned") return <Approve run={run} decisions={decisions} />;
  if (state === "queued") return <Queued run={run} />;
  return (
    <section className="stack wide-narrow">
      <Heading run={run} progress={progress} />
      <SendProgress run={run} progress={progress} />
      <Working run={run} progress={progress} />
      <CountTotals counts={progress?.counts ?? run.counts} />
    </section>
  );
};
