import { type ReactNode, useState } from "react";

import type { FeedView } from "../../../src/api/index.ts";
import { type FeedChange, useFeedChange, useFeeds } from "../../lib/feed-queries.ts";
import { usePage } from "../../lib/page.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Failure } from "../../ui/message.tsx";
import { FeedActions } from "./feed-actions.tsx";
import { AddFeedDialog, ChangeFeedDialog } from "./feed-dialog.tsx";
import { FeedItem } from "./feed-item.tsx";

interface FeedQuestionProps {
  readonly title: string;
  /** On the button that does it. */
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
      actions={
        <Button
          kind="danger"
          isBusy={change.isPending}
          onPress={() => change.mutate(order, { onSuccess: onClose })}
        >
          {label}
        </Button>
      }
    >
      {children}
      <Failure error={change.error} />
    </Dialog>
  );
};

type Asked = "allow" | "change" | "remove";

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
        onChange={() => setAsked("change")}
        onAllow={() => setAsked("allow")}
        onRemove={() => setAsked("remove")}
      />
      <Failure error={change.error} />
      {asked === "allow" && doubt !== null ? (
        <FeedQuestion
          title={words.allowTitle}
          label={words.allow}
          order={{ act: "run", id, allow: doubt }}
          onClose={close}
        >
          <p>{schedule.problem?.message}</p>
          <p>{words.allowQuestion[doubt]}</p>
        </FeedQuestion>
      ) : null}
      {asked === "change" ? <ChangeFeedDialog feed={feed} id={id} onClose={close} /> : null}
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

/** Files and links that are synced, with their times and results. */
export const Feeds = (): ReactNode => {
  const words = usePage().texts.work.feeds;
  const [isAdding, setIsAdding] = useState(false);
  return (
    <section className="stack">
      <h1>{words.title}</h1>
      <p className="lead">{words.intro}</p>
      <div>
        <Button kind="primary" onPress={() => setIsAdding(true)}>
          {words.add}
        </Button>
      </div>
      {isAdding ? <AddFeedDialog onClose={() => setIsAdding(false)} /> : null}
      <Loaded query={useFeeds()}>
        {(feeds) =>
          feeds.length === 0 ? (
            <p className="empty">{words.empty}</p>
          ) : (
            <ul className="made-files">
              {feeds.map((feed) => (
                <ListedFeed key={feed.key} feed={feed} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <p className="muted small">{words.served}</p>
    </section>
  );
};
