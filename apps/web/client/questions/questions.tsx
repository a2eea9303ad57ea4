/**
 * The questions of buyers: found in a list, answered in a panel beside it, one after the other or
 * many alike, and planned together. Nothing leaves here; a plan is approved as any other.
 */

import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";

import type {
  QuestionFilter,
  QuestionShow,
  QuestionsView,
  QuestionView,
} from "../../src/api/index.ts";
import { useMedia, WIDE } from "../grid/grid-frame.tsx";
import { ListGrid } from "../grid/list-grid.tsx";
import { useListedRows } from "../grid/row-window.ts";
import { useTicked } from "../grid/ticks.ts";
import { usePage } from "../lib/page.tsx";
import { useDebounced } from "../lib/queries.ts";
import {
  readQuestions,
  useQuestionOrder,
  useQuestions,
  useReadQuestions,
  useStopQuestions,
} from "../lib/questions.ts";
import { setSearch, useSearch } from "../lib/route.ts";
import { useMay } from "../lib/team.ts";
import { OnlyFor } from "../team/may.tsx";
import { Button, Chips, SearchField, SelectField } from "../ui/controls.tsx";
import { Failure, Loaded, Message, Progress } from "../ui/messages.tsx";
import { AnswerPanel } from "./answer-panel.tsx";
import { AnswersBar } from "./answers-bar.tsx";
import { type Answers, useAnswers } from "./answers.ts";
import { useQuestionCard, useQuestionColumns } from "./question-columns.tsx";
import { formatQuestions, parseQuestions } from "./question-filter.ts";

interface ViewProps {
  readonly view: QuestionsView;
}

const ReadingProgress = ({ view: { reading } }: ViewProps): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.questions;
  const stop = useStopQuestions();
  if (reading === null) return null;
  const { done, total } = reading;
  return (
    <div className="products-reading">
      <Progress
        label={words.reading}
        part={total === null ? null : done / Math.max(1, total)}
        text={
          total === null
            ? format.number(done)
            : words.ofTotal(format.number(done), format.number(total))
        }
      />
      <Button kind="quiet" isBusy={stop.isPending} onPress={() => stop.mutate()}>
        {words.stop}
      </Button>
      <Failure error={stop.error} />
    </div>
  );
};

/** Reads the unanswered questions when the page is opened first, as nothing is known of them. */
const useFirstReading = (
  { readAt, reading, problem }: QuestionsView,
  read: ReturnType<typeof useReadQuestions>,
): void => {
  const hasBegun = useRef(false);
  const { mutate } = read;
  const mayRead = useMay("editor");
  const isUnread = mayRead && readAt.unanswered === null && reading === null && problem === null;
  useEffect(() => {
    if (!isUnread || hasBegun.current) return;
    hasBegun.current = true;
    mutate("unanswered");
  }, [isUnread, mutate]);
};

const Head = ({ view, show }: ViewProps & { readonly show: QuestionShow }): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.questions;
  const read = useReadQuestions();
  useFirstReading(view, read);
  const readAt = view.readAt[show];
  return (
    <>
      <div className="products-head">
        <h1>{words.title}</h1>
        <p className="muted products-age">
          {readAt === null ? null : (
            <time dateTime={readAt} title={format.date(readAt)}>
              {words.readAgo(format.ago(readAt, Date.now()))}
            </time>
          )}
        </p>
        {view.reading === null ? (
          <OnlyFor role="editor" isSaid={readAt === null}>
            <span className="products-read">
              <Button isBusy={read.isPending} onPress={() => read.mutate(show)}>
                {readAt === null ? words.read[show] : words.readAgain}
              </Button>
            </span>
          </OnlyFor>
        ) : null}
      </div>
      <ReadingProgress view={view} />
      <Failure error={read.error} />
      {view.problem === null || view.reading !== null ? null : (
        <Message tone="warning">{view.problem}</Message>
      )}
    </>
  );
};

interface ToolsProps extends ViewProps {
  readonly answers: Answers;
  readonly filter: QuestionFilter;
  readonly onFilter: (filter: QuestionFilter, isReplaced: boolean) => void;
}

const Search = ({ filter, onFilter }: Pick<ToolsProps, "filter" | "onFilter">): ReactNode => {
  const words = usePage().texts.questions;
  const [text, setText] = useState(filter.text ?? "");
  const settled = useDebounced(text.trim(), 250);
  const { text: shown = "" } = filter;
  useEffect(() => {
    if (settled !== shown) onFilter({ ...filter, text: settled }, true);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only what was typed changes the filter
  }, [settled]);
  return <SearchField label={words.search} value={text} onChange={setText} />;
};

const ABOUT = ["all", "product", "store"] as const;
type Chosen = QuestionShow | "written";

