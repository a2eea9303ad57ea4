/** The forms that add and change a feed. */

import { type ReactNode, useEffect, useRef, useState } from "react";

import type {
  FeedOptions,
  FeedSampleView,
  FeedView,
  FolderEntry,
  FolderView,
} from "../../src/api/index.ts";
import { usePage } from "../lib/page.tsx";
import {
  type FeedSource,
  useFeedChange,
  useFeedCheck,
  useFolder,
  useTimes,
} from "../lib/queries.ts";
import { explainError, RefusedError } from "../lib/requests.ts";
import { TIME_CHOICES, type TimeChoice } from "../texts/time-choices.ts";
import { Button, Icon, SelectField, TextField } from "../ui/controls.tsx";
import { Dialog, Failure } from "../ui/messages.tsx";
import { LoginFields, NO_LOGIN, toLoginBody } from "./feed-login.tsx";
import { countOpen, FeedSample } from "./feed-sample.tsx";

interface Times {
  readonly choice: TimeChoice;
  /** `HH:MM`. */
  readonly at: string;
  readonly own: string;
}

/** The pattern of a choice; empty where the choice is not complete. */
export const toCron = ({ choice, at, own }: Times): string => {
  if (choice === "own") return own.trim();
  const { cron } = TIME_CHOICES.get(choice) ?? {};
  if (cron !== undefined) return cron;
  const [hour = "", minute = ""] = at.split(":");
  return hour === "" || minute === "" ? "" : `${Number(minute)} ${Number(hour)} * * *`;
};

const DAILY = /^(?<minute>\d{1,2}) (?<hour>\d{1,2}) \* \* \*$/u;
const FIRST = { at: "09:00", own: "" };

/** The choice that a pattern stands for. */
export const toTimes = (cron: string): Times => {
  for (const [choice, known] of TIME_CHOICES) {
    if (known.cron === cron) return { ...FIRST, choice };
  }
  const { hour, minute } = DAILY.exec(cron)?.groups ?? {};
  if (hour === undefined || minute === undefined) return { ...FIRST, choice: "own", own: cron };
  return { ...FIRST, choice: "day", at: `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}` };
};

/** Whether the start may be moved by some minutes. */
const isSpread = ({ choice }: Times): boolean => choice !== "day" && choice !== "own";

const HOME_ZONE = "Europe/Istanbul";

const listZones = (): readonly string[] => [
  HOME_ZONE,
  ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== HOME_ZONE),
];

interface TimesFieldsProps {
  readonly times: Times;
  readonly zone: string;
  readonly onTimes: (times: Times) => void;
  readonly onZone: (zone: string) => void;
}

/** The first times in words, or why there are none. */
const FirstTimes = ({ times, zone }: Pick<TimesFieldsProps, "times" | "zone">): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.work.feeds.form;
  const { data, error } = useTimes({ cron: toCron(times), timeZone: zone });
  if (error !== null) return <p className="error-text">{explainError(error, texts)}</p>;
  if (data === undefined || toCron(times) === "") return null;
  return (
    <p className="muted small">
      {words.first(data.next.map((time) => format.date(time)).join(" · "))}{" "}
      {isSpread(times) ? words.spread : null}
    </p>
  );
};

/** When a feed is synced: a simple choice or an own pattern, in a time zone. */
const TimesFields = (props: TimesFieldsProps): ReactNode => {
  const { lang, texts } = usePage();
  const words = texts.work.feeds.form;
  const { times, zone, onTimes, onZone } = props;
  const choose = (value: string): void => {
    const choice = [...TIME_CHOICES.keys()].find((each) => each === value);
    if (choice !== undefined) onTimes({ ...times, choice });
  };
  return (
    <div className="stack-tight">
      <div className="form-grid">
        <SelectField
          label={words.times}
          value={times.choice}
          choices={[...TIME_CHOICES].map(([value, { label }]) => ({ value, label: label[lang] }))}
          onChange={choose}
        />
        {times.choice === "day" ? (
          <TextField
            label={words.at}
            type="time"
            value={times.at}
            onChange={(at) => onTimes({ ...times, at })}
          />
        ) : null}
        {times.choice === "own" ? (
          <TextField
            label={words.own}
            hint={words.ownHint}
            value={times.own}
            onChange={(own) => onTimes({ ...times, own })}
          />
        ) : null}
        <SelectField
          label={words.zone}
          value={zone}
          choices={listZones().map((value) => ({ value, label: value.replaceAll("_", " ") }))}
          onChange={onZone}
        />
      </div>
      <FirstTimes times={times} zone={zone} />
    </div>
  );
};

