import { type ReactNode, useState } from "react";

import type { FeedOptions, FeedView } from "../../../src/api/index.ts";
import { useFeedChange, useFeedCheck } from "../../lib/feed-queries.ts";
import { usePage } from "../../lib/page.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Failure } from "../../ui/message.tsx";
import { FeedSample } from "./feed-sample.tsx";
import { OptionsFields } from "./options-fields.tsx";
import { TimesFields } from "./times-fields.tsx";
import { toCron, toTimes } from "./times.ts";

const NEW_OPTIONS: FeedOptions = {
  sheet: "",
  decimal: "",
  priceUnit: "",
  maxAgeHours: 48,
  allowHost: "",
};

const useForm = (feed: FeedView | null) => {
  const known = feed?.schedule;
  const [times, onTimes] = useState(toTimes(known?.cron ?? "*/15 * * * *"));
  const [zone, onZone] = useState(known?.timeZone ?? "Europe/Istanbul");
  const [options, onOptions] = useState(known?.options ?? NEW_OPTIONS);
  return { times, onTimes, zone, onZone, options, onOptions };
};

interface DialogProps {
  readonly onClose: () => void;
}

interface FeedDialogProps extends DialogProps {
  readonly title: string;
  /** Label of the button that saves. */
  readonly save: string;
  readonly isSaving: boolean;
  readonly isReady: boolean;
  readonly onSave: () => void;
  readonly children: ReactNode;
}

const FeedDialog = (props: FeedDialogProps): ReactNode => (
  <Dialog
    title={props.title}
    isOpen
    isWide
    onClose={props.onClose}
    actions={
      <Button
        kind="primary"
        isDisabled={!props.isReady}
        isBusy={props.isSaving}
        onPress={props.onSave}
      >
        {props.save}
      </Button>
    }
  >
    <div className="stack">{props.children}</div>
  </Dialog>
);

interface CheckFeedProps {
  readonly feed: string;
  readonly options: FeedOptions;
  readonly check: ReturnType<typeof useFeedCheck>;
}

/** Reads the source, and shows how it was understood. */
const CheckFeed = ({ feed, options, check }: CheckFeedProps): ReactNode => {
  const words = usePage().texts.work.feeds.form;
  return (
    <>
      <div className="line">
        <Button
          isDisabled={feed === ""}
          isBusy={check.isPending}
          onPress={() => check.mutate({ feed, options })}
        >
          {check.isPending ? words.checking : words.check}
        </Button>
        {check.isIdle ? <span className="muted small">{words.checkFirst}</span> : null}
      </div>
      <div aria-live="polite">
        {check.data === undefined ? null : <FeedSample sample={check.data} />}
      </div>
      <Failure error={check.error} />
    </>
  );
};

/** Adds a source: it is read and shown before it can be added. */
export const AddFeedDialog = ({ onClose }: DialogProps): ReactNode => {
  const words = usePage().texts.work.feeds.form;
  const form = useForm(null);
  const [typed, setTyped] = useState("");
  const check = useFeedCheck();
  const change = useFeedChange();
  const feed = typed.trim();
  const cron = toCron(form.times);
  const save = (): void => {
    const body = { feed, cron, timeZone: form.zone, options: form.options };
    change.mutate({ act: "add", body }, { onSuccess: onClose });
  };
  const unchecked =
    <Value,>(set: (value: Value) => void) =>
    (value: Value): void => {
      set(value);
      check.reset();
    };
  return (
    <FeedDialog
      title={words.addTitle}
      save={change.isPending ? words.saving : words.save}
      isSaving={change.isPending}
      isReady={check.isSuccess && cron !== ""}
      onSave={save}
      onClose={onClose}
    >
      <TextField
        label={words.feed}
        hint={words.feedHint}
        value={typed}
        onChange={unchecked(setTyped)}
      />
      <CheckFeed feed={feed} options={form.options} check={check} />
      <TimesFields
        times={form.times}
        zone={form.zone}
        onTimes={form.onTimes}
        onZone={form.onZone}
      />
      <OptionsFields options={form.options} onChange={unchecked(form.onOptions)} />
      <Failure error={change.error} />
    </FeedDialog>
  );
};

interface ChangeFeedDialogProps extends DialogProps {
  readonly feed: FeedView;
  readonly id: string;
}

/** Changes times and settings; the source stays, as its address is not shown whole. */
export const ChangeFeedDialog = ({ feed, id, onClose }: ChangeFeedDialogProps): ReactNode => {
  const words = usePage().texts.work.feeds.form;
  const form = useForm(feed);
  const change = useFeedChange();
  const cron = toCron(form.times);
  const save = (): void => {
    const body = { cron, timeZone: form.zone, options: form.options };
    change.mutate({ act: "change", id, body }, { onSuccess: onClose });
  };
  return (
    <FeedDialog
      title={words.changeTitle}
      save={change.isPending ? words.savingChange : words.saveChange}
      isSaving={change.isPending}
      isReady={cron !== ""}
      onSave={save}
      onClose={onClose}
    >
      <p className="feed-place">{feed.place}</p>
      <TimesFields
        times={form.times}
        zone={form.zone}
        onTimes={form.onTimes}
        onZone={form.onZone}
      />
      <OptionsFields options={form.options} onChange={form.onOptions} />
      <Failure error={change.error} />
    </FeedDialog>
  );
};
