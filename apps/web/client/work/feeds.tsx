/** Files and links that are synced, with their times and results. */

import { type ReactNode, useState } from "react";

import type { FeedRunView, FeedView, ScheduleView } from "../../src/api/index.ts";
import { usePage } from "../lib/page.tsx";
import { type FeedChange, useFeedChange, useFeeds } from "../lib/queries.ts";
import { FeedOwner, HandOverDialog } from "../team/feed-owner.tsx";
import { OnlyFor } from "../team/may.tsx";
import { Button, Link } from "../ui/controls.tsx";
import { Dialog, Failure, Loaded, Message } from "../ui/messages.tsx";
import { TitledScreen, List } from "../ui/sections.tsx";
import { AddFeedDialog, ChangeFeedDialog } from "./feed-dialog.tsx";
import { HistoryDialog, ShadowDialog } from "./feed-past.tsx";

type Asked = "allow" | "change" | "remove" | "history" | "shadow" | "owner";

interface FeedActionsProps {
  readonly feed: FeedView;
  readonly schedule: ScheduleView;
  /** What is being done to this feed. */
  readonly underWay: FeedChange["act"] | undefined;
  readonly onAct: (act: "run" | "pause" | "resume") => void;
  readonly onAsk: (asked: Asked) => void;
}

interface DoubtButtonProps extends Pick<FeedActionsProps, "onAsk"> {
  readonly name: string;
  readonly doubt: FeedActionsProps["schedule"]["doubt"];
}

/** Takes a feed that was refused; its new form is accepted for good, anything else once. */
const DoubtButton = ({ name, doubt, onAsk }: DoubtButtonProps): ReactNode => {
  const words = usePage().texts.work.feeds;
  if (doubt === null) return null;
  const isForm = doubt === "form";
  return (
    <Button
      label={isForm ? words.acceptName(name) : words.allowName(name)}
      onPress={() => onAsk("allow")}
    >
      {isForm ? words.accept : words.allow}
    </Button>
  );
};

/** Changing a feed, handing it over, and removing it. */
const ChangeActions = ({ feed, schedule, onAsk }: FeedActionsProps): ReactNode => {
  const { texts, account } = usePage();
  const words = texts.work.feeds;
  const { madeBy } = schedule;
  return (
    <>
      {account === null ? null : (
        <Button
          kind={schedule.owner?.isGone === true ? "primary" : "quiet"}
          label={texts.team.owner.handOverName(feed.name)}
          onPress={() => onAsk("owner")}
        >
          {texts.team.owner.handOver}
        </Button>
      )}
      {madeBy === "page" ? (
        <Button
          kind={schedule.isAsking ? "primary" : "quiet"}
          label={schedule.isAsking ? words.answerName(feed.name) : words.changeName(feed.name)}
          onPress={() => onAsk("change")}
        >
          {schedule.isAsking ? words.answer : words.change}
        </Button>
      ) : null}
      {madeBy === "page" || !schedule.isServed ? (
        <Button
          kind="quiet"
          icon="close"
          label={words.removeName(feed.name)}
          onPress={() => onAsk("remove")}
        >
          {words.remove}
        </Button>
      ) : null}
    </>
  );
};

/** What a person may do with a feed; that of a command is changed where the command is. */
const FeedActions = (props: FeedActionsProps): ReactNode => {
  const words = usePage().texts.work.feeds;
  const { feed, schedule, underWay, onAct, onAsk } = props;
  const { isPaused } = schedule;
  const pause = isPaused ? "resume" : "pause";
  return (
    <div className="line">
      <OnlyFor role="editor" isSaid={false}>
        <Button
          isBusy={schedule.isRunning || underWay === "run"}
          label={words.runName(feed.name)}
          onPress={() => onAct("run")}
        >
          {words.run}
        </Button>
        <DoubtButton name={feed.name} doubt={schedule.doubt} onAsk={onAsk} />
      </OnlyFor>
      <OnlyFor role="approver" isSaid={false}>
        <Button
          kind="quiet"
          icon={isPaused ? "play" : "pause"}
          isBusy={underWay === pause}
          label={isPaused ? words.resumeName(feed.name) : words.pauseName(feed.name)}
          onPress={() => onAct(pause)}
        >
          {words[pause]}
        </Button>
      </OnlyFor>
      {schedule.isShadow ? (
        <Button label={words.past.shadowName(feed.name)} onPress={() => onAsk("shadow")}>
          {words.past.shadow}
        </Button>
      ) : null}
      <Button
        kind="quiet"
        label={words.past.historyName(feed.name)}
        onPress={() => onAsk("history")}
      >
        {words.past.history}
      </Button>
      <OnlyFor role="approver" isSaid={false}>
        <ChangeActions {...props} />
      </OnlyFor>
    </div>
  );
};

type State = "running" | "paused" | "asking" | "failing" | "waiting" | "unserved" | "manual";

