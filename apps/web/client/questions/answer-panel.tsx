/**
 * One question in full, and the place to answer it. Ctrl+Enter goes on to the next question, so that
 * a person answers one after the other without leaving the keyboard.
 */

import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";

import type { QuestionView, SavedReply } from "../../src/api/index.ts";
import { type RowWindow, useRowAt } from "../grid/row-window.ts";
import { usePage } from "../lib/page.tsx";
import { useReplies } from "../lib/questions.ts";
import { OnlyFor } from "../team/may.tsx";
import { Button, IconButton, Link } from "../ui/controls.tsx";
import { Loading } from "../ui/messages.tsx";
import { type Answers, fillReply, useAnswer, useIsPending } from "./answers.ts";
import { QuestionPicture } from "./question-columns.tsx";
import { RepliesMenu } from "./replies.tsx";

interface PanelProps {
  readonly rows: RowWindow<QuestionView>;
  readonly answers: Answers;
  /** Numbers of the questions that are listed. */
  readonly order: Uint32Array;
  readonly number: number;
  /** Whether a person has opened it, so that it has the focus. */
  readonly isAsked: boolean;
  readonly onOpen: (number: number) => void;
  readonly onClose: () => void;
}

const isWebAddress = (text: string): boolean =>
  text.startsWith("https://") || text.startsWith("http://");

const Product = ({ question }: { readonly question: QuestionView }): ReactNode => {
  const words = usePage().texts.questions;
  const { product, isOfProduct } = question;
  const title = product?.title ?? (isOfProduct ? words.someProduct : words.ofStore);
  return (
    <div className="answer-product">
      <QuestionPicture question={question} />
      <span>
        {product?.number == null ? (
          <strong>{title}</strong>
        ) : (
          <Link to={{ page: "product", id: String(product.number) }}>{title}</Link>
        )}
        {product?.code == null ? null : <span className="muted small">{product.code}</span>}
        {product?.link == null || !isWebAddress(product.link) ? null : (
          <a className="small" href={product.link} target="_blank" rel="noreferrer noopener">
            {words.inStore}
          </a>
        )}
      </span>
    </div>
  );
};

const Asked = ({ question }: { readonly question: QuestionView }): ReactNode => {
  const { format } = usePage();
  const { title, message, name, at } = question;
  return (
    <>
      <p className="muted small">
        {[name, at === null ? "" : format.date(at)].filter(Boolean).join(" · ")}
      </p>
      <blockquote className="answer-question">
        {title === "" ? null : <strong>{title}</strong>}
        <span>{message}</span>
      </blockquote>
    </>
  );
};

interface WriteProps extends Pick<PanelProps, "answers" | "isAsked"> {
  readonly question: QuestionView;
  readonly isLast: boolean;
  /** Goes on to the next question, or to the button that plans the answers. */
  readonly onNext: () => void;
  readonly onPrevious: () => void;
}

/** The digit of a key that is pressed with Alt, from 1 to 9; AltGr is Alt with Ctrl. */
const digitOf = ({ altKey, ctrlKey, metaKey, code }: KeyboardEvent): number | undefined =>
  altKey && !ctrlKey && !metaKey && /^Digit[1-9]$/u.test(code) ? Number(code.at(-1)) : undefined;

type Go = Pick<WriteProps, "onNext" | "onPrevious">;

/** Where a key leads. */
const goOf = (
  { key, altKey, ctrlKey, metaKey }: KeyboardEvent,
  { onNext, onPrevious }: Go,
): (() => void) | undefined => {
  if (key === "Enter" && (ctrlKey || metaKey)) return onNext;
  if (!altKey) return undefined;
  if (key === "ArrowDown") return onNext;
  return key === "ArrowUp" ? onPrevious : undefined;
};

/** Replaces what is selected; the caret stands behind. */
const insertAt = (field: HTMLTextAreaElement, text: string): string => {
  field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
  return field.value;
};

const Kept = ({ answers, id }: { readonly answers: Answers; readonly id: string }): ReactNode => {
  const words = usePage().texts.questions;
  const isPending = useIsPending(answers, id);
  const text = useAnswer(answers, id);
  if (text === "") return <span className="muted small wide-only">{words.keys}</span>;
  return <span className="muted small">{isPending ? words.keptHere : words.kept}</span>;
};

