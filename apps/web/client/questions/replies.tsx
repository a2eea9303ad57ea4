/** Saved replies: inserted with a press or a key, and kept, changed and removed in a dialog. */

import { type ReactNode, useId, useRef, useState } from "react";

import type { SavedReply } from "../../src/api/index.ts";
import { usePage } from "../lib/page.tsx";
import { useKeepReplies, useReplies } from "../lib/questions.ts";
import { Button, IconButton, TextField } from "../ui/controls.tsx";
import { Dialog, Failure } from "../ui/messages.tsx";

interface ChipsProps {
  readonly replies: readonly SavedReply[];
  /** Whether Alt with the digit of the place inserts one. @default false */
  readonly hasKeys?: boolean;
  readonly onInsert: (reply: SavedReply) => void;
}

const MAX_KEYS = 9;
/** As assistive programs are told of a key. */
const KEY_PREFIX = "Alt+";

/** Inserts a reply with a press. */
export const ReplyChips = ({ replies, hasKeys = false, onInsert }: ChipsProps): ReactNode => {
  const words = usePage().texts.questions;
  return (
    <>
      {replies.map((reply, at) => (
        <button
          key={reply.name}
          type="button"
          className="chip"
          title={reply.text}
          aria-label={words.insert(reply.name)}
          aria-keyshortcuts={hasKeys && at < MAX_KEYS ? KEY_PREFIX + String(at + 1) : undefined}
          onClick={() => onInsert(reply)}
        >
          {reply.name}
          {hasKeys && at < MAX_KEYS ? <kbd>{KEY_PREFIX + String(at + 1)}</kbd> : null}
        </button>
      ))}
    </>
  );
};

interface EditorProps {
  /** The text that a new reply begins with. */
  readonly text: string;
}

interface EditedReply extends SavedReply {
  /** Its place among the replies; `null` for a new one. */
  readonly at: number | null;
}

const Editor = ({ text }: EditorProps): ReactNode => {
  const words = usePage().texts.questions;
  const replies = useReplies().data?.replies ?? [];
  const keep = useKeepReplies();
  const id = useId();
  const [edited, setEdited] = useState<EditedReply>({ at: null, name: "", text });
  const isTaken = replies.some(({ name }, at) => name === edited.name.trim() && at !== edited.at);
  const isWhole = edited.name.trim() !== "" && edited.text.trim() !== "" && !isTaken;
  const form = useRef<HTMLFormElement>(null);
  const begin = (): void => {
    setEdited({ at: null, name: "", text: "" });
    // The control that had the focus may be gone, and a dialog without it hears no Escape.
    form.current?.querySelector("input")?.focus();
  };
  const save = (): void => {
    const reply = { name: edited.name.trim(), text: edited.text.trim() };
    const next = edited.at === null ? [...replies, reply] : replies.with(edited.at, reply);
    keep.mutate({ replies: next }, { onSuccess: begin });
  };
  return (
    <>
      <p className="muted">{words.repliesHint}</p>
      <ul className="reply-list">
        {replies.map((reply, at) => (
          <li key={reply.name} aria-current={edited.at === at ? "true" : undefined}>
            <button
              type="button"
              className="reply-open"
              aria-label={words.edit(reply.name)}
              onClick={() => setEdited({ ...reply, at })}
            >
              <strong>{reply.name}</strong>
              <span className="muted small">{reply.text}</span>
            </button>
            <IconButton
              icon="close"
              label={words.remove(reply.name)}
              onPress={() => {
                keep.mutate({ replies: replies.toSpliced(at, 1) });
                begin();
              }}
            />
          </li>
        ))}
      </ul>
      <form
        ref={form}
        className="stack-tight"
        onSubmit={(event) => {
          event.preventDefault();
          if (isWhole) save();
        }}
      >
        <TextField
          label={edited.at === null ? words.newReply : words.replyName}
          value={edited.name}
          onChange={(name) => setEdited({ ...edited, name })}
          hint={isTaken ? words.replyTaken : undefined}
          isWrong={isTaken}
        />
        <div className="field">
          <label htmlFor={id}>{words.replyText}</label>
          <textarea
            id={id}
            className="input"
            rows={4}
            maxLength={10_000}
            value={edited.text}
            onChange={({ target }) => setEdited({ ...edited, text: target.value })}
          />
        </div>
        <div className="line">
          <Button type="submit" isBusy={keep.isPending}>
            {edited.at === null ? words.addReply : words.saveReply}
          </Button>
          {edited.at === null ? null : (
            <Button kind="quiet" onPress={begin}>
              {words.newReply}
            </Button>
          )}
        </div>
      </form>
      <Failure error={keep.error} />
    </>
  );
};

interface MenuProps extends ChipsProps {
  /** What is written now, which can be saved as a reply. */
  readonly text: string;
}

/** The replies to insert, and the way to edit them. */
export const RepliesMenu = ({ replies, text, onInsert }: MenuProps): ReactNode => {
  const words = usePage().texts.questions;
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className="replies" role="group" aria-label={words.replies}>
      <ReplyChips replies={replies} hasKeys onInsert={onInsert} />
      <Button kind="quiet" onPress={() => setIsOpen(true)}>
        {replies.length === 0 ? words.firstReply : words.editReplies}
      </Button>
      <Dialog title={words.replies} isOpen={isOpen} onClose={() => setIsOpen(false)}>
        <Editor text={text} />
      </Dialog>
    </div>
  );
};