const BADGES: Readonly<Record<State, string>> = {
  running: "badge badge-accent",
  paused: "badge badge-warning",
  asking: "badge badge-warning",
  failing: "badge badge-warning",
  waiting: "badge",
  unserved: "badge badge-warning",
  manual: "badge",
};

const stateOf = (schedule: ScheduleView | null): State => {
  if (schedule === null) return "manual";
  if (schedule.isRunning) return "running";
  if (schedule.isPaused) return "paused";
  if (!schedule.isServed) return "unserved";
  if (schedule.isAsking || schedule.doubt !== null) return "asking";
  return schedule.problem === null ? "waiting" : "failing";
};

const HOME_ZONE = "Europe/Istanbul";

/** When the feed is synced, and how old what was taken is. */
const ScheduleFacts = ({ schedule }: { readonly schedule: ScheduleView }): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.work.feeds;
  const now = Date.now();
  const { nextAt, succeededAt, dataAt, timeZone } = schedule;
  return (
    <>
      <span className="file-facts">
        {nextAt === null ? null : (
          <time className="feed-next" dateTime={nextAt}>
            {words.next(format.time(nextAt, now))}
          </time>
        )}
        <span>
          {schedule.timesText}
          {timeZone === HOME_ZONE ? null : ` ${words.inZone(timeZone)}`}
        </span>
        {schedule.madeBy === "command" ? <span className="badge">{words.ofCommand}</span> : null}
      </span>
      <span className="file-facts">
        <span>
          {succeededAt === null ? words.neverTaken : words.taken(format.ago(succeededAt, now))}
        </span>
        {dataAt === null ? null : <span>{words.changed(format.ago(dataAt, now))}</span>}
      </span>
    </>
  );
};

/** Whether the syncs of a schedule do their job, with since when they do not. */
const ScheduleHealth = ({ schedule }: { readonly schedule: ScheduleView }): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.work.feeds.health;
  const { health, succeededAt, isPaused, problem } = schedule;
  const failures =
    health.failuresInRow === 0 ? null : <span>{words.failures(health.failuresInRow)}</span>;
  if (health.isHealthy) {
    // What a sync was refused for is told below; green beside it would deny that.
    const isNew =
      succeededAt === null || isPaused || problem !== null || stateOf(schedule) === "unserved";
    return (
      <span className="file-facts">
        {isNew || schedule.isShadow ? null : (
          <span className="badge badge-success">{words.healthy}</span>
        )}
        {failures}
      </span>
    );
  }
  const since = format.date(health.unhealthyAt);
  return (
    <Message tone="error" title={words.unhealthy(since)}>
      <p>
        {words.outdated}{" "}
        {succeededAt === null ? words.neverSucceeded : words.lastSuccess(format.date(succeededAt))}{" "}
        {failures}
      </p>
    </Message>
  );
};

/** How it fares, and who answers for it. */
const ScheduleState = (props: { readonly schedule: ScheduleView }): ReactNode => (
  <>
    <ScheduleHealth {...props} />
    <FeedOwner {...props} />
  </>
);

/** Why the last try failed, and that nothing starts the next one. */
const ScheduleTrouble = ({ schedule }: { readonly schedule: ScheduleView }): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.work.feeds;
  const { problem, triedAt, isRunning, isServed, isPaused } = schedule;
  return (
    <>
      {problem === null || isRunning ? null : (
        <p className="error-text">
          {triedAt === null ? null : words.problem(format.time(triedAt, Date.now()))}{" "}
          {problem.message}
        </p>
      )}
      {isServed || isPaused ? null : <p className="muted small">{words.unserved}</p>}
    </>
  );
};

const RESULTS = ["updated", "held", "failed"] as const;

interface LatestRunProps {
  readonly run: FeedRunView;
  readonly name: string;
}

/** What the latest sync came to, with its report and its held rows. */
const LatestRun = ({ run, name }: LatestRunProps): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.work.feeds;
  const report = { page: "run", id: run.id, step: "report" } as const;
  return (
    <>
      <span className="file-facts">
        <span>
          {words.last}: {run.stateText},{" "}
          <time dateTime={run.at} title={format.date(run.at)}>
            {format.ago(run.at, Date.now())}
          </time>
        </span>
        {RESULTS.filter((key) => key === "updated" || run[key] > 0).map((key) => (
          <span key={key}>
            <b className="number">{format.number(run[key])}</b>{" "}
            {run.isDryRun ? words.past.planned[key] : words.results[key]}
          </span>
        ))}
        <Link to={report}>
          {words.report}
          <span className="unseen"> {name}</span>
        </Link>
      </span>
      {run.held === 0 || run.isDryRun ? null : (
        <span className="file-facts">
          <Link to={report}>{words.heldRows(run.held)}</Link>
        </span>
      )}
    </>
  );
};

interface FeedItemProps {
  readonly feed: FeedView;
  readonly children: ReactNode;
}

