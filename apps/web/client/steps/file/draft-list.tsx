/** The files that are on their way, and those that were sent. */

import { type ReactNode, useState } from "react";

import type { DraftSummary, SentSummary } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { useRemoveDraft, useRead } from "../../lib/queries.ts";
import type { DraftStep, Route } from "../../lib/route.ts";
import { describeUndone } from "../../lib/runs.ts";
import { OnlyFor } from "../../team/may.tsx";
import type { Texts } from "../../texts/texts.ts";
import { Button, Icon, Link } from "../../ui/controls.tsx";
import { Dialog, Failure, Loaded } from "../../ui/messages.tsx";

interface SortedDrafts {
  readonly open: readonly DraftSummary[];
  readonly sent: readonly DraftSummary[];
}

/** Files on their way, those that are half sent first, and files that were sent. */
export const sortDrafts = (drafts: readonly DraftSummary[]): SortedDrafts => {
  const halfSent = drafts.filter(({ sent }) => sent !== null && sent.state !== "finished");
  const unsent = drafts.filter(({ sent }) => sent === null);
  return {
    open: [...halfSent, ...unsent],
    sent: drafts.filter(({ sent }) => sent?.state === "finished"),
  };
};

const REST = ["waiting", "held", "wrong", "cancelled"] as const;

const STATES = { sending: "beingSent", stopped: "halfSent", finished: "sent" } as const;

/** What became of a file that was sent, with the rows that did not reach the store. */
export const describeSent = (sent: SentSummary, words: Texts["upload"]): string =>
  [
    sent.undone === null ? words[STATES[sent.state]] : describeUndone(sent.undone, words),
    ...REST.filter((key) => sent[key] > 0).map((key) => words.rest[key](sent[key])),
  ].join(", ");

/** What to do with a file without errors, and whether something of it can be sent. */
export const describePlanned = (
  planned: DraftSummary["planned"],
  words: Texts["upload"],
): { readonly text: string; readonly isGood: boolean } => {
  if (planned === null) return { text: words.noErrors, isGood: true };
  if (planned.ready > 0) return { text: words.planned(planned.ready), isGood: true };
  const text = planned.held > 0 ? words.rest.held(planned.held) : words.nothingPlanned;
  return { text, isGood: false };
};

const STEPS: Readonly<Record<DraftSummary["state"], DraftStep>> = {
  reading: "file",
  columns: "columns",
  checking: "fix",
  ready: "fix",
};

const routeOf = ({ id, state, run, sent, planned, isOfStore }: DraftSummary): Route => {
  if (sent !== null && run !== null) {
    return { page: "run", id: run, step: sent.state === "finished" ? "report" : "send" };
  }
  const isPlanned = state === "ready" && planned !== null && run !== null;
  return isPlanned
    ? { page: "run", id: run, step: "preview" }
    : { page: "draft", id, step: isOfStore ? "fix" : STEPS[state] };
};

const isWhole = ({ waiting, held, wrong, cancelled }: SentSummary): boolean =>
  waiting + held + wrong + cancelled === 0;

const SENT_TONES: Readonly<Record<SentSummary["state"], string>> = {
  sending: "next-accent",
  stopped: "next-warning",
  finished: "next-done",
};

const toneOf = (sent: SentSummary): string => {
  if (sent.undone !== null) return "";
  return sent.state === "finished" && !isWhole(sent) ? "next-warning" : SENT_TONES[sent.state];
};

interface NextStep {
  readonly text: string;
  readonly tone: string;
}

/** What became of a file, or what to do with it next; never more than is true. */
const useNext = (draft: DraftSummary): NextStep => {
  const words = usePage().texts.upload;
  const { sent, state, errors, planned } = draft;
  if (sent !== null) return { text: describeSent(sent, words), tone: toneOf(sent) };
  if (draft.isUnusable) return { text: words.unusable, tone: "next-error" };
  if (state !== "ready") return { text: words.states[state], tone: "next-accent" };
  if ((errors ?? 0) > 0) return { text: words.errors(errors ?? 0), tone: "next-error" };
  const { text, isGood } = describePlanned(planned, words);
  return { text, tone: isGood ? "next-accent" : "" };
};