const Write = ({ question, answers, isAsked, ...go }: WriteProps): ReactNode => {
  const words = usePage().texts.questions;
  const { id } = question;
  const text = useAnswer(answers, id);
  const replies = useReplies().data?.replies ?? [];
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (isAsked) field.current?.focus();
  }, [id, isAsked]);
  const write = (next: string): void => answers.set([{ id, text: next }]);
  const insert = (reply: SavedReply): void => {
    if (field.current === null) return;
    write(insertAt(field.current, fillReply(reply.text, question)));
    field.current.focus();
  };
  const onKey = (event: KeyboardEvent): void => {
    const reply = replies[(digitOf(event) ?? 0) - 1];
    const act = goOf(event, go) ?? (reply && ((): void => insert(reply)));
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  return (
    <div className="answer-write">
      <label className="field">
        <span className="field-label">{words.answer}</span>
        <textarea
          ref={field}
          className="input"
          rows={6}
          maxLength={MAX_ANSWER}
          value={text}
          onChange={({ target }) => write(target.value)}
          onKeyDown={onKey}
        />
      </label>
      <RepliesMenu replies={replies} text={text} onInsert={insert} />
      <div className="answer-go">
        <Kept answers={answers} id={id} />
        <Button kind="primary" onPress={go.onNext}>
          {go.isLast ? words.toPlan : words.next}
        </Button>
      </div>
    </div>
  );
};

/** The limit of the server; the client takes only types from it. */
const MAX_ANSWER = 10_000;

/** What stands in place of an answer to write. */
const Settled = ({ question }: { readonly question: QuestionView }): ReactNode => {
  const words = usePage().texts.questions;
  const { state, answer } = question;
  if (state === "sent") return <p className="answer-given">{words.sentHint}</p>;
  if (state === "open") return <p className="answer-given">{words.inRunHint}</p>;
  return (
    <div className="answer-given">
      <h3>{words.given}</h3>
      <p>{answer ?? words.answeredElsewhere}</p>
    </div>
  );
};

/** The button that plans the answers has this name for the way of the keyboard. */
export const PLAN_ID = "plan-answers";

export const AnswerPanel = (props: PanelProps): ReactNode => {
  const { rows, answers, order, number, isAsked, onOpen, onClose } = props;
  const words = usePage().texts.questions;
  const position = order.indexOf(number);
  const question = useRowAt(rows, number, position);
  const show = (step: 1 | -1): void => {
    const next = position === -1 ? undefined : order[position + step];
    if (next !== undefined) onOpen(next);
    else if (step === 1) document.querySelector<HTMLElement>(`#${PLAN_ID} button`)?.focus();
  };
  const close = (): void => {
    onClose();
    document.querySelector<HTMLElement>(".questions .rdg [tabindex='0']")?.focus();
  };
  const place = position === -1 ? "" : words.place(position + 1, order.length);
  return (
    <aside
      className="answer-panel"
      aria-label={words.panel}
      onKeyDown={({ key }) => {
        if (key === "Escape") close();
      }}
    >
      <div className="answer-head">
        <h2>{words.question}</h2>
        <span className="muted small">{place}</span>
        <IconButton
          icon="up"
          label={words.previous}
          isDisabled={position <= 0}
          onPress={() => show(-1)}
        />
        <IconButton
          icon="down"
          label={words.following}
          isDisabled={position === -1 || position === order.length - 1}
          onPress={() => show(1)}
        />
        <span className="narrow-only">
          <IconButton icon="close" label={words.close} onPress={close} />
        </span>
      </div>
      {question === undefined ? (
        <Loading text={words.loading} />
      ) : (
        <>
          <Product question={question} />
          <Asked question={question} />
          {question.state === "unanswered" ? (
            <OnlyFor role="editor">
              <Write
                {...{ question, answers, isAsked }}
                isLast={position === order.length - 1}
                onNext={() => show(1)}
                onPrevious={() => show(-1)}
              />
            </OnlyFor>
          ) : (
            <Settled question={question} />
          )}
        </>
      )}
    </aside>
  );
};
