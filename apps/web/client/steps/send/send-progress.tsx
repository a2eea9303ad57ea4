import type { ReactNode } from "react";

import type { RunProgress, RunView } from "../../../src/api/index.ts";
import { type Page, usePage } from "../../lib/page.tsx";
import { useRunChange } from "../../lib/queries.ts";
import { isReachable } from "../../lib/requests.ts";
import { countSent } from "../../lib/sent-count.ts";
import { useExternal } from "../../lib/use-external.ts";
import { useThrottled } from "../../lib/use-throttled.ts";
import { Button } from "../../ui/button.tsx";
import { Failure, Message } from "../../ui/message.tsx";
import { Progress } from "../../ui/progress.tsx";

const SPEAK_EVERY_MS = 5_000;

interface SendProgressProps {
  readonly run: RunView;
  readonly progress: RunProgress | undefined;
}

/** Calls of the last hour, of those that are allowed where that is known. */
const toBudget = (
  { callsLastHour, callsPerHour }: RunProgress,
  { texts, format }: Pick<Page, "texts" | "format">,
): string => {
  const made = format.number(callsLastHour);
  if (callsPerHour === null) return made;
  return texts.send.callsOf(made, format.number(callsPerHour));
};

interface FactsProps {
  readonly run: RunView;
  readonly progress: RunProgress;
}

const Facts = ({ run, progress }: FactsProps): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.send;
  const facts = [
    {
      label: words.perMinute,
      value: progress.perMinute === null ? null : format.number(progress.perMinute),
    },
    // Until the pace of this run is seen, it takes what the preview has said.
    progress.endsAt === null && run.plan.duration !== null
      ? { label: words.takes, value: run.plan.duration }
      : {
          label: words.endsAt,
          value: progress.endsAt === null ? null : format.time(progress.endsAt, Date.now()),
        },
    { label: words.calls, value: toBudget(progress, { texts, format }) },
  ];
  return (
    <dl className="send-facts">
      {facts.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value ?? words.unknown}</dd>
        </div>
      ))}
    </dl>
  );
};

const Pause = ({ run }: { readonly run: string }): ReactNode => {
  const { texts, me } = usePage();
  const words = texts.send;
  const stop = useRunChange(run);
  const isStopping = stop.isPending || stop.isSuccess;
  return (
    <div className="line">
      <Button icon="pause" isBusy={isStopping} onPress={() => stop.mutate({ path: "/stop" })}>
        {isStopping ? words.pausing : words.pause}
      </Button>
      <span className="muted">
        {me.store?.isSandbox === true ? words.canCloseLocal : words.canClose}
      </span>
      <Failure error={stop.error} />
    </div>
  );
};

const Bar = ({ run, progress }: SendProgressProps): ReactNode => {
  const { texts, format } = usePage();
  const { done, total } = countSent(progress?.counts ?? run.counts);
  const text = texts.send.done(format.number(done), format.number(total));
  const spoken = useThrottled(text, SPEAK_EVERY_MS);
  return (
    <>
      <Progress label={texts.send.progress} part={total === 0 ? 1 : done / total} text={text} />
      <p className="unseen" role="status">
        {done === total ? text : spoken}
      </p>
    </>
  );
};

/** What goes on now, and how to pause it. */
const UnderWay = ({ run, progress }: SendProgressProps): ReactNode => {
  const { texts } = usePage();
  const isReached = useExternal(isReachable);
  if (!isReached) return <p className="muted">{texts.send.lastKnown}</p>;
  return (
    <>
      {progress === undefined ? null : <Facts run={run} progress={progress} />}
      <Pause run={run.id} />
    </>
  );
};

/** How far sending is; without an answer of the program, how far it was known to be. */
export const SendProgress = ({ run, progress }: SendProgressProps): ReactNode => {
  const { texts } = usePage();
  const isSending = (progress?.state ?? run.state) === "sending";
  const waiting = progress?.waiting ?? null;
  return (
    <div className="card stack-tight">
      <Bar run={run} progress={progress} />
      {(progress ?? run).isByWorker ? <p className="muted">{texts.send.byWorker}</p> : null}
      {waiting === null ? null : <Message tone="info">{waiting}</Message>}
      {isSending ? <UnderWay run={run} progress={progress} /> : null}
    </div>
  );
};
