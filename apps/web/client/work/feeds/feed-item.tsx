import type { ReactNode } from "react";

import type { FeedRunView, FeedView, ScheduleView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { Link } from "../../ui/link.tsx";
import { Message } from "../../ui/message.tsx";

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
        <span>
          {schedule.timesText}
          {timeZone === HOME_ZONE ? null : ` ${words.inZone(timeZone)}`}
        </span>
        {nextAt === null ? null : (
          <time dateTime={nextAt}>{words.next(format.time(nextAt, now))}</time>
        )}
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
        {isNew ? null : <span className="badge badge-success">{words.healthy}</span>}
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
            <b className="number">{format.number(run[key])}</b> {words.results[key]}
          </span>
        ))}
        <Link to={report}>
          {words.report}
          <span className="unseen"> {name}</span>
        </Link>
      </span>
      {run.held === 0 ? null : (
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
export const FeedItem = ({ feed, children }: FeedItemProps): ReactNode => {
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
        </span>
        {place === name ? null : <span className="muted small">{place}</span>}
        {schedule === null ? null : <ScheduleHealth schedule={schedule} />}
        {schedule === null ? null : <ScheduleFacts schedule={schedule} />}
        {schedule === null ? null : <ScheduleTrouble schedule={schedule} />}
        {run === null ? null : <LatestRun run={run} name={name} />}
      </div>
      {children}
    </li>
  );
};
