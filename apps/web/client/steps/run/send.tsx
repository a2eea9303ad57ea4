/** The fifth step: approval, then the way of the rows to the store. */

import { type ReactNode, useState } from "react";

import type {
  ApproveBody,
  DecisionResult,
  RunProgress,
  RunView,
  StoreView,
} from "../../../src/api/index.ts";
import { type Page, usePage } from "../../lib/page.tsx";
import { useProgress, useRunChange, useRuns, useTakeRun } from "../../lib/queries.ts";
import { isReachable, useExternal } from "../../lib/requests.ts";
import { goTo, useFocusAfter } from "../../lib/route.ts";
import { countRows, countSent, type Decisions, describeEnd } from "../../lib/runs.ts";
import { toPeriodBody } from "../../period/period-form.ts";
import {
  canApprovePeriod,
  canHavePeriod,
  type ChosenPeriod,
  PeriodProblem,
  PeriodPromise,
  PlanPeriod,
  RunPeriod,
} from "../../period/run-period.tsx";
import { OnlyFor } from "../../team/may.tsx";
import { Requested, useMayApprove, useRequest, WaitForApproval } from "../../team/talk.tsx";
import { Button, Link, TextField, Tick } from "../../ui/controls.tsx";
import {
  Dialog,
  Failure,
  Message,
  Problem,
  Progress,
  useThrottled,
  Waiting,
} from "../../ui/messages.tsx";
import { Notice } from "../../ui/sections.tsx";
import {
  ConfirmGoingOn,
  ConfirmSending,
  Cost,
  CountFacts,
  OutdatedPlan,
  RefusedRows,
  useOutdated,
} from "./run-parts.tsx";

interface CountedProps {
  readonly run: RunView;
  readonly decisions: Decisions;
}

interface ApproveProps extends CountedProps {
  readonly period: ChosenPeriod;
}

const DEFAULT_CANARY = "3";

const Numbers = ({ run, decisions }: CountedProps): ReactNode => {
  const words = usePage().texts.send;
  const { adds, updates, released, stock, heldBack } = countRows(run.plan, decisions);
  const lines = [
    { count: adds, text: words.confirmAdds },
    { count: updates, text: words.confirmUpdates },
    { count: released, text: words.confirmReleased },
    { count: stock, text: words.confirmStock },
    { count: heldBack, text: words.confirmHeld },
  ];
  return (
    <ul className="confirm-lines">
      {lines
        .filter(({ count }) => count > 0)
        .map(({ count, text }) => (
          <li key={text(count)}>{text(count)}</li>
        ))}
    </ul>
  );
};

interface CanaryProps {
  readonly canary: string | null;
  readonly onChange: (canary: string | null) => void;
  /** Whether the store has seen no sending before, and many rows go. */
  readonly isAdvised: boolean;
}

const Canary = ({ canary, onChange, isAdvised }: CanaryProps): ReactNode => {
  const words = usePage().texts.send;
  return (
    <div className={isAdvised ? "canary canary-advised" : "canary"}>
      <Tick
        isTicked={canary !== null}
        onChange={(isTicked) => onChange(isTicked ? DEFAULT_CANARY : null)}
      >
        {words.canary}
      </Tick>
      <p className="muted small indent">
        {isAdvised ? <b className="badge badge-accent">{words.canaryAdvised}</b> : null}{" "}
        {words.canaryHint}
      </p>
      {canary === null ? null : (
        <TextField label={words.canaryCount} type="number" value={canary} onChange={onChange} />
      )}
    </div>
  );
};

/** Rows from which on a first sending is a large one. */
const MANY_ROWS = 20;

/** Whether no run has sent anything to the store yet, as far as its newest runs show. */
const useIsFirst = (): boolean => {
  const { data } = useRuns({});
  const runs = data?.pages.flatMap((page) => page.runs) ?? [];
  return data !== undefined && runs.every(({ counts }) => counts.added + counts.updated === 0);
};

/** The store by its name, or else by its id. */
const nameStore = ({ name, storeId }: Pick<StoreView, "name" | "storeId">): string =>
  name === null ? storeId : `${name} (${storeId})`;

