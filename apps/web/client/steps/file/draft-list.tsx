import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";

import type { DraftState, DraftSummary } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { draftPath, useDrafts } from "../../lib/queries.ts";
import { requestJson } from "../../lib/requests.ts";
import type { DraftStep, Route } from "../../lib/route.ts";
import { useAction } from "../../lib/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Link } from "../../ui/link.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Failure } from "../../ui/message.tsx";

const STEPS: Readonly<Record<DraftState, DraftStep>> = {
  reading: "file",
  columns: "columns",
  checking: "fix",
  ready: "fix",
};

const routeOf = ({ id, state, run, isSent }: DraftSummary): Route =>
  isSent && run !== null
    ? { page: "run", id: run, step: "report" }
    : { page: "draft", id, step: STEPS[state] };

const DraftState = ({ draft }: { readonly draft: DraftSummary }): ReactNode => {
  const { texts } = usePage();
  if (draft.isSent) return <span className="badge badge-success">{texts.upload.sent}</span>;
  if (draft.isUnusable) return <span className="badge badge-error">{texts.upload.unusable}</span>;
  if (draft.state !== "ready")
    return <span className="badge">{texts.upload.states[draft.state]}</span>;
  if ((draft.errors ?? 0) > 0) {
    return <span className="badge badge-error">{texts.upload.errors(draft.errors ?? 0)}</span>;
  }
  return (
    <span className="badge badge-success">
      {draft.run === null ? texts.upload.noErrors : texts.upload.planned}
    </span>
  );
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
        <DraftState draft={draft} />
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

const useRemove = (onDone: () => void) => {
  const { lang } = usePage();
  const client = useQueryClient();
  return useAction(async (id: string) => {
    await requestJson(draftPath(id), { lang, method: "DELETE" });
    await client.invalidateQueries({ queryKey: ["drafts"] });
    onDone();
  });
};

interface DraftItemsProps {
  readonly drafts: readonly DraftSummary[];
  readonly onRemove: (draft: DraftSummary) => void;
}

/** Files on their way, and below them those that were sent. */
const DraftItems = ({ drafts, onRemove }: DraftItemsProps): ReactNode => {
  const { texts } = usePage();
  const words = texts.upload;
  const open = drafts.filter(({ isSent }) => !isSent);
  const sent = drafts.filter(({ isSent }) => isSent).slice(0, MAX_SENT);
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
          {list(sent)}
        </>
      )}
    </>
  );
};

/** The history has all of them. */
const MAX_SENT = 5;

/** The files that are on their way. */
export const DraftList = (): ReactNode => {
  const { texts } = usePage();
  const words = texts.upload;
  const [leaving, setLeaving] = useState<DraftSummary | null>(null);
  const remove = useRemove(() => setLeaving(null));
  return (
    <section className="drafts">
      <Loaded query={useDrafts()}>
        {(drafts) => <DraftItems drafts={drafts} onRemove={setLeaving} />}
      </Loaded>
      <Dialog
        title={words.removeTitle}
        isOpen={leaving !== null}
        onClose={() => setLeaving(null)}
        actions={
          <Button
            kind="danger"
            isBusy={remove.isRunning}
            onPress={() => leaving !== null && remove.run(leaving.id)}
          >
            {words.remove}
          </Button>
        }
      >
        <p>{words.removeText(leaving?.name ?? "")}</p>
        <Failure error={remove.error} />
      </Dialog>
    </section>
  );
};
