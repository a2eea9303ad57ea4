import { type ReactNode, useState } from "react";

import type { FeedDoubt, FeedView } from "../../../src/api/index.ts";
import { useFeedChange, useFeeds } from "../../lib/feed-queries.ts";
import { usePage } from "../../lib/page.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Failure } from "../../ui/message.tsx";
import { FeedActions } from "./feed-actions.tsx";
import { AddFeedDialog, ChangeFeedDialog } from "./feed-dialog.tsx";
import { FeedItem } from "./feed-item.tsx";

interface FeedQuestionProps {
  readonly feed: FeedView;
  readonly id: string;
  readonly onClose: () => void;
}

const RemoveFeedDialog = ({ feed, id, onClose }: FeedQuestionProps): ReactNode => {
  const words = usePage().texts.work.feeds;
  const change = useFeedChange();
  return (
    <Dialog
      title={words.removeTitle}
      isOpen
      onClose={onClose}
      actions={
        <Button
          kind="danger"
          isBusy={change.isPending}
          onPress={() => change.mutate({ act: "remove", id }, { onSuccess: onClose })}
        >
          {words.remove}
        </Button>
      }
    >
      <p>{words.removeQuestion(feed.name)}</p>
      <Failure error={change.error} />
    </Dialog>
  );
};

interface AllowFeedDialogProps extends FeedQuestionProps {
  readonly doubt: FeedDoubt;
}

/** Asks before a feed is taken that was refused as doubtful. */
const AllowFeedDialog = ({ feed, id, doubt, onClose }: AllowFeedDialogProps): ReactNode => {
  const words = usePage().texts.work.feeds;
  const change = useFeedChange();
  return (
    <Dialog
      title={words.allowTitle}
      isOpen
      onClose={onClose}
      actions={
        <Button
          kind="danger"
          isBusy={change.isPending}
          onPress={() => change.mutate({ act: "run", id, allow: doubt }, { onSuccess: onClose })}
        >
          {words.allow}
        </Button>
      }
    >
      <p>{feed.schedule?.problem?.message}</p>
      <p>{words.allowQuestion[doubt]}</p>
      <Failure error={change.error} />
    </Dialog>
  );
};

type Asked = "allow" | "change" | "remove";

/** A feed with its buttons, and the window that one of them has opened. */
const ListedFeed = ({ feed }: { readonly feed: FeedView }): ReactNode => {
  const { schedule } = feed;
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
        <AllowFeedDialog feed={feed} id={id} doubt={doubt} onClose={close} />
      ) : null}
      {asked === "change" ? <ChangeFeedDialog feed={feed} id={id} onClose={close} /> : null}
      {asked === "remove" ? <RemoveFeedDialog feed={feed} id={id} onClose={close} /> : null}
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
