import type { ReactNode } from "react";

import type { FeedView, ScheduleView } from "../../../src/api/index.ts";
import type { FeedChange } from "../../lib/feed-queries.ts";
import { usePage } from "../../lib/page.tsx";
import { Button } from "../../ui/button.tsx";

interface FeedActionsProps {
  readonly feed: FeedView;
  readonly schedule: ScheduleView;
  /** What is being done to this feed. */
  readonly underWay: FeedChange["act"] | undefined;
  readonly onAct: (act: "run" | "pause" | "resume") => void;
  readonly onChange: () => void;
  readonly onAllow: () => void;
  readonly onRemove: () => void;
}

/** What a person may do with a feed; that of a command is changed where the command is. */
export const FeedActions = (props: FeedActionsProps): ReactNode => {
  const words = usePage().texts.work.feeds;
  const { feed, schedule, underWay, onAct } = props;
  const { isPaused, madeBy } = schedule;
  const pause = isPaused ? "resume" : "pause";
  const pauseName = isPaused ? words.resumeName(feed.name) : words.pauseName(feed.name);
  return (
    <div className="line">
      <Button
        isBusy={schedule.isRunning || underWay === "run"}
        label={words.runName(feed.name)}
        onPress={() => onAct("run")}
      >
        {words.run}
      </Button>
      {schedule.doubt === null ? null : (
        <Button label={words.allowName(feed.name)} onPress={props.onAllow}>
          {words.allow}
        </Button>
      )}
      <Button
        kind="quiet"
        icon={isPaused ? "play" : "pause"}
        isBusy={underWay === pause}
        label={pauseName}
        onPress={() => onAct(pause)}
      >
        {words[pause]}
      </Button>
      {madeBy === "page" ? (
        <Button
          kind={schedule.isAsking ? "primary" : "quiet"}
          label={schedule.isAsking ? words.answerName(feed.name) : words.changeName(feed.name)}
          onPress={props.onChange}
        >
          {schedule.isAsking ? words.answer : words.change}
        </Button>
      ) : null}
      {madeBy === "page" || !schedule.isServed ? (
        <Button
          kind="quiet"
          icon="close"
          label={words.removeName(feed.name)}
          onPress={props.onRemove}
        >
          {words.remove}
        </Button>
      ) : null}
    </div>
  );
};
