/** What several people say of a run: who may approve it, that somebody waits for it, and comments. */

import { type FormEvent, type ReactNode, useId, useState } from "react";

import type { ApprovalView, CommentView, RunView } from "../../src/api/index.ts";
import { usePage } from "../lib/page.tsx";
import { useAddComment, useApproval, useComments, useMay } from "../lib/team.ts";
import { Button } from "../ui/controls.tsx";
import { Failure, Message } from "../ui/messages.tsx";
import { useWhoMay } from "./may.tsx";
import { CopyButton } from "./once-shown.tsx";

interface TextAreaProps {
  readonly label: string;
  readonly placeholder?: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

const MAX_CHARS = 2_000;

const TextArea = ({ label, placeholder, value, onChange }: TextAreaProps): ReactNode => {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        className="input"
        rows={2}
        maxLength={MAX_CHARS}
        placeholder={placeholder}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  );
};

/** The newest thing that those who have prepared a run say of it as a whole: they wait for approval. */
export const findRequest = (
  comments: readonly CommentView[],
  { makers }: Pick<ApprovalView, "makers">,
): CommentView | undefined =>
  comments.findLast(({ row, person }) => row === null && makers.includes(person));

/** Those who may approve a run; with four eyes not those who have prepared it. */
export const listApprovers = (
  names: readonly string[],
  { because, makers }: Pick<ApprovalView, "because" | "makers">,
): readonly string[] => (because === null ? names : names.filter((name) => !makers.includes(name)));

/** The last request to approve the run; `undefined` where nobody has asked, or it is not known yet. */
export const useRequest = (run: RunView): CommentView | undefined => {
  const comments = useComments(run.id).data ?? [];
  const approval = useApproval(run.id).data;
  return approval && findRequest(comments, approval);
};

/** Says that somebody waits for the approval of the run. */
export const Requested = ({ run }: { readonly run: RunView }): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.team.approval;
  const request = useRequest(run);
  if (request === undefined) return null;
  return (
    <Message tone="info" title={words.asked(request.person, format.date(request.at))}>
      {request.text === texts.team.approval.askText ? null : <p>“{request.text}”</p>}
    </Message>
  );
};

/** Asks those who may approve the run to do it; they read it where they approve. */
const AskForApproval = ({ run }: { readonly run: RunView }): ReactNode => {
  const { approval: words } = usePage().texts.team;
  const [note, setNote] = useState("");
  const add = useAddComment(run.id);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const text = note.trim() === "" ? words.askText : note.trim();
    add.mutate({ row: null, text }, { onSuccess: () => setNote("") });
  };
  return (
    <form className="stack-tight" onSubmit={submit}>
      <TextArea label={words.askNote} value={note} onChange={setNote} />
      <Failure error={add.error} />
      <Button type="submit" kind="primary" isBusy={add.isPending}>
        {add.isPending ? words.asking : words.ask}
      </Button>
    </form>
  );
};

/** In place of approval for a person who may not give it: why, who may, and a way to ask them. */
export const WaitForApproval = ({ run }: { readonly run: RunView }): ReactNode => {
  const { texts } = usePage();
  const words = texts.team.approval;
  const mayApprove = useMay("approver");
  const mayAsk = useMay("editor");
  const names = useWhoMay("approver");
  const approval = useApproval(run.id).data;
  const comments = useComments(run.id).data;
  if (approval === undefined || comments === undefined) return null;
  const approvers = listApprovers(names, approval);
  const isAsked = findRequest(comments, approval) !== undefined;
  return (
    <div className="stack-tight">
      {mayApprove && approval.because !== null ? (
        <Message tone="warning">{words.mayNot[approval.because]}</Message>
      ) : null}
      <p>{approvers.length === 0 ? words.nobody : words.who(approvers.join(", "))}</p>
      <Requested run={run} />
      {isAsked ? (
        <div className="line">
          <span className="muted">{words.askedHint}</span>
          <CopyButton text={location.href} label={words.copyAddress} />
        </div>
      ) : null}
      {mayAsk && !isAsked && approvers.length > 0 ? <AskForApproval run={run} /> : null}
    </div>
  );
};

/** Whether the person may approve the run; `undefined` until it is known. */
export const useMayApprove = (run: RunView): boolean | undefined => {
  const { account } = usePage();
  const mayApprove = useMay("approver");
  const { data } = useApproval(run.id);
  if (account === null) return true;
  if (!mayApprove) return false;
  return data && !data.needsAnother;
};

interface CommentsProps {
  readonly run: string;
  /** Of one row, by its number; otherwise all of the run. */
  readonly row?: number | undefined;
}

const Comment = ({
  comment,
  isOfOne,
}: {
  readonly comment: CommentView;
  readonly isOfOne: boolean;
}): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.team.comments;
  const { person, at, text, row } = comment;
  return (
    <li className="comment">
      <div className="small muted">
        <strong>{person}</strong> <time dateTime={at}>{format.date(at)}</time>
        {row === null || isOfOne ? null : ` · ${words.row(format.number(row))}`}
      </div>
      <p>{text}</p>
    </li>
  );
};

/** What people have said, and a box to add to it for those who may. */
export const Comments = ({ run, row }: CommentsProps): ReactNode => {
  const { texts, account } = usePage();
  const words = texts.team.comments;
  const { data, error } = useComments(run);
  const mayWrite = useMay("editor");
  const [text, setText] = useState("");
  const add = useAddComment(run);
  if (account === null) return null;
  const shown = (data ?? []).filter((comment) => row === undefined || comment.row === row);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    add.mutate({ row: row ?? null, text: text.trim() }, { onSuccess: () => setText("") });
  };
  if (shown.length === 0 && !mayWrite) return null;
  return (
    <section className="comments">
      {row === undefined ? <h2>{words.title}</h2> : <h3>{words.ofRow}</h3>}
      <Failure error={error} />
      {shown.length === 0 ? null : (
        <ul className="comments">
          {shown.map((comment) => (
            <Comment key={comment.id} comment={comment} isOfOne={row !== undefined} />
          ))}
        </ul>
      )}
      {mayWrite ? (
        <form className="stack-tight" onSubmit={submit}>
          <TextArea
            label={words.write}
            placeholder={words.placeholder}
            value={text}
            onChange={setText}
          />
          <Failure error={add.error} />
          <Button type="submit" isBusy={add.isPending} isDisabled={text.trim() === ""}>
            {add.isPending ? words.sending : words.send}
          </Button>
        </form>
      ) : null}
    </section>
  );
};
