import type { ReactNode } from "react";

import type { RunCounts, RunProgress, RunView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { useRunChange } from "../../lib/queries.ts";
import { useThrottled } from "../../lib/use-throttled.ts";
import { Button } from "../../ui/button.tsx";
import { Failure, Message } from "../../ui/message.tsx";
import { Progress } from "../../ui/progress.tsx";

interface SendProgressProps {
  readonly run: RunView;
  readonly progress: RunProgress | undefined;
}

/** Rows that have come to their result. */
const countDone = (total: number, counts: RunCounts): number => Math.max(0, total - counts.waiting);

const Facts = ({ progress }: { readonly progress: RunProgress }): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.send;
  const facts = [
    {
      label: words.perMinute,
      value: progress.perMinute === null ? null : format.number(progress.perMinute),
    },
    {
      label: words.endsAt,
      value: progress.endsAt === null ? null : format.time(progress.endsAt, Date.now()),
    },
    {
      label: words.callsLeft,
      value: progress.callsLeft === null ? null : format.number(progress.callsLeft),
    },
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
  const words = usePage().texts.send;
  const stop = useRunChange(run);
  const isStopping = stop.isPending || stop.isSuccess;
  return (
    <div className="line">
      <Button icon="pause" isBusy={isStopping} onPress={() => stop.mutate({ path: "/stop" })}>
        {isStopping ? words.pausing : words.pause}
      </Button>
      <span className="muted">{words.canClose}</span>
      <Failure error={stop.error} />
    </div>
  );
};

/** How far sending is. */
export const SendProgress = ({ run, progress }: SendProgressProps): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.send;
  const counts = progress?.counts ?? run.counts;
  const total = progress?.total ?? counts.rows;
  const done = countDone(total, counts);
  const text = words.done(format.number(done), format.number(total));
  const spoken = useThrottled(text, 5_000);
  const isSending = (progress?.state ?? run.state) === "sending";
  return (
    <div className="card stack-tight">
      <Progress label={words.progress} part={total === 0 ? 1 : done / total} text={text} />
      <p className="unseen" role="status">
        {spoken}
      </p>
      {progress?.waiting == null ? null : <Message tone="info">{progress.waiting}</Message>}
      {progress === undefined || !isSending ? null : <Facts progress={progress} />}
      {isSending ? <Pause run={run.id} /> : null}
    </div>
  );
};