const MODES = ["live", "shadow"] as const;

interface OptionsFieldsProps {
  readonly options: FeedOptions;
  readonly onChange: (options: FeedOptions) => void;
}

const DECIMALS = ["", "comma", "point"] as const;
/** Encodings of Turkish texts, the most frequent first. */
const ENCODINGS = ["utf-8", "windows-1254", "iso-8859-9", "cp857", "macturkish"] as const;
const PRICE_UNITS = ["", "minor", "major"] as const;
const ADD_POLICIES = ["never", "draft", "send"] as const;
const ABSENT_POLICIES = ["keep", "zero", "hold"] as const;

/** How a feed is read; folded, as the program finds most of it out by itself. */
const OptionsFields = ({ options, onChange }: OptionsFieldsProps): ReactNode => {
  const { texts } = usePage();
  const words = texts.work.feeds.form;
  const names: Readonly<Record<string, string>> = texts.file.encodings;
  const encodings = new Set(["", ...ENCODINGS, options.encoding]);
  const set = (change: Partial<FeedOptions>): void => onChange({ ...options, ...change });
  return (
    <details>
      <summary>{words.options}</summary>
      <div className="form-grid">
        <SelectField
          label={words.decimal}
          value={options.decimal}
          choices={DECIMALS.map((value) => ({ value, label: words.decimals[value] }))}
          onChange={(text) => set({ decimal: DECIMALS.find((one) => one === text) ?? "" })}
        />
        <SelectField
          label={words.priceUnit}
          value={options.priceUnit}
          choices={PRICE_UNITS.map((value) => ({ value, label: words.priceUnits[value] }))}
          onChange={(text) => set({ priceUnit: PRICE_UNITS.find((one) => one === text) ?? "" })}
        />
        <SelectField
          label={texts.file.encoding}
          value={options.encoding}
          choices={[...encodings].map((value) => ({
            value,
            label: value === "" ? texts.file.byItself : (names[value] ?? value),
          }))}
          onChange={(encoding) => set({ encoding })}
        />
        <TextField
          label={words.maxAge}
          hint={words.maxAgeHint}
          type="number"
          value={String(options.maxAgeHours)}
          onChange={(text) => set({ maxAgeHours: Math.max(0, Math.trunc(Number(text))) })}
        />
        <SelectField
          label={words.adds}
          value={options.adds}
          choices={ADD_POLICIES.map((value) => ({ value, label: words.addPolicies[value] }))}
          onChange={(text) => set({ adds: ADD_POLICIES.find((one) => one === text) ?? "never" })}
        />
        <SelectField
          label={words.absent}
          value={options.absent}
          choices={ABSENT_POLICIES.map((value) => ({ value, label: words.absentPolicies[value] }))}
          onChange={(text) =>
            set({ absent: ABSENT_POLICIES.find((one) => one === text) ?? "keep" })
          }
        />
        <TextField
          label={words.sheet}
          hint={words.sheetHint}
          value={options.sheet}
          onChange={(sheet) => set({ sheet })}
        />
        <TextField
          label={words.record}
          hint={words.recordHint}
          value={options.record}
          onChange={(record) => set({ record })}
        />
        <TextField
          label={words.host}
          hint={words.hostHint}
          value={options.allowHost}
          onChange={(allowHost) => set({ allowHost })}
        />
      </div>
    </details>
  );
};

interface ChooserProps {
  /** Takes the path of a file, or of a folder whose newest file is taken. */
  readonly onChoose: (path: string) => void;
}

interface FolderProps extends ChooserProps {
  readonly view: FolderView;
  readonly onOpen: (folder: string) => void;
}

const Entry = ({
  entry,
  onChoose,
  onOpen,
}: Omit<FolderProps, "view"> & { readonly entry: FolderEntry }): ReactNode => {
  const { format } = usePage();
  const { name, path, isFolder, at } = entry;
  return (
    <li>
      <button
        type="button"
        className="folder-entry"
        onClick={() => (isFolder ? onOpen(path) : onChoose(path))}
      >
        <Icon name={isFolder ? "right" : "file"} />
        <span>{name}</span>
        {at === null ? null : <span className="muted small">{format.ago(at, Date.now())}</span>}
      </button>
    </li>
  );
};