interface DraftItemProps {
  readonly draft: DraftSummary;
  readonly onRemove: () => void;
}

/** Whose file it is; of a page of one person that goes without saying. */
const Owner = ({ by }: Pick<DraftSummary, "by">): ReactNode => {
  const { texts, account } = usePage();
  if (by === null || (by.isAsker && account === null)) return null;
  return (
    <span className="draft-owner" title={texts.upload.uploadedBy(by.name)}>
      {by.isAsker ? texts.team.people.you : by.name}
    </span>
  );
};

/** One line, all of which leads on. */
const DraftItem = ({ draft, onRemove }: DraftItemProps): ReactNode => {
  const { texts, format } = usePage();
  const next = useNext(draft);
  return (
    <li className="draft">
      <Icon name="file" />
      <Link to={routeOf(draft)} className="draft-name">
        {draft.name}
      </Link>
      <span className="draft-facts">
        <Owner by={draft.by} />
        {draft.rows === null ? null : (
          <span className="number">{texts.upload.rows(draft.rows)}</span>
        )}
        <time dateTime={draft.updatedAt} title={format.date(draft.updatedAt)}>
          {format.ago(draft.updatedAt, Date.now())}
        </time>
      </span>
      <span className={`next ${next.tone}`}>
        {next.text}
        <Icon name="right" />
      </span>
      <OnlyFor role="editor" isSaid={false}>
        <Button
          kind="quiet"
          icon="close"
          label={`${texts.upload.remove}: ${draft.name}`}
          onPress={onRemove}
        >
          {""}
        </Button>
      </OnlyFor>
    </li>
  );
};

interface DraftItemsProps {
  readonly drafts: readonly DraftSummary[];
  readonly onRemove: (draft: DraftSummary) => void;
}

/** Files on their way, and below them those that were sent. */
const DraftItems = ({ drafts, onRemove }: DraftItemsProps): ReactNode => {
  const { texts } = usePage();
  const words = texts.upload;
  const { open, sent } = sortDrafts(drafts);
  const list = (items: readonly DraftSummary[]): ReactNode => (
    <ul>
      {items.map((draft) => (
        <DraftItem key={draft.id} draft={draft} onRemove={() => onRemove(draft)} />
      ))}
    </ul>
  );
  return (
    <>
      <h2>{words.drafts}</h2>
      {open.length === 0 ? (
        <p className="empty">
          {words.noDrafts} {words.firstTime}{" "}
          <Link to={{ page: "templates" }}>{words.template}</Link>
        </p>
      ) : (
        list(open)
      )}
      {sent.length === 0 ? null : (
        <>
          <h2>{words.sentDrafts}</h2>
          {list(sent.slice(0, MAX_SENT))}
        </>
      )}
    </>
  );
};

/** The history has all of them. */
const MAX_SENT = 5;

/** What is lost with a draft, and whose it is where that is another person. */
const describeRemoval = ({ name, by }: DraftSummary, words: Texts["upload"]): string =>
  by === null || by.isAsker ? words.removeText(name) : words.removeOf(by.name, name);

export const DraftList = (): ReactNode => {
  const { texts } = usePage();
  const words = texts.upload;
  const [leaving, setLeaving] = useState<DraftSummary | null>(null);
  const remove = useRemoveDraft(() => setLeaving(null));
  return (
    <section className="drafts">
      <Loaded query={useRead<readonly DraftSummary[]>("drafts", "/api/drafts")}>
        {(drafts) => <DraftItems drafts={drafts} onRemove={setLeaving} />}
      </Loaded>
      <Dialog
        title={words.removeTitle}
        isOpen={leaving !== null}
        onClose={() => setLeaving(null)}
        confirm={{
          kind: "danger",
          isBusy: remove.isRunning,
          onPress: () => leaving !== null && remove.run(leaving.id),
          children: words.remove,
        }}
      >
        <p>{leaving === null ? null : describeRemoval(leaving, words)}</p>
        <Failure error={remove.error} />
      </Dialog>
    </section>
  );
};
