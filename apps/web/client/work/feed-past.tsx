/** What the syncs of a feed came to, and what a schedule in shadow would have sent. */

import type { ReactNode } from "react";

import type {
  FeedHistoryView,
  FeedSyncView,
  FeedView,
  ShadowDayView,
  ShadowView,
} from "../../src/api/index.ts";
import { usePage } from "../lib/page.tsx";
import { useFeedChange, useRead } from "../lib/queries.ts";
import { Link } from "../ui/controls.tsx";
import { Dialog, Failure, Loaded } from "../ui/messages.tsx";
import { Download, List, TableHead } from "../ui/sections.tsx";

interface PastDialogProps {
  readonly feed: FeedView;
  /** Id of its schedule. */
  readonly id: string;
  readonly onClose: () => void;
}

const pathOf = (id: string, what: string): string =>
  `/api/schedules/${encodeURIComponent(id)}/${what}`;

const COUNTS = ["updated", "unchanged", "held", "failed"] as const;

/** How many rows became what; what a dry run would have sent is worded so. */
const SyncCounts = ({ sync }: { readonly sync: FeedSyncView }): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.work.feeds.past;
  const { counts, kind, times, problem } = sync;
  if (problem !== null) return <span className="error-text">{problem}</span>;
  if (counts === null) return <span>{words.unchanged(times)}</span>;
  const names = kind === "sync" ? words.counts : words.planned;
  return (
    <span className="file-facts">
      {COUNTS.filter((key) => key === "updated" || counts[key] > 0).map((key) => (
        <span key={key}>
          <b className="number">{format.number(counts[key])}</b> {names[key]}
        </span>
      ))}
    </span>
  );
};

const PastSync = ({ sync }: { readonly sync: FeedSyncView }): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.work.feeds.past;
  const { kind, at, endAt, times, run, dataAt } = sync;
  const isMarked = kind === "refused" || kind === "shadow" || kind === "dry-run";
  return (
    <li className="made-file">
      <div className="made-file-text">
        <span className="file-facts">
          <time dateTime={at}>{format.date(at)}</time>
          {times > 1 && endAt !== null ? (
            <time dateTime={endAt}>– {format.date(endAt)}</time>
          ) : null}
          {isMarked ? <span className="badge badge-warning">{words.kinds[kind]}</span> : null}
        </span>
        <SyncCounts sync={sync} />
        <span className="file-facts muted small">
          {dataAt === null ? null : <span>{words.data(format.date(dataAt))}</span>}
          {run === null ? null : (
            <Link to={{ page: "run", id: run, step: "report" }}>{words.report}</Link>
          )}
        </span>
      </div>
    </li>
  );
};

/** The syncs of a feed, the newest first. */
export const HistoryDialog = ({ feed, id, onClose }: PastDialogProps): ReactNode => {
  const words = usePage().texts.work.feeds.past;
  const query = useRead<FeedHistoryView>(`feed-history-${id}`, pathOf(id, "history"));
  return (
    <Dialog title={words.historyTitle(feed.name)} isOpen size="wide" onClose={onClose}>
      <Loaded query={query}>
        {({ syncs, hasMore }) => (
          <>
            <List
              className="made-files"
              none={words.none}
              items={syncs.map((sync) => (
                <PastSync key={`${sync.kind} ${sync.at}`} sync={sync} />
              ))}
            />
            {hasMore ? <p className="muted small">{words.more}</p> : null}
          </>
        )}
      </Loaded>
    </Dialog>
  );
};

/** The changes of a day, as a table that scrolls by itself. */
const ShadowChanges = ({ day }: { readonly day: ShadowDayView }): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.work.feeds.past;
  if (day.changes.length === 0) return <p className="muted">{words.noChanges}</p>;
  const { code, field, old, now, what } = words.columns;
  return (
    <>
      <div className="scroll changes" role="region" aria-label={day.day} tabIndex={0}>
        <table className="table">
          <TableHead columns={[code, field, old, now, what]} />
          <tbody>
            {day.changes.map((change) => (
              <tr key={`${change.code} ${change.field} ${change.new} ${String(change.isHeld)}`}>
                <td>{change.code}</td>
                <td>{change.field}</td>
                <td>{change.old}</td>
                <td>{change.new}</td>
                <td>{change.isHeld ? `${words.wouldHold}: ${change.reason}` : words.wouldSend}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {day.more > 0 ? (
        <p className="muted small">{words.moreChanges(format.number(day.more))}</p>
      ) : null}
    </>
  );
};

const ShadowDay = ({ day }: { readonly day: ShadowDayView }): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.work.feeds.past;
  const { updated, held, wrong } = day;
  return (
    <details>
      <summary>
        {day.day}: {words.day(day.syncs, updated, held)}
        {wrong > 0 ? `, ${words.wrong(wrong)}` : ""}
        {day.refused.length > 0 ? `, ${words.refusals(day.refused.length)}` : ""}
      </summary>
      {day.refused.map(({ at, message }) => (
        <p key={at} className="error-text">
          {format.time(at, Date.now())} {message}
        </p>
      ))}
      <ShadowChanges day={day} />
    </details>
  );
};

const ShadowPlan = ({ plan }: { readonly plan: NonNullable<ShadowView["plan"]> }): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.work.feeds.past;
  return (
    <section className="stack">
      <h3>{words.planTitle(format.date(plan.at))}</h3>
      <p>{words.planText}</p>
      <ShadowChanges day={plan} />
    </section>
  );
};

/** Day by day what would have been sent and held, and the button that lets the schedule send. */
export const ShadowDialog = ({ feed, id, onClose }: PastDialogProps): ReactNode => {
  const { texts, lang } = usePage();
  const words = texts.work.feeds.past;
  const query = useRead<ShadowView>(`feed-shadow-${id}`, pathOf(id, "shadow"));
  const change = useFeedChange();
  const goLive = (): void => change.mutate({ act: "live", id }, { onSuccess: onClose });
  const canGoLive = query.data?.isShadow === true && query.data.plan !== null;
  return (
    <Dialog
      title={words.shadowTitle(feed.name)}
      isOpen
      size="wide"
      onClose={onClose}
      confirm={{
        isDisabled: !canGoLive,
        isBusy: change.isPending,
        onPress: goLive,
        children: words.goLive,
      }}
    >
      <Loaded query={query}>
        {({ days, plan }) => (
          <div className="stack">
            <p>{words.shadowText}</p>
            {plan === null ? <p>{words.noPlan}</p> : <ShadowPlan plan={plan} />}
            {days.map((day) => (
              <ShadowDay key={day.day} day={day} />
            ))}
            {days.length === 0 ? null : (
              <div>
                <Download href={`${pathOf(id, "shadow/file")}?lang=${lang}`}>
                  {words.workbook}
                </Download>
              </div>
            )}
          </div>
        )}
      </Loaded>
      <Failure error={change.error} />
    </Dialog>
  );
};