/** One feed with its schedule and result; its buttons come from the list. */
const FeedItem = ({ feed, children }: FeedItemProps): ReactNode => {
  const words = usePage().texts.work.feeds;
  const { schedule, run, name, place } = feed;
  const state = stateOf(schedule);
  const isHealthy = schedule?.health.isHealthy ?? true;
  return (
    <li className={isHealthy ? "made-file" : "made-file feed-unhealthy"}>
      <div className="made-file-text">
        <span className="file-facts">
          <strong className="feed-name">{name}</strong>
          <span className={BADGES[state]}>
            {state === "running" ? <span className="spinner" aria-hidden="true" /> : null}
            {words.states[state]}
          </span>
          {schedule?.isShadow === true ? (
            <span className="badge badge-warning">{words.past.badge}</span>
          ) : null}
        </span>
        {schedule === null ? null : <ScheduleState schedule={schedule} />}
        {run === null ? null : <LatestRun run={run} name={name} />}
        {schedule === null ? null : <ScheduleTrouble schedule={schedule} />}
        {schedule === null ? null : <ScheduleFacts schedule={schedule} />}
        {place === name ? null : <span className="muted small feed-place">{place}</span>}
      </div>
      {children}
    </li>
  );
};

interface FeedQuestionProps {
  readonly title: string;
  readonly label: string;
  readonly order: FeedChange;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Asks before something is done with a feed that cannot be taken back. */
const FeedQuestion = ({ title, label, order, onClose, children }: FeedQuestionProps): ReactNode => {
  const change = useFeedChange();
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      confirm={{
        kind: "danger",
        isBusy: change.isPending,
        onPress: () => change.mutate(order, { onSuccess: onClose }),
        children: label,
      }}
    >
      {children}
      <Failure error={change.error} />
    </Dialog>
  );
};

interface FeedWindowProps extends Pick<FeedActionsProps, "feed" | "schedule"> {
  readonly asked: Asked | null;
  readonly onClose: () => void;
}

/** The window of a button that asks for more than a yes. */
const FeedWindow = ({ feed, schedule, asked, onClose }: FeedWindowProps): ReactNode => {
  const { id } = schedule;
  if (asked === "history") return <HistoryDialog feed={feed} id={id} onClose={onClose} />;
  if (asked === "shadow") return <ShadowDialog feed={feed} id={id} onClose={onClose} />;
  if (asked === "change") return <ChangeFeedDialog feed={feed} id={id} onClose={onClose} />;
  if (asked !== "owner") return null;
  return <HandOverDialog schedule={schedule} name={feed.name} onClose={onClose} />;
};

/** A feed with its buttons, and the window that one of them has opened. */
const ListedFeed = ({ feed }: { readonly feed: FeedView }): ReactNode => {
  const { schedule } = feed;
  const words = usePage().texts.work.feeds;
  const change = useFeedChange();
  const [asked, setAsked] = useState<Asked | null>(null);
  if (schedule === null) return <FeedItem feed={feed}>{null}</FeedItem>;
  const { id, doubt } = schedule;
  const close = (): void => setAsked(null);
  return (
    <FeedItem feed={feed}>
      <FeedActions
        feed={feed}
        schedule={schedule}
        underWay={change.isPending ? change.variables.act : undefined}
        onAct={(act) => change.mutate({ act, id })}
        onAsk={setAsked}
      />
      <Failure error={change.error} />
      {asked === "allow" && doubt !== null ? (
        <FeedQuestion
          title={doubt === "form" ? words.acceptTitle : words.allowTitle}
          label={doubt === "form" ? words.accept : words.allow}
          order={{ act: "run", id, allow: doubt }}
          onClose={close}
        >
          <p>{schedule.problem?.message}</p>
          <p>{words.allowQuestion[doubt]}</p>
        </FeedQuestion>
      ) : null}
      <FeedWindow feed={feed} schedule={schedule} asked={asked} onClose={close} />
      {asked === "remove" ? (
        <FeedQuestion
          title={words.removeTitle}
          label={words.remove}
          order={{ act: "remove", id }}
          onClose={close}
        >
          <p>{words.removeQuestion(feed.name)}</p>
        </FeedQuestion>
      ) : null}
    </FeedItem>
  );
};

export const Feeds = (): ReactNode => {
  const words = usePage().texts.work.feeds;
  const [isAdding, setIsAdding] = useState(false);
  return (
    <TitledScreen
      title={words.title}
      intro={words.intro}
      action={
        <OnlyFor role="approver">
          <Button kind="primary" onPress={() => setIsAdding(true)}>
            {words.add}
          </Button>
        </OnlyFor>
      }
    >
      {isAdding ? <AddFeedDialog onClose={() => setIsAdding(false)} /> : null}
      <Loaded query={useFeeds()}>
        {(feeds) => (
          <List
            className="made-files"
            none={
              <>
                <strong>{words.empty}</strong> {words.example}
              </>
            }
            items={feeds.map((feed) => (
              <ListedFeed key={feed.key} feed={feed} />
            ))}
          />
        )}
      </Loaded>
      <p className="muted small">{words.served}</p>
    </TitledScreen>
  );
};