const Tools = ({ view, answers, filter, onFilter }: ToolsProps): ReactNode => {
  const words = usePage().texts.questions;
  const { show, about, written, oldest } = filter;
  const choose = async (key: Chosen): Promise<void> => {
    // The server lists those that it has.
    if (key === "written") await answers.flush();
    onFilter(
      {
        ...filter,
        show: key === "answered" ? "answered" : "unanswered",
        written: key === "written",
      },
      false,
    );
  };
  return (
    <div className="filters-line question-tools">
      <Chips<Chosen>
        label={words.shows}
        chips={[
          { key: "unanswered", label: words.show.unanswered, count: view.unanswered },
          { key: "written", label: words.show.written },
          {
            key: "answered",
            label: words.show.answered,
            count: view.readAt.answered === null ? undefined : view.answered,
          },
        ]}
        chosen={written === true ? "written" : show}
        onChoose={(key) => void choose(key)}
      />
      <SelectField
        label={words.aboutLabel}
        isLabelHidden
        value={about ?? "all"}
        choices={ABOUT.map((value) => ({ value, label: words.about[value] }))}
        onChange={(value) =>
          onFilter(
            { ...filter, about: value === "product" || value === "store" ? value : undefined },
            false,
          )
        }
      />
      <SelectField
        label={words.sort}
        isLabelHidden
        value={oldest === true ? "oldest" : "newest"}
        choices={[
          { value: "newest", label: words.newest },
          { value: "oldest", label: words.oldest },
        ]}
        onChange={(value) => onFilter({ ...filter, oldest: value === "oldest" }, false)}
      />
      <Search filter={filter} onFilter={onFilter} />
    </div>
  );
};

/** The version to show: while the questions are read again, the list stays as it was. */
const useVersion = ({ version, reading, readAt }: QuestionsView, show: QuestionShow): number => {
  const settled = useRef(version);
  if (reading === null || readAt[show] === null) settled.current = version;
  return settled.current;
};

/** Answers that were written for questions which wait for none any more. */
const LeftOver = ({ answers }: { readonly answers: Answers }): ReactNode => {
  const words = usePage().texts.questions;
  const count = answers.leftOver();
  const mayAnswer = useMay("editor");
  if (count === 0 || !mayAnswer) return null;
  return (
    <Message
      tone="info"
      actions={<Button onPress={() => answers.removeLeftOver()}>{words.leftOverRemove}</Button>}
    >
      {words.leftOver(count)}
    </Message>
  );
};

const onFilter = (filter: QuestionFilter, isReplaced: boolean): void =>
  setSearch(formatQuestions(filter), isReplaced);

const NOTHING = new Uint32Array(0);
const ROW_PX = 64;

const QuestionList = ({ view }: ViewProps): ReactNode => {
  const words = usePage().texts.questions;
  const isWide = useMedia(WIDE);
  const address = useSearch();
  const filter = useMemo(() => parseQuestions(address), [address]);
  const search = formatQuestions(filter);
  const version = useVersion(view, filter.show);
  const order = useQuestionOrder(search, version);
  const rows = useListedRows(version, readQuestions);
  const answers = useAnswers(version);
  const columns = useQuestionColumns(answers);
  const card = useQuestionCard(answers);
  const mayAnswer = useMay("editor");
  const { ticked, ticks, clear } = useTicked(order.data);
  const [open, setOpen] = useState<number | null>(null);
  const listed = order.data ?? NOTHING;
  // A wide window has room for a question, so the first one is open.
  const shown = open ?? (isWide ? (listed[0] ?? null) : null);
  const named = useMemo(
    () => ({
      ...ticks,
      label: ({ message }: QuestionView) => words.tick(message.slice(0, 80)),
      allLabel: words.tickAll,
    }),
    [ticks, words],
  );
  return (
    <section className="products questions" aria-busy={order.isFetching}>
      <Head view={view} show={filter.show} />
      <Tools view={view} answers={answers} filter={filter} onFilter={onFilter} />
      <LeftOver answers={answers} />
      <Failure error={order.error} />
      {filter.show === "answered" && view.hasOlder ? (
        <p className="muted">{words.hasOlder(view.answered)}</p>
      ) : null}
      <div className="question-work">
        <ListGrid
          // A table with boxes measures its columns anew.
          key={filter.show}
          label={words.title}
          rows={rows}
          order={order.data}
          columns={columns}
          card={card}
          ticks={mayAnswer && filter.show === "unanswered" ? named : undefined}
          openRow={shown}
          onOpen={(number) => setOpen(number)}
          rowHeightPx={ROW_PX}
          empty={<Nothing view={view} filter={filter} />}
          loading={words.loading}
        />
        {shown === null ? null : (
          <AnswerPanel
            key={isWide ? "panel" : shown}
            {...{ rows, answers, order: listed, number: shown, isAsked: open !== null }}
            onOpen={setOpen}
            onClose={() => setOpen(null)}
          />
        )}
      </div>
      <OnlyFor role="editor" isSaid={false}>
        <AnswersBar {...{ rows, answers, ticked, order: listed }} onClear={clear} />
      </OnlyFor>
    </section>
  );
};

const Nothing = ({
  view: { readAt, reading },
  filter,
}: ViewProps & { readonly filter: QuestionFilter }): ReactNode => {
  const words = usePage().texts.questions;
  const { show, written, text, about } = filter;
  if (reading !== null) return words.loading;
  if (readAt[show] === null) return words.unread[show];
  if (written === true) return words.noneWritten;
  return text === undefined && about === undefined ? words.none[show] : words.noneFound;
};

export const Questions = (): ReactNode => (
  <Loaded query={useQuestions()}>{(view) => <QuestionList view={view} />}</Loaded>
);