/** Where the rows go, and how long it takes as far as that is known. */
const Destination = ({ run }: { readonly run: RunView }): ReactNode => {
  const { texts, me } = usePage();
  const words = texts.send;
  const { calls, duration, callsPerHour } = run.plan;
  const facts = [
    { label: words.store, value: me.store && nameStore(me.store) },
    { label: words.takes, value: duration },
    { label: words.callCount, value: calls === 0 ? null : texts.preview.calls(calls) },
    {
      label: words.perHour,
      value: callsPerHour === null ? null : texts.preview.calls(callsPerHour),
    },
  ];
  return (
    <dl className="destination">
      {facts.map(({ label, value }) =>
        value === null ? null : (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
};

const toBody = ({ run, decisions, period }: ApproveProps, canary: string | null): ApproveBody => ({
  planHash: run.planHash,
  ...(canHavePeriod(run) ? { period: period.form && toPeriodBody(period.form) } : {}),
  release: [...decisions.release],
  hold: [...decisions.hold.keys()],
  ...(canary === null || countRows(run.plan, decisions).adds === 0
    ? {}
    : { canary: Math.min(1_000, Math.max(1, Math.floor(Number(canary)) || 1)) }),
});

/** For a person who may not approve the plan: what waits for approval, and for whose. */
const Unapproved = ({ run, decisions, period }: ApproveProps): ReactNode => {
  const { send: words, team } = usePage().texts;
  const isAsked = useRequest(run) !== undefined;
  return (
    <section className="narrow card stack">
      <h1>{isAsked ? team.approval.waits : team.approval.needed}</h1>
      <Numbers run={run} decisions={decisions} />
      <Destination run={run} />
      <PeriodPromise run={run} chosen={period} />
      <Problem problem={run.problem} />
      <WaitForApproval run={run} />
      <div className="line">
        <Link to={{ page: "run", id: run.id, step: "preview" }}>{words.toPreview}</Link>
      </div>
    </section>
  );
};

/** What a person may do with a plan: approve it, or wait until somebody else does. */
const Planned = (props: ApproveProps): ReactNode => {
  const { texts } = usePage();
  const mayApprove = useMayApprove(props.run);
  if (mayApprove === undefined) return <Waiting text={texts.app.loading} />;
  return mayApprove ? <Approve {...props} /> : <Unapproved {...props} />;
};

const Approve = (props: ApproveProps): ReactNode => {
  const { run, decisions, period } = props;
  const { send: words, period: times } = usePage().texts;
  const [isOpen, setIsOpen] = useState(false);
  const [canary, setCanary] = useState<string | null>(null);
  const takeRun = useTakeRun();
  const change = useRunChange<DecisionResult>(run.id);
  const close = (): void => setIsOpen(false);
  const send = (): void =>
    change.mutate(
      { path: "/send", body: toBody(props, canary) },
      { onSuccess: (result) => takeRun(result.run), onSettled: close },
    );
  const isFirst = useIsFirst();
  const { rows, adds } = countRows(run.plan, decisions);
  const canSend = run.can.send && rows > 0 && canApprovePeriod(period);
  const startsLater = period.form?.start.isGiven === true;
  return (
    <section className="narrow card stack">
      <h1>{words.title}</h1>
      <Requested run={run} />
      <Numbers run={run} decisions={decisions} />
      <Destination run={run} />
      <PeriodPromise run={run} chosen={period} />
      <PeriodProblem chosen={period} />
      <PlanPeriod run={run} chosen={period} isSaid />
      {adds === 0 ? null : (
        <Canary canary={canary} onChange={setCanary} isAdvised={isFirst && rows >= MANY_ROWS} />
      )}
      <Problem problem={run.problem} />
      <Failure error={change.error} />
      <RefusedRows refused={change.data?.refused ?? []} />
      {run.can.send || run.problem !== null || run.state !== "planned" ? null : (
        <p className="muted">{words.onlyReading}</p>
      )}
      <div className="line">
        <Button kind="primary" isDisabled={!canSend} onPress={() => setIsOpen(true)}>
          {words.open}
        </Button>
        <Link to={{ page: "run", id: run.id, step: "preview" }}>{words.toPreview}</Link>
      </div>
      <p className="muted small">{words.text}</p>
      <ConfirmSending
        rows={rows}
        changes={{ adds, updates: rows - adds }}
        isOpen={isOpen}
        isPending={change.isPending}
        onClose={close}
        onConfirm={send}
        confirm={startsLater ? times.approve : undefined}
      >
        <Numbers run={run} decisions={decisions} />
        <PeriodPromise run={run} chosen={period} />
        <Cost plan={run.plan} />
      </ConfirmSending>
    </section>
  );
};

/** A run that waits until a worker begins to send it. */
const Queued = ({ run }: { readonly run: RunView }): ReactNode => {
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
        <OnlyFor role="approver" isSaid={false}>
          <Button
            isBusy={unqueue.isPending}
            onPress={() => unqueue.mutate({ path: "/unqueue" }, { onSuccess: takeRun })}
          >
            {words.unqueue}
          </Button>
        </OnlyFor>
        <Link to={{ page: "run", id: run.id, step: "preview" }}>{words.toPreview}</Link>
      </div>
    </section>
  );
};

/** Gives up the rows of a stopped run that were not sent, once a person has confirmed it. */
const CancelRest = ({ run }: { readonly run: RunView }): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.send;
  const takeRun = useTakeRun();
  const change = useRunChange<RunView>(run.id);
  const [isOpen, setIsOpen] = useState(false);
  const close = (): void => setIsOpen(false);
  const end = (answer: RunView): void => {
    close();
    takeRun(answer);
  };
  return (
    <>
      <Button onPress={() => setIsOpen(true)}>{words.cancelRest}</Button>
      <Dialog
        title={words.cancelRestTitle}
        isOpen={isOpen}
        onClose={close}
        isAboutGivingUp
        confirm={{
          isBusy: change.isPending,
          onPress: () => change.mutate({ path: "/cancel-rest" }, { onSuccess: end }),
          children: words.cancelRestGo,
        }}
      >
        <p>{words.cancelRestText(format.number(run.counts.waiting))}</p>
        <p className="muted">{words.cancelRestHint}</p>
        <Failure error={change.error} />
      </Dialog>
    </>
  );
};

const SPEAK_EVERY_MS = 5_000;

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

const Bar = ({ run, progress }: WorkProps): ReactNode => {
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

/** What is happening now, and how to pause it. */
const UnderWay = ({ run, progress }: WorkProps): ReactNode => {
  const { texts } = usePage();
  const isReached = useExternal(isReachable);
  if (!isReached) return <p className="muted">{texts.send.lastKnown}</p>;
  return (
    <>
      {progress === undefined ? null : <Facts run={run} progress={progress} />}
      <OnlyFor role="approver" isSaid={false}>
        <Pause run={run.id} />
      </OnlyFor>
    </>
  );
};

/** How far sending is; without an answer of the program, how far it was known to be. */
const SendProgress = ({ run, progress }: WorkProps): ReactNode => {
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
      <Problem problem={problem} />
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
        <OnlyFor role="approver">
          <Button
            kind="primary"
            icon="play"
            isDisabled={!run.can.resume}
            onPress={() => setIsOpen(true)}
          >
            {words.resume}
          </Button>
        </OnlyFor>
        {run.can.cancelRest ? <CancelRest run={run} /> : null}
        <Link to={{ page: "run", id: run.id, step: "report" }}>{words.toReport}</Link>
      </div>
    </>
  );
};

/** Whether sending continues is not known while the program does not answer. */
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
    <Notice title={send.title}>
      <Waiting text={preview.making} />
    </Notice>
  );
};

