/** How a feed is read, and the questions that a sync of it could not ask. */

import type { ReactNode } from "react";

import type { FeedColumnView, FeedOptions, FeedSampleView } from "../../src/api/index.ts";
import { usePage } from "../lib/page.tsx";
import { EncodingChoices, SelectField, Tick } from "../ui/controls.tsx";
import { Message } from "../ui/messages.tsx";
import { TableHead } from "../ui/sections.tsx";

/** Whether a person has to decide on the column, or has done so. */
const isAsked = ({ question, answer, isUnclear }: FeedColumnView): boolean =>
  question !== null || answer !== null || isUnclear;

/**
 * Number of questions without which a sync would be refused. A field that is missed counts once no
 * column is asked about, as the answer may be that field.
 */
export const countOpen = (
  { columns, encodings, records, lost, problems }: FeedSampleView,
  dropped: readonly string[],
): number => {
  const questions = columns.filter(({ question }) => question !== null).length;
  const missed = questions > 0 ? [] : lost.filter(({ field }) => !dropped.includes(field));
  const isUnclear = columns.some((column) => column.isUnclear);
  const others = [isUnclear, encodings.length > 0, records.length > 0];
  return questions + missed.length + problems.length + others.filter(Boolean).length;
};

interface SampleProps {
  readonly sample: FeedSampleView;
  readonly options: FeedOptions;
  /** Fields that a person says were removed from the feed. */
  readonly dropped: readonly string[];
  /** Takes an answer, with which the feed is read again. */
  readonly onAnswer: (change: Partial<FeedOptions>) => void;
  readonly onDrop: (dropped: readonly string[]) => void;
}

type QuestionProps = Omit<SampleProps, "dropped" | "onDrop">;

const DECIMALS = ["comma", "point"] as const;

const DecimalQuestion = ({ sample, options, onAnswer }: QuestionProps): ReactNode => {
  const words = usePage().texts.work.feeds.form;
  const unclear = sample.columns.flatMap(({ header, isUnclear }, index) =>
    isUnclear ? [`${header} (${sample.rows[0]?.[index] ?? ""})`] : [],
  );
  if (unclear.length === 0) return null;
  return (
    <Message tone="warning">
      <p>{words.decimalQuestion(unclear.join(", "))}</p>
      <SelectField
        label={words.decimal}
        value={options.decimal}
        choices={[
          { value: "", label: words.choose },
          ...DECIMALS.map((value) => ({ value, label: words.decimals[value] })),
        ]}
        onChange={(text) => onAnswer({ decimal: DECIMALS.find((one) => one === text) ?? "" })}
      />
    </Message>
  );
};

/** Which record of XML or JSON is a product. */
const RecordQuestion = ({ sample, options, onAnswer }: QuestionProps): ReactNode => {
  const { file, work } = usePage().texts;
  const { choose } = work.feeds.form;
  if (sample.records.length === 0) return null;
  return (
    <Message tone="warning">
      <p>{file.chooseRecord}</p>
      <SelectField
        label={file.record}
        value={options.record}
        choices={[
          { value: "", label: choose },
          ...sample.records.map(({ name, rows, values }) => ({
            value: name,
            label: `${name} (${file.recordCount(rows, false)}: ${values.join(", ")})`,
          })),
        ]}
        onChange={(record) => record !== "" && onAnswer({ record })}
      />
    </Message>
  );
};

const UNITS = ["", "minor", "major"] as const;

const UnitQuestion = ({ sample, options, onAnswer }: QuestionProps): ReactNode => {
  const words = usePage().texts.work.feeds.form;
  if (!sample.isUnitOpen) return null;
  return (
    <Message tone="info">
      <p>{words.unitQuestion}</p>
      <SelectField
        label={words.unitLabel}
        value={options.priceUnit}
        choices={UNITS.map((value) => ({ value, label: words.priceUnits[value] }))}
        onChange={(text) => onAnswer({ priceUnit: UNITS.find((one) => one === text) ?? "" })}
      />
    </Message>
  );
};

/** Fields that an earlier version of the feed gave: another column has them, or none any more. */
const LostFields = ({
  sample,
  dropped,
  onDrop,
}: Pick<SampleProps, "sample" | "dropped" | "onDrop">): ReactNode => {
  const words = usePage().texts.work.feeds.form;
  if (sample.lost.length === 0) return null;
  return (
    <Message tone="warning" title={words.lostTitle}>
      <p>
        {words.lost(sample.lost.map(({ label, header }) => `${label} (“${header}”)`).join(", "))}
      </p>
      {sample.lost.map(({ field, label }) => (
        <Tick
          key={field}
          isTicked={dropped.includes(field)}
          onChange={(isTicked) =>
            onDrop(isTicked ? [...dropped, field] : dropped.filter((one) => one !== field))
          }
        >
          {words.drop(label)}
        </Tick>
      ))}
    </Message>
  );
};

