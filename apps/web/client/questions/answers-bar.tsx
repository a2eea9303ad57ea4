/** What can be done with the questions that are ticked, and with the answers that are written. */

import { type ReactNode, useId, useRef, useState } from "react";

import type { QuestionView } from "../../src/api/index.ts";
import type { RowWindow } from "../grid/row-window.ts";
import { countTicked, type Ticked } from "../grid/ticks.ts";
import { usePage } from "../lib/page.tsx";
import { usePlanAnswers, useReplies } from "../lib/questions.ts";
import { useAction } from "../lib/requests.ts";
import { goTo } from "../lib/route.ts";
import { Button, Tick } from "../ui/controls.tsx";
import { Dialog, Failure } from "../ui/messages.tsx";
import { PLAN_ID } from "./answer-panel.tsx";
import { type Answers, fillReply, useReadyAnswers } from "./answers.ts";
import { ReplyChips } from "./replies.tsx";

interface BarProps {
  readonly rows: RowWindow<QuestionView>;
  readonly answers: Answers;
  readonly ticked: Ticked;
  readonly order: Uint32Array;
  readonly onClear: () => void;
}

interface SameProps extends Omit<BarProps, "order"> {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Writes one reply for all questions that are ticked. */
const SameDialog = ({ rows, answers, ticked, isOpen, ...on }: SameProps): ReactNode => {
  const words = usePage().texts.questions;
  const replies = useReplies().data?.replies ?? [];
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState("");
  const [isAll, setIsAll] = useState(false);
  const write = useAction(async () => {
    const questions = await rows.load([...ticked]);
    answers.set(
      questions
        .filter(({ state }) => state === "unanswered")
        .filter((question) => isAll || answers.get(question.id).trim() === "")
        .map((question) => ({ id: question.id, text: fillReply(text, question) })),
    );
    setText("");
    on.onClose();
    on.onClear();
  });
  return (
    <Dialog
      title={words.sameTitle(ticked.size)}
      isOpen={isOpen}
      onClose={on.onClose}
      confirm={{
        children: words.sameGo(ticked.size),
        isDisabled: text.trim() === "",
        isBusy: write.isRunning,
        onPress: () => write.run(),
      }}
    >
      <div className="replies">
        <ReplyChips
          replies={replies}
          onInsert={(reply) => {
            setText(reply.text);
            field.current?.focus();
          }}
        />
      </div>
      <div className="field">
        <label htmlFor={id}>{words.answer}</label>
        <textarea
          ref={field}
          id={id}
          className="input"
          rows={5}
          maxLength={10_000}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <small className="hint">{words.placeholders}</small>
      </div>
      <Tick isTicked={isAll} onChange={setIsAll}>
        {words.sameAll}
      </Tick>
      <Failure error={write.error} />
    </Dialog>
  );
};

const Counts = ({ ticked, order, ready }: CountsProps): ReactNode => {
  const words = usePage().texts.questions;
  const hidden = ticked.size - countTicked(ticked, order);
  return (
    <>
      <strong>{ready === 0 ? words.noneReady : words.ready(ready)}</strong>
      {ticked.size === 0 ? (
        <span className="muted chosen-hint">
          {ready === 0 ? words.writeFirst : words.nothingSent}
        </span>
      ) : (
        <span>{words.chosen(ticked.size)}</span>
      )}
      {hidden === 0 ? null : <span className="muted">{words.hidden(hidden)}</span>}
    </>
  );
};

interface CountsProps extends Pick<BarProps, "ticked" | "order"> {
  readonly ready: number;
}

/** Always there, so that ticking the first question moves nothing. */
export const AnswersBar = (props: BarProps): ReactNode => {
  const { answers, ticked, onClear } = props;
  const words = usePage().texts.questions;
  const ready = useReadyAnswers(answers);
  const [isSame, setIsSame] = useState(false);
  const plan = usePlanAnswers((run) => goTo({ page: "run", id: run, step: "preview" }));
  return (
    <section className="chosen-bar" aria-label={words.bar}>
      <Failure error={plan.error} />
      <div className="chosen-line">
        <p className="chosen-count" role="status">
          <Counts {...props} ready={ready.length} />
        </p>
        <div className="chosen-actions">
          {ticked.size === 0 ? null : (
            <>
              <Button kind="quiet" icon="close" label={words.clear} onPress={onClear}>
                <span className="wide-only">{words.clear}</span>
              </Button>
              <Button onPress={() => setIsSame(true)}>{words.same}</Button>
            </>
          )}
          <span id={PLAN_ID}>
            <Button
              kind="primary"
              isDisabled={ready.length === 0}
              isBusy={plan.isPending}
              onPress={() => plan.mutate({ answers: ready })}
            >
              {plan.isPending ? words.planning : words.plan}
            </Button>
          </span>
        </div>
      </div>
      <SameDialog {...props} isOpen={isSame} onClose={() => setIsSame(false)} />
    </section>
  );
};