/** A run that is approved and begins by itself at its time. */
const Scheduled = ({ run }: { readonly run: RunView }): ReactNode => {
  const words = usePage().texts;
  return (
    <section className="stack wide-narrow">
      <h1>{words.period.approved}</h1>
      <RunPeriod run={run} />
      <div className="line">
        <Link to={{ page: "run", id: run.id, step: "preview" }}>{words.send.toPreview}</Link>
      </div>
    </section>
  );
};

const BEFORE_START: ReadonlySet<RunView["state"]> = new Set(["planned", "queued"]);

/** Whether the run has an approved start that is ahead or that nothing has begun at. */
const isScheduled = ({ state, period }: RunView): boolean =>
  BEFORE_START.has(state) &&
  period !== null &&
  period.start !== null &&
  period.state !== "proposed";

export const Send = ({ run, decisions, period }: ApproveProps): ReactNode => {
  const words = usePage().texts.send;
  const progress = useProgress(run.id);
  const { state } = progress ?? run;
  const isOld = useOutdated(run);
  useFocusAfter(state);
  if (isOld && state === "planned") return <OutdatedPlan run={run} />;
  if (state === "planning") return <Planning />;
  if (isScheduled({ ...run, state })) return <Scheduled run={run} />;
  if (state === "planned") return <Planned run={run} decisions={decisions} period={period} />;
  if (state === "queued") return <Queued run={run} />;
  return (
    <section className="stack wide-narrow">
      <Heading run={run} progress={progress} />
      <SendProgress run={run} progress={progress} />
      <RunPeriod run={run} />
      {state === "stopped" ? <Stopped run={run} progress={progress} /> : null}
      {state === "finished" ? (
        <div className="line">
          <Button kind="primary" onPress={() => goTo({ page: "run", id: run.id, step: "report" })}>
            {words.toReport}
          </Button>
        </div>
      ) : null}
      <CountFacts counts={progress?.counts ?? run.counts} />
    </section>
  );
};
