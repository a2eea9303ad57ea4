import type { ReactNode } from "react";

import type { FeedView } from "../../src/api/index.ts";
import { usePage } from "../lib/page.tsx";
import { useFeeds } from "../lib/work-queries.ts";
import { Link } from "../ui/link.tsx";
import { Loaded } from "../ui/loaded.tsx";

const FeedRow = ({ feed }: { readonly feed: FeedView }): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.work.feeds;
  const counts = [
    { label: words.updated, count: feed.updated },
    { label: words.held, count: feed.held },
    { label: words.failed, count: feed.failed },
  ];
  return (
    <tr>
      <th scope="row">{feed.name}</th>
      <td data-label={words.when}>
        <time dateTime={feed.lastAt} title={format.date(feed.lastAt)}>
          {format.ago(feed.lastAt, Date.now())}
        </time>
      </td>
      <td data-label={words.state}>{feed.stateText}</td>
      {counts.map(({ label, count }) => (
        <td key={label} data-label={label} className="number">
          {format.number(count)}
        </td>
      ))}
      <td>
        <Link to={{ page: "run", id: feed.lastRun, step: "report" }}>
          {words.open}
          <span className="unseen"> {feed.name}</span>
        </Link>
      </td>
    </tr>
  );
};

const FeedTable = ({ feeds }: { readonly feeds: readonly FeedView[] }): ReactNode => {
  const words = usePage().texts.work.feeds;
  const headers = [words.name, words.when, words.state, words.updated, words.held, words.failed];
  return (
    <table className="table work-table">
      <thead>
        <tr>
          {headers.map((header) => (
            <th key={header} scope="col">
              {header}
            </th>
          ))}
          <td />
        </tr>
      </thead>
      <tbody>
        {feeds.map((feed) => (
          <FeedRow key={feed.key} feed={feed} />
        ))}
      </tbody>
    </table>
  );
};

/** Files that are synced, with their latest runs. */
export const Feeds = (): ReactNode => {
  const words = usePage().texts.work.feeds;
  return (
    <section className="stack">
      <h1>{words.title}</h1>
      <p className="lead">{words.intro}</p>
      <Loaded query={useFeeds()}>
        {(feeds) =>
          feeds.length === 0 ? <p className="empty">{words.empty}</p> : <FeedTable feeds={feeds} />
        }
      </Loaded>
      <div className="card stack-tight">
        <p>{words.schedule}</p>
        <p>
          <code className="command">{words.command}</code>
        </p>
      </div>
    </section>
  );
};