const Folder = ({ view, onChoose, onOpen }: FolderProps): ReactNode => {
  const words = usePage().texts.work.feeds.chooser;
  const { folder, parent, entries, recent } = view;
  const list = useRef<HTMLUListElement>(null);
  const first = useRef(folder);
  useEffect(() => {
    // The button that opened the folder is gone with the list before.
    if (first.current !== folder) list.current?.focus();
    first.current = folder;
  }, [folder]);
  return (
    <>
      {recent.length === 0 ? null : (
        <div className="line">
          <span className="muted small">{words.recent}</span>
          {recent.map(({ name, path }) => (
            <button
              key={path}
              type="button"
              className="link"
              title={path}
              onClick={() => onChoose(path)}
            >
              {name}
            </button>
          ))}
        </div>
      )}
      <p className="feed-place">
        <strong>{folder}</strong>
      </p>
      <div className="line">
        {parent === null ? null : (
          <Button kind="quiet" icon="up" onPress={() => onOpen(parent)}>
            {words.parent}
          </Button>
        )}
        <Button kind="quiet" onPress={() => onChoose(folder)}>
          {words.takeFolder}
        </Button>
      </div>
      {entries.length === 0 ? <p className="muted">{words.empty}</p> : null}
      <ul ref={list} tabIndex={-1} className="folder-entries" aria-label={words.list(folder)}>
        {entries.map((entry) => (
          <Entry key={entry.path} entry={entry} onChoose={onChoose} onOpen={onOpen} />
        ))}
      </ul>
    </>
  );
};

/** Lists the folders of this computer, as a browser tells no page the path of a chosen file. */
const FileChooser = ({ onChoose }: ChooserProps): ReactNode => {
  const words = usePage().texts.work.feeds.chooser;
  const [isOpen, setIsOpen] = useState(false);
  const choose = (path: string): void => {
    setIsOpen(false);
    onChoose(path);
  };
  return (
    <>
      <div>
        <Button onPress={() => setIsOpen(!isOpen)}>{isOpen ? words.close : words.open}</Button>
      </div>
      {isOpen ? <OpenChooser onChoose={choose} /> : null}
    </>
  );
};

const OpenChooser = ({ onChoose }: ChooserProps): ReactNode => {
  const [folder, setFolder] = useState("");
  const { data, error } = useFolder(folder);
  return (
    <div className="card stack-tight">
      <Failure error={error} />
      {data === undefined ? null : <Folder view={data} onChoose={onChoose} onOpen={setFolder} />}
    </div>
  );
};

const NEW_OPTIONS: FeedOptions = {
  sheet: "",
  record: "",
  encoding: "",
  columns: {},
  decimal: "",
  priceUnit: "",
  maxAgeHours: 48,
  adds: "never",
  absent: "keep",
  allowHost: "",
  isShadow: false,
};

const useForm = (feed: FeedView | null) => {
  const known = feed?.schedule;
  const [times, onTimes] = useState(toTimes(known?.cron ?? "*/15 * * * *"));
  const [zone, onZone] = useState(known?.timeZone ?? "Europe/Istanbul");
  const [options, onOptions] = useState(known?.options ?? NEW_OPTIONS);
  const [login, onLogin] = useState(NO_LOGIN);
  return { times, onTimes, zone, onZone, options, onOptions, login, onLogin };
};

