/** The columns of the list of questions, and what a narrow window shows of each. */

import { type ReactNode, useMemo } from "react";

import type { QuestionView } from "../../src/api/index.ts";
import { useMedia } from "../grid/grid-frame.tsx";
import type { ListCard, ListColumn } from "../grid/list-grid.tsx";
import { usePage } from "../lib/page.tsx";
import { Picture } from "../ui/picture.tsx";
import { type Answers, useAnswer } from "./answers.ts";

interface QuestionProps {
  readonly question: QuestionView;
}

/** The thumbnail of its product, where the list of products has it. */
export const QuestionPicture = ({ question: { product } }: QuestionProps): ReactNode =>
  product?.number == null ? null : <Picture of={{ product: product.number }} />;

/** What the question is about, in a line. */
const About = ({ question: { product, isOfProduct, name } }: QuestionProps): ReactNode => {
  const words = usePage().texts.questions;
  const title = product?.title ?? (isOfProduct ? words.someProduct : words.ofStore);
  return (
    <span className="muted small question-about">{name === "" ? title : `${title} · ${name}`}</span>
  );
};

const Asked = ({ question }: QuestionProps): ReactNode => (
  <span className="question-text">
    <span className="question-message" title={question.message}>
      {question.message === "" ? question.title : question.message}
    </span>
    <About question={question} />
  </span>
);

interface AnswerProps extends QuestionProps {
  readonly answers: Answers;
}

/** The answer that was given or is being written. */
const Answer = ({ question, answers }: AnswerProps): ReactNode => {
  const words = usePage().texts.questions;
  const written = useAnswer(answers, question.id);
  const { answer, state } = question;
  if (state === "sent") return <span className="badge badge-success">{words.sent}</span>;
  if (state === "open") return <span className="badge badge-warning">{words.inRun}</span>;
  if (answer !== null) return <span className="question-message muted">{answer}</span>;
  if (state === "answered") return <span className="muted">{words.answeredElsewhere}</span>;
  return written.trim() === "" ? null : (
    <span className="question-message question-written">{written}</span>
  );
};

const Ago = ({ at }: { readonly at: string | null }): ReactNode => {
  const { format } = usePage();
  if (at === null) return null;
  return (
    <time className="muted" dateTime={at} title={format.date(at)}>
      {format.ago(at, Date.now())}
    </time>
  );
};

/** Room for all columns beside the panel, which shows the picture and the time, too. */
const ROOMY = "(min-width: 1000px)";

export const useQuestionColumns = (answers: Answers): readonly ListColumn<QuestionView>[] => {
  const words = usePage().texts.questions;
  const isRoomy = useMedia(ROOMY);
  return useMemo(() => {
    const columns: readonly ListColumn<QuestionView>[] = [
      {
        key: "image",
        header: words.column.image,
        isHeaderHidden: true,
        width: 48,
        render: (question) => <QuestionPicture question={question} />,
      },
      {
        key: "question",
        header: words.column.question,
        width: "minmax(220px, 3fr)",
        render: (question) => <Asked question={question} />,
      },
      {
        key: "answer",
        header: words.column.answer,
        width: "minmax(140px, 2fr)",
        render: (question) => <Answer question={question} answers={answers} />,
      },
      {
        key: "date",
        header: words.column.date,
        width: 108,
        render: ({ at }) => <Ago at={at} />,
      },
    ];
    return isRoomy ? columns : columns.filter(({ key }) => !LEAVABLE.has(key));
  }, [answers, words, isRoomy]);
};

const LEAVABLE: ReadonlySet<string> = new Set(["image", "date"]);

const CARD_PX = 112;

export const useQuestionCard = (answers: Answers): ListCard<QuestionView> => {
  const words = usePage().texts.questions;
  return useMemo(
    () => ({
      header: words.title,
      heightPx: CARD_PX,
      render: (question) => (
        <span className="question-card">
          <QuestionPicture question={question} />
          <span className="question-card-text">
            <Asked question={question} />
            <span className="question-card-line">
              <Answer question={question} answers={answers} />
              <Ago at={question.at} />
            </span>
          </span>
        </span>
      ),
    }),
    [answers, words],
  );
};