interface ColumnProps {
  readonly column: FeedColumnView;
  /** The first cells. */
  readonly cells: readonly string[];
  readonly onChoose: (to: string) => void;
}

const NOT_TAKEN = "-";

const FeedColumn = ({ column, cells, onChoose }: ColumnProps): ReactNode => {
  const { texts } = usePage();
  const words = texts.work.feeds.form;
  const { header, field, question, answer, choices } = column;
  const first = question === null ? [] : [{ value: "", label: words.choose }];
  const value = question === null ? (field ?? NOT_TAKEN) : "";
  return (
    <tr className={question === null ? undefined : "row-error"}>
      <th scope="row">{header}</th>
      <td data-label={words.sample}>
        <ul className="samples">
          {cells.map((cell, at) => (
            <li key={at} title={cell}>
              {cell}
            </li>
          ))}
        </ul>
      </td>
      <td data-label={words.taken}>
        {choices.length === 0 ? (
          words.unused
        ) : (
          <SelectField
            label={words.columnIs(header)}
            isLabelHidden
            value={value}
            choices={[...first, ...choices]}
            onChange={(to) => to !== "" && onChoose(to)}
          />
        )}
        {question === null ? null : <p className="error-text">{question}</p>}
        {answer === null ? null : <small className="hint">{words.answers[answer]}</small>}
      </td>
    </tr>
  );
};

/** Columns that are taken or asked about; the others are folded. */
const FeedColumns = ({ sample, onAnswer }: Pick<SampleProps, "sample" | "onAnswer">): ReactNode => {
  const words = usePage().texts.work.feeds.form;
  const shown = sample.columns.map((column, index) => ({ column, index }));
  const isMain = ({ column }: (typeof shown)[number]): boolean =>
    column.field !== null || isAsked(column);
  const main = shown.filter(isMain);
  const rest = shown.filter((one) => !isMain(one));
  const table = (columns: typeof shown): ReactNode => (
    <table className="table columns-table">
      <TableHead columns={[words.column, words.sample, words.taken]} />
      <tbody>
        {columns.map(({ column, index }) => (
          <FeedColumn
            key={index}
            column={column}
            cells={sample.rows.slice(0, SAMPLES).map((cells) => cells[index] ?? "")}
            onChoose={(to) => onAnswer({ columns: { ...sample.answers, [column.header]: to } })}
          />
        ))}
      </tbody>
    </table>
  );
  return (
    <>
      {main.length === 0 ? null : table(main)}
      {rest.length === 0 ? null : (
        <details open={sample.problems.length > 0 ? true : undefined}>
          <summary>{words.otherColumns(rest.length)}</summary>
          {table(rest)}
        </details>
      )}
    </>
  );
};

const SAMPLES = 3;

const Reading = ({ sample, open }: { readonly sample: FeedSampleView; readonly open: number }) => {
  const { texts, format } = usePage();
  const words = texts.work.feeds;
  return (
    <Message tone={open === 0 ? "success" : "warning"}>
      {open === 0 ? words.form.sampleOf(sample.name) : words.form.questions(sample.name, open)}{" "}
      {sample.dataAt === null ? null : words.changed(format.ago(sample.dataAt, Date.now()))}
    </Message>
  );
};

export const FeedSample = (props: SampleProps): ReactNode => {
  const words = usePage().texts.work.feeds.form;
  const { sample, dropped } = props;
  const lost = new Set(sample.lost.map(({ header }) => header));
  const gone = sample.gone.filter((header) => !lost.has(header));
  return (
    <section className="stack-tight">
      <Reading sample={sample} open={countOpen(sample, dropped)} />
      {gone.length === 0 ? null : <Message tone="warning">{words.gone(gone.join(", "))}</Message>}
      {sample.problems.map((problem) => (
        <Message key={problem} tone="error">
          {problem}
        </Message>
      ))}
      {sample.encodings.length === 0 ? null : (
        <EncodingChoices
          encodings={sample.encodings}
          chosen={props.options.encoding}
          onChoose={(encoding) => props.onAnswer({ encoding })}
        />
      )}
      <RecordQuestion {...props} />
      <LostFields {...props} />
      <DecimalQuestion {...props} />
      {sample.columns.length === 0 ? null : <FeedColumns {...props} />}
      <UnitQuestion {...props} />
    </section>
  );
};