/** The feed as it was read last, and the answers with which it is read again. */
const useReading = (source: FeedSource, form: ReturnType<typeof useForm>) => {
  const check = useFeedCheck();
  const [sample, setSample] = useState<FeedSampleView | null>(null);
  const [dropped, onDrop] = useState<readonly string[]>([]);
  const login = toLoginBody(form.login);
  const read = (options: FeedOptions): void =>
    check.mutate(
      { source, options, login },
      { onSuccess: setSample, onError: () => setSample(null) },
    );
  const lost = new Set(sample?.lost.map(({ field }) => field));
  return {
    check,
    sample,
    dropped: dropped.filter((field) => lost.has(field)),
    onDrop,
    login,
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

interface FeedDialogProps {
  readonly title: string;
  /** The source, or its address without secret parts. */
  readonly feed: string;
  readonly save: readonly [string, string];
  readonly form: ReturnType<typeof useForm>;
  readonly reading: Reading;
  readonly change: ReturnType<typeof useFeedChange>;
  readonly canRead: boolean;
  /** Whether what was read may be saved. */
  readonly isReady: boolean;
  /** What to do before the feed was read. */
  readonly advice: string;
  readonly onSave: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Reads the source, shows how it was understood, asks what it leaves open, and saves. */
const FeedDialog = (props: FeedDialogProps): ReactNode => {
  const words = usePage().texts.work.feeds.form;
  const { form, reading, change } = props;
  const { check, sample } = reading;
  const isReady = props.isReady && !check.isPending && toCron(form.times) !== "";
  return (
    <Dialog
      title={props.title}
      isOpen
      size="wide"
      onClose={props.onClose}
      confirm={{
        isDisabled: !isReady,
        isBusy: change.isPending,
        onPress: props.onSave,
        children: props.save[change.isPending ? 1 : 0],
      }}
    >
      <div className="stack">
        {props.children}
        <LoginFields
          feed={props.feed}
          login={form.login}
          isAsked={check.error instanceof RefusedError && check.error.code === "E_DOWNLOAD_LOGIN"}
          onChange={(login) => {
            form.onLogin(login);
            reading.forget();
          }}
        />
        <div className="line">
          <Button isDisabled={!props.canRead} isBusy={check.isPending} onPress={reading.read}>
            {check.isPending ? words.checking : words.check}
          </Button>
          {check.isIdle ? <span className="muted small">{props.advice}</span> : null}
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
        <TimesFields
          times={form.times}
          zone={form.zone}
          onTimes={form.onTimes}
          onZone={form.onZone}
        />
        <SelectField
          label={words.mode}
          hint={words.modeHint}
          value={form.options.isShadow ? "shadow" : "live"}
          choices={MODES.map((value) => ({ value, label: words.modes[value] }))}
          onChange={(mode) => form.onOptions({ ...form.options, isShadow: mode === "shadow" })}
        />
        <OptionsFields
          options={form.options}
          onChange={(options) => {
            form.onOptions(options);
            reading.forget();
          }}
        />
        <Failure error={change.error} />
      </div>
    </Dialog>
  );
};

/** Adds a source: it is read and shown before it can be added. */
export const AddFeedDialog = ({ onClose }: { readonly onClose: () => void }): ReactNode => {
  const { texts, account } = usePage();
  const words = texts.work.feeds.form;
  const form = useForm(null);
  const [typed, setTyped] = useState("");
  const feed = typed.trim();
  const reading = useReading({ feed }, form);
  const change = useFeedChange();
  const save = (): void => {
    const { options, login, dropped } = reading;
    const body = { feed, cron: toCron(form.times), timeZone: form.zone, options, login, dropped };
    change.mutate({ act: "add", body }, { onSuccess: onClose });
  };
  const setFeed = (next: string): void => {
    setTyped(next);
    reading.forget();
  };
  return (
    <FeedDialog
      title={words.addTitle}
      feed={feed}
      save={[words.save, words.saving]}
      {...{ form, reading, change, onClose }}
      canRead={feed !== ""}
      isReady={reading.isSettled === true}
      advice={words.checkFirst}
      onSave={save}
    >
      <TextField label={words.feed} hint={words.feedHint} value={typed} onChange={setFeed} />
      {/* The folders of a server are not those of its people. */}
      {account === null ? <FileChooser onChoose={setFeed} /> : null}
    </FeedDialog>
  );
};

interface ChangeFeedDialogProps {
  readonly feed: FeedView;
  readonly id: string;
  readonly onClose: () => void;
}

/** Changes times and settings; the source stays, as its address is not shown whole. */
export const ChangeFeedDialog = ({ feed, id, onClose }: ChangeFeedDialogProps): ReactNode => {
  const words = usePage().texts.work.feeds.form;
  const form = useForm(feed);
  const reading = useReading({ id }, form);
  const change = useFeedChange();
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
    const { options, login, dropped } = reading;
    const body = { cron: toCron(form.times), timeZone: form.zone, options, login, dropped };
    change.mutate({ act: "change", id, body }, { onSuccess: onClose });
  };
  return (
    <FeedDialog
      title={words.changeTitle}
      feed={feed.place}
      save={[words.saveChange, words.savingChange]}
      {...{ form, reading, change, onClose }}
      canRead
      isReady={reading.isSettled ?? !isAsking}
      advice={words.checkAgain}
      onSave={save}
    >
      <p className="feed-place">{feed.place}</p>
    </FeedDialog>
  );
};
