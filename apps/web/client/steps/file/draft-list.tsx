/** The files that are on their way, and those that were sent. */

import { type ReactNode, useState } from "react";

import type { DraftSummary, SentSummary } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { useRemoveDraft, useRead } from "../../lib/queries.ts";
import type { DraftStep, Route } from "../../lib/route.ts";
import { describeUndone } from "../../lib/runs.ts";
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

/** What can be sent of a file without errors, and whether that is something. */
export const describePlanned = (
  planned: DraftSummary["planned"],
  words: Texts["upload"],
): { readonly text: string; readonly isGood: boolean } => {
  if (planned === null) return { text: words.noErrors, isGood: true };
  if (planned.ready > 0) return { text: words.planned, isGood: true };
  const text = planned.held > 0 ? words.rest.held(planned.held) : words.nothingPlanned;
  return { text, isGood: false };
};

const STEPS: Readonly<Record<DraftSummary["state"], DraftStep>> = {
  reading: "file",
  columns: "columns",
  checking: "fix",
  ready: "fix",
};

const routeOf = ({ id, state, run, sent }: DraftSummary): Route =>
  sent !== null && run !== null
    ? { page: "run", id: run, step: sent.state === "finished" ? "report" : "send" }
    : { page: "draft", id, step: STEPS[state] };

const isWhole = ({ waiting, held, wrong, cancelled }: SentSummary): boolean =>
  waiting + held + wrong + cancelled === 0;

const SENT_BADGES: Readonly<Record<SentSummary["state"], string>> = {
  sending: "badge badge-accent",
  stopped: "badge badge-warning",
  finished: "badge badge-success",
};

const badgeOf = (sent: SentSummary): string => {
  if (sent.undone !== null) return "badge";
  return sent.state === "finished" && !isWhole(sent)
    ? "badge badge-warning"
    : SENT_BADGES[sent.state];
};

/** What became of a file that was sent; never more than is true. */
const SentState = ({ sent }: { readonly sent: SentSummary }): ReactNode => {
  const words = usePage().texts.upload;
  return <span className={badgeOf(sent)}>{describeSent(sent, words)}</span>;
};

const DraftBadge = ({ draft }: { readonly draft: DraftSummary }): ReactNode => {
  const { texts } = usePage();
  if (draft.sent !== null) return <SentState sent={draft.sent} />;
  if (draft.isUnusable) return <span className="badge badge-error">{texts.upload.unusable}</span>;
  if (draft.state !== "ready")
    return <span className="badge">{texts.upload.states[draft.state]}</span>;
  if ((draft.errors ?? 0) > 0) {
    return <span className="badge badge-error">{texts.upload.errors(draft.errors ?? 0)}</span>;
  }
  const badge = describePlanned(draft.planned, texts.upload);
  return <span className={badge.isGood ? "badge badge-success" : "badge"}>{badge.text}</span>;
};

interface DraftItemProps {
  readonly draft: DraftSummary;
  readonly onRemove: () => void;
}

const DraftItem = ({ draft, onRemove }: DraftItemProps): ReactNode => {
  const { texts, format } = usePage();
  return (
    <li className="draft">
      <Icon name="file" />
      <Link to={routeOf(draft)} className="draft-name">
        {draft.name}
      </Link>
      <span className="draft-facts">
        {draft.rows === null ? null : (
          <span className="number">{texts.upload.rows(draft.rows)}</span>
        )}
        <DraftBadge draft={draft} />
        <time className="muted" dateTime={draft.updatedAt} title={format.date(draft.updatedAt)}>
          {format.ago(draft.updatedAt, Date.now())}
        </time>
      </span>
      <Button
        kind="quiet"
        icon="close"
        label={`${texts.upload.remove}: ${draft.name}`}
        onPress={onRemove}
      >
        {""}
      </Button>
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
      {open.length === 0 ? <p className="empty">{words.noDrafts}</p> : list(open)}
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
        <p>{words.removeText(leaving?.name ?? "")}</p>
        <Failure error={remove.error} />
      </Dialog>
    </section>
  );
};
