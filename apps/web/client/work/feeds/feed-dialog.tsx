import { type ReactNode, useEffect, useRef, useState } from "react";

import type { FeedOptions, FeedSampleView, FeedView } from "../../../src/api/index.ts";
import { type FeedSource, useFeedChange, useFeedCheck } from "../../lib/feed-queries.ts";
import { usePage } from "../../lib/page.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Failure } from "../../ui/message.tsx";
import { countOpen } from "./feed-questions.ts";
import { FeedSample } from "./feed-sample.tsx";
import { FileChooser } from "./file-chooser.tsx";
import { OptionsFields } from "./options-fields.tsx";
import { TimesFields } from "./times-fields.tsx";
import { toCron, toTimes } from "./times.ts";

const NEW_OPTIONS: FeedOptions = {
  sheet: "",
  encoding: "",
  columns: {},
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

/** The feed as it was read last, and the answers with which it is read again. */
const useReading = (source: FeedSource, form: ReturnType<typeof useForm>) => {
  const check = useFeedCheck();
  const [sample, setSample] = useState<FeedSampleView | null>(null);
  const [dropped, onDrop] = useState<readonly string[]>([]);
  const read = (options: FeedOptions): void =>
    check.mutate({ source, options }, { onSuccess: setSample, onError: () => setSample(null) });
  const lost = new Set(sample?.lost.map(({ field }) => field));
  return {
    check,
    sample,
    dropped: dropped.filter((field) => lost.has(field)),
    onDrop,
    /** Whether it may be saved; `undefined` before it is read. */
    isSettled: sample === null ? undefined : countOpen(sample, dropped) === 0,
    read: () => read(form.options),
    forget: (): void => {
      check.reset();
      setSample(null);
    },
    answer: (change: Partial<FeedOptions>): void => {
      const options = { ...form.options, ...change };
      form.onOptions(options);
      read(options);
    },
    /** What is saved: answers for earlier files are those of this feed from now on. */
    options: sample === null ? form.options : { ...form.options, columns: sample.answers },
  };
};

type Reading = ReturnType<typeof useReading>;

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
  readonly canRead: boolean;
  readonly reading: Reading;
  /** What to do before the feed was read; empty where it need not be. */
  readonly advice: string;
}

/** Reads the source, shows how it was understood, and asks what it leaves open. */
const CheckFeed = ({ canRead, reading, advice }: CheckFeedProps): ReactNode => {
  const words = usePage().texts.work.feeds.form;
  const { check, sample } = reading;
  return (
    <>
      <div className="line">
        <Button isDisabled={!canRead} isBusy={check.isPending} onPress={reading.read}>
          {check.isPending ? words.checking : words.check}
        </Button>
        {check.isIdle ? <span className="muted small">{advice}</span> : null}
      </div>
      <div aria-live="polite">
        {sample === null ? null : (
          <FeedSample
            sample={sample}
            options={reading.options}
            dropped={reading.dropped}
            onAnswer={reading.answer}
            onDrop={reading.onDrop}
          />
        )}
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
  const feed = typed.trim();
  const reading = useReading({ feed }, form);
  const change = useFeedChange();
  const cron = toCron(form.times);
  const save = (): void => {
    const { options, dropped } = reading;
    const body = { feed, cron, timeZone: form.zone, options, dropped };
    change.mutate({ act: "add", body }, { onSuccess: onClose });
  };
  const unchecked =
    <Value,>(set: (value: Value) => void) =>
    (value: Value): void => {
      set(value);
      reading.forget();
    };
  return (
    <FeedDialog
      title={words.addTitle}
      save={change.isPending ? words.saving : words.save}
      isSaving={change.isPending}
      isReady={reading.isSettled === true && !reading.check.isPending && cron !== ""}
      onSave={save}
      onClose={onClose}
    >
      <TextField
        label={words.feed}
        hint={words.feedHint}
        value={typed}
        onChange={unchecked(setTyped)}
      />
      <FileChooser onChoose={unchecked(setTyped)} />
      <CheckFeed canRead={feed !== ""} reading={reading} advice={words.checkFirst} />
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
  const reading = useReading({ id }, form);
  const change = useFeedChange();
  const cron = toCron(form.times);
  const isAsking = feed.schedule?.isAsking === true;
  const { read } = reading;
  const isRead = useRef(false);
  useEffect(() => {
    // A sync was refused for what is asked here, so the questions are shown at once.
    if (!isAsking || isRead.current) return;
    isRead.current = true;
    read();
  }, [isAsking, read]);
  const save = (): void => {
    const { options, dropped } = reading;
    const body = { cron, timeZone: form.zone, options, dropped };
    change.mutate({ act: "change", id, body }, { onSuccess: onClose });
  };
  return (
    <FeedDialog
      title={words.changeTitle}
      save={change.isPending ? words.savingChange : words.saveChange}
      isSaving={change.isPending}
      isReady={(reading.isSettled ?? !isAsking) && !reading.check.isPending && cron !== ""}
      onSave={save}
      onClose={onClose}
    >
      <p className="feed-place">{feed.place}</p>
      <CheckFeed canRead reading={reading} advice={words.checkAgain} />
      <TimesFields
        times={form.times}
        zone={form.zone}
        onTimes={form.onTimes}
        onZone={form.onZone}
      />
      <OptionsFields
        options={form.options}
        onChange={(options) => {
          form.onOptions(options);
          reading.forget();
        }}
      />
      <Failure error={change.error} />
    </FeedDialog>
  );
};
