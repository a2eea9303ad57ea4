/** The second step: which column is which field. */

import { skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useRef, useState } from "react";

import type {
  ColumnsBody,
  ColumnsView,
  ColumnView,
  DraftView,
  FieldView,
} from "../../../src/api/index.ts";
import { foldText } from "../../lib/format.ts";
import { usePage } from "../../lib/page.tsx";
import { draftQuery, useDraftChange } from "../../lib/queries.ts";
import { RefusedError } from "../../lib/requests.ts";
import { goTo } from "../../lib/route.ts";
import { Combobox, type Choice, onListKey } from "../../ui/choice-list.tsx";
import { Button, Icon, Link } from "../../ui/controls.tsx";
import { Failure, Message, Waiting } from "../../ui/messages.tsx";
import { CutText, isLedUpTo, Notice, TableHead } from "../../ui/sections.tsx";
import {
  canTake,
  type DecimalSign,
  findTwins,
  type GivenValue,
  needsDecision,
  toChosenFields,
  toDecimals,
  toGivenChange,
  toGuesses,
  toLeftOut,
} from "./column-choices.ts";
import { Constants, type RefusedValue } from "./constants.tsx";

const SIGNS = ["comma", "point"] as const satisfies readonly DecimalSign[];

interface UnclearNumbersProps {
  readonly numbers: NonNullable<ColumnView["unclear"]>;
  readonly isBusy?: boolean;
  readonly onAnswer: (sign: DecimalSign) => void;
}

/** Asks once for all cells of a column what its numbers are; the other answer stays at hand. */
export const UnclearNumbers = ({
  numbers: { cells, example, readings, answer },
  isBusy = false,
  onAnswer,
}: UnclearNumbersProps): ReactNode => {
  const words = usePage().texts.columns;
  const open = SIGNS.filter((sign) => sign !== answer);
  return (
    <div className="stack-tight">
      <p>
        {answer === null
          ? words.unclearNumbers(example, cells)
          : words.readNumbers(example, readings[answer], cells)}
      </p>
      <div className="line">
        {open.map((sign) => (
          <Button
            key={sign}
            kind={answer === null ? "plain" : "quiet"}
            isBusy={isBusy}
            label={words.readNumberAs(example, readings[sign])}
            onPress={() => onAnswer(sign)}
          >
            {answer === null ? readings[sign] : words.readNumberAs(example, readings[sign])}
          </Button>
        ))}
      </div>
    </div>
  );
};

interface FieldBoxProps {
  readonly label: string;
  readonly column: ColumnView;
  readonly fields: readonly FieldView[];
  readonly onChoose: (field: string) => void;
}

/** Every field, one of the column's own among them, and the way to leave the column out. */
const useChoices = (column: ColumnView, fields: readonly FieldView[]): readonly Choice[] => {
  const { columns: words } = usePage().texts;
  const { field, label, isUsed } = column;
  const known = fields.map((one) => ({
    value: one.key,
    label: one.label,
    note: one.isRequired ? words.required : undefined,
  }));
  const isOwn = field !== null && field !== "-" && !fields.some(({ key }) => key === field);
  const own = isOwn ? [{ value: field, label }] : [];
  const out = field === "-" && isUsed ? label : words.leaveOut;
  return [{ value: "-", label: out }, ...own, ...known];
};

const FieldBox = ({ label, column, fields, onChoose }: FieldBoxProps): ReactNode => {
  const { columns: words, fix } = usePage().texts;
  const all = useChoices(column, fields);
  const [typed, setTyped] = useState<string | null>(null);
  const [active, setActive] = useState(-1);
  const shown = all.find(({ value }) => value === column.field)?.label ?? "";
  const choices =
    typed === null || typed === shown
      ? all
      : all.filter((one) => foldText(one.label).includes(foldText(typed)));
  const close = (): void => setTyped(null);
  const open = (): void => setTyped((text) => text ?? shown);
  const choose = ({ value }: Choice): void => {
    close();
    if (value !== column.field) onChoose(value);
  };
  return (
    <div className="combo-line">
      <Combobox
        aria-label={label}
        autoComplete={undefined}
        placeholder={words.choose}
        value={typed ?? shown}
        isShown={typed !== null}
        listLabel={label}
        {...{ choices, active }}
        none={fix.lookupNone}
        onChoose={choose}
        onClick={open}
        onFocus={(event) => event.target.select()}
        onBlur={close}
        onChange={(event) => {
          setTyped(event.target.value);
          setActive(0);
        }}
        onKeyDown={(event) => {
          if (event.key.startsWith("Arrow")) open();
          onListKey(event, { choices, active, setActive, choose, cancel: close });
        }}
      />
      <Icon name="down" />
    </div>
  );
};

interface ColumnRowProps {
  readonly column: ColumnView;
  readonly fields: readonly FieldView[];
  readonly onChoose: (column: ColumnView, field: string) => void;
  /** Takes the column in place of others with its header; `null` where there are none. */
  readonly onTake: ((column: ColumnView) => void) | null;
  readonly onDecimal: (column: ColumnView, sign: DecimalSign) => void;
  /** Reasons that stand above the table, as several columns have them. */
  readonly shared: ReadonlySet<string>;
}

const CONFIDENCE_BADGES = {
  sure: "badge badge-success",
  likely: "badge",
  open: "badge badge-warning",
} as const;

/** The first values of a column in one line. */
const Samples = ({ samples }: { readonly samples: readonly string[] }): ReactNode => {
  const { columns } = usePage().texts;
  const [first] = samples;
  if (first === undefined) return <span className="muted">{columns.empty}</span>;
  const text = isLedUpTo(first) ? first : samples.slice(0, MAX_SAMPLES).join(" · ");
  return (
    <div className="samples" title={samples.join("\n")}>
      <CutText text={text} />
    </div>
  );
};

const MAX_SAMPLES = 3;

/** The field that the cells look like, and the way to take it at once. */
const Guess = ({
  column,
  fields,
  onChoose,
}: Pick<ColumnRowProps, "column" | "fields" | "onChoose">): ReactNode => {
  const { columns: words } = usePage().texts;
  const field = fields.find(({ key }) => key === column.guess);
  if (field === undefined || column.field !== null) return null;
  return (
    <Button kind="accent" onPress={() => onChoose(column, field.key)}>
      {words.accept(field.label)}
    </Button>
  );
};

/** How sure the field is; a column of which none is sent has none to be sure of, but may be used. */
const Badge = ({
  column: { field, confidence, isUsed, label },
}: Pick<ColumnRowProps, "column">): ReactNode => {
  const words = usePage().texts.columns;
  if (isUsed) return <span className="badge">{label}</span>;
  if (field === "-") return <span className="badge">{words.notUsed}</span>;
  return <span className={CONFIDENCE_BADGES[confidence]}>{words.confidence[confidence]}</span>;
};

const ColumnRow = (props: ColumnRowProps): ReactNode => {
  const { column, fields, onChoose, onTake, onDecimal, shared } = props;
  const { columns: words } = usePage().texts;
  const name = column.header === "" ? words.letter(column.letter) : column.header;
  return (
    <tr className={column.problem === null ? undefined : "row-error"}>
      <th scope="row">
        <span className="column-letter muted">{column.letter}</span> {name}
      </th>
      <td data-label={words.samples}>
        <Samples samples={column.samples} />
      </td>
      <td data-label={words.field}>
        <div className="field-line">
          <FieldBox
            label={`${name}: ${words.field}`}
            column={column}
            fields={fields}
            onChoose={(field) => onChoose(column, field)}
          />
          <Guess column={column} fields={fields} onChoose={onChoose} />
          {onTake === null ? null : (
            <Button onPress={() => onTake(column)}>{words.take(column.letter)}</Button>
          )}
        </div>
        {column.unclear === null ? null : (
          <UnclearNumbers numbers={column.unclear} onAnswer={(sign) => onDecimal(column, sign)} />
        )}
        {column.problem === null ? null : <p className="error-text">{column.problem.message}</p>}
      </td>
      <td data-label={words.reason}>
        <Badge column={column} />{" "}
        {column.problem !== null || shared.has(column.reason) ? null : (
          <span className="muted">{column.reason}</span>
        )}
      </td>
    </tr>
  );
};

type ColumnsChange = Omit<ColumnsBody, "version">;

const useColumns = (draft: DraftView, view: ColumnsView) => {
  const { lang } = usePage();
  const client = useQueryClient();
  const change = useDraftChange(draft.id);
  const refused = useRefused(draft.id);
  const tail = useRef<Promise<unknown>>(Promise.resolve());
  // One change after the other, each made of what the one before has left.
  const save = (
    toBody: (now: ColumnsView) => ColumnsChange,
    onRefused?: (error: Error) => void,
  ): void => {
    tail.current = tail.current
      .then(async () => {
        const now = client.getQueryData(draftQuery(draft.id, lang).queryKey) ?? draft;
        const body = { version: now.version, ...toBody(now.columns ?? view) };
        return await change.mutateAsync({ path: "/columns", method: "PUT", body });
      })
      // The mutation keeps its error, which is shown.
      .catch((error: unknown) => {
        if (error instanceof RefusedError) onRefused?.(error);
      });
  };
  const isAtField = Object.values(refused.values).some(({ error }) => error === change.error);
  return {
    error: isAtField ? null : change.error,
    isSaving: change.isPending,
    refused: refused.values,
    choose: (column: ColumnView, field: string): void =>
      save(({ columns }) => {
        const isTwin = findTwins(column, columns).length > 0;
        if (isTwin && field === "-") {
          return { leftOut: [...toLeftOut(null, columns), column.index] };
        }
        const leftOut = isTwin ? { leftOut: toLeftOut(column, columns) } : {};
        return { columns: { ...toChosenFields(columns), [column.header]: field }, ...leftOut };
      }),
    take: (column: ColumnView): void =>
      save(({ columns }) => ({ leftOut: toLeftOut(column, columns) })),
    acceptGuesses: (): void =>
      save(({ columns }) => ({ columns: { ...toChosenFields(columns), ...toGuesses(columns) } })),
    setDecimal: (column: ColumnView, sign: DecimalSign): void =>
      save(({ columns }) => ({ decimals: toDecimals(columns, column, sign) })),
    setConstant: (given: GivenValue): void => {
      refused.remove(given.field);
      save(
        (now) => toGivenChange(now, given),
        (error) => refused.add(given, error),
      );
    },
    /** Goes on once everything is saved, or else to the first value that was refused and is shown. */
    goOn: async (toField: (field: string) => boolean): Promise<void> => {
      await tail.current;
      const now = client.getQueryData(draftQuery(draft.id, lang).queryKey)?.columns ?? view;
      if (refused.list().some(toField)) return;
      if (now.problems.length === 0) goTo({ page: "draft", id: draft.id, step: "fix" });
    },
  };
};

const NONE: Readonly<Record<string, RefusedValue>> = {};

/** Values that were refused, by field: they stay where they were typed, whatever step is shown. */
const useRefused = (draft: string) => {
  const client = useQueryClient();
  const queryKey = ["refused-values", draft];
  const { data = NONE } = useQuery<typeof NONE>({
    queryKey,
    queryFn: skipToken,
    gcTime: Infinity,
  });
  const set = (change: (now: typeof NONE) => typeof NONE): void => {
    client.setQueryData<typeof NONE>(queryKey, (now = NONE) => change(now));
  };
  return {
    values: data,
    list: () => Object.keys(client.getQueryData<typeof NONE>(queryKey) ?? {}),
    add: (given: GivenValue, error: Error) =>
      set((now) => Object.assign({}, now, { [given.field]: { ...given, error } })),
    remove: (field: string) =>
      set((now) => Object.fromEntries(Object.entries(now).filter(([key]) => key !== field))),
  };
};

interface ColumnsTableProps {
  readonly view: ColumnsView;
  readonly onChoose: (column: ColumnView, field: string) => void;
  readonly onTake: (column: ColumnView) => void;
  readonly onDecimal: (column: ColumnView, sign: DecimalSign) => void;
  readonly onAcceptAll: () => void;
}

/** Reasons of more than one of the columns. */
const listShared = (columns: readonly ColumnView[]): readonly string[] => {
  const reasons = columns.filter(({ problem }) => problem === null).map(({ reason }) => reason);
  return [...new Set(reasons.filter((reason, at) => reasons.indexOf(reason) !== at))];
};

/** Columns that need no decision, each with its field where that has another name. */
const Known = ({ columns }: { readonly columns: readonly ColumnView[] }): ReactNode => {
  const words = usePage().texts.columns;
  return (
    <ul className="known">
      {columns.map(({ index, header, letter, label, field, isUsed }) => {
        const name = header === "" ? words.letter(letter) : header.replace(/ \*$/u, "");
        const target = field === "-" && !isUsed ? words.notUsed : label;
        return (
          <li key={index}>
            {name}
            {name === target ? null : <span className="muted"> → {target}</span>}
          </li>
        );
      })}
    </ul>
  );
};

/** The columns that need a decision, and the others when they are asked for. */
const ColumnsTable = (props: ColumnsTableProps): ReactNode => {
  const { view, onTake, onAcceptAll, ...change } = props;
  const words = usePage().texts.columns;
  const isOpen = (column: ColumnView): boolean =>
    needsDecision(column) ||
    findTwins(column, view.columns).some(({ problem }) => problem !== null);
  const open = view.columns.filter(isOpen);
  // An answer that a person gave here may be the wrong one.
  const answered = view.columns.filter((column) => !isOpen(column) && column.unclear !== null);
  const rest = view.columns.filter((column) => !isOpen(column) && column.unclear === null);
  const [isAll, setIsAll] = useState(false);
  // The column that is looked for may be among those that need no decision.
  const isMissing = open.length === 0 && view.problems.length > 0;
  const first = [...open, ...answered];
  const shown = isAll || isMissing ? [...first, ...rest] : first;
  const guesses = Object.keys(toGuesses(view.columns)).length;
  const shared = listShared(open);
  return (
    <div className="stack-tight">
      <div className="line">
        {isMissing ? null : (
          <p className={open.length === 0 ? "good" : undefined} role="status">
            {words.openCount(open.length)}
          </p>
        )}
        {guesses < 2 ? null : (
          <Button kind="accent" onPress={onAcceptAll}>
            {words.acceptAll}
          </Button>
        )}
        {rest.length === 0 || isMissing ? null : (
          <Button kind="quiet" onPress={() => setIsAll(!isAll)}>
            {isAll ? words.showOpen : words.showAll(view.columns.length)}
          </Button>
        )}
      </div>
      {shared.map((reason) => (
        <p key={reason} className="muted small">
          {reason}
        </p>
      ))}
      {shown.length === 0 ? null : (
        <table className="table columns-table">
          <TableHead columns={[words.header, words.samples, words.field, words.reason]} />
          <tbody>
            {shown.map((column) => (
              <ColumnRow
                key={column.index}
                column={column}
                fields={view.fields}
                shared={new Set(shared)}
                {...change}
                onTake={canTake(column, view.columns) ? onTake : null}
              />
            ))}
          </tbody>
        </table>
      )}
      {shown.length > first.length ? null : <Known columns={rest} />}
    </div>
  );
};

const Notes = ({ view }: { readonly view: ColumnsView }): ReactNode => {
  const notes = view.platform === null ? view.notes : [view.platform, ...view.notes];
  if (notes.length === 0) return null;
  return (
    <Message tone="info">
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
    </Message>
  );
};

/** Which sheets of a workbook the columns are of, and the way to others. */
const SheetsRead = ({ draft }: { readonly draft: DraftView }): ReactNode => {
  const { file, columns: words } = usePage().texts;
  const { kind, sheet, sheets } = draft.reading;
  if (kind === "csv" || sheet === null || sheets.length < 2) return null;
  const names = sheet.value.join(", ");
  const isDocument = kind === "xml" || kind === "json";
  return (
    <p className="muted">
      {isDocument ? file.recordRead(names) : file.sheetsRead(sheet.value.length, names)}{" "}
      <Link to={{ page: "draft", id: draft.id, step: "file" }}>
        {isDocument ? words.otherRecords : words.otherSheets}
      </Link>
    </p>
  );
};

const ColumnsOfDraft = ({
  draft,
  view,
}: {
  readonly draft: DraftView;
  readonly view: ColumnsView;
}): ReactNode => {
  const words = usePage().texts.columns;
  const { choose, take, setDecimal, acceptGuesses, setConstant, goOn, ...state } = useColumns(
    draft,
    view,
  );
  // The table shows the problem of a column beside it.
  const inTable = new Set(view.columns.map(({ problem }) => problem?.message));
  const elsewhere = view.problems.filter(({ message }) => !inTable.has(message));
  const constants = useRef<HTMLDivElement>(null);
  const toField = (field: string): boolean => {
    const box = constants.current?.querySelector<HTMLElement>(`[name="${field}"]`) ?? null;
    box?.focus();
    return box !== null;
  };
  return (
    <section className="stack">
      <h1>{words.title}</h1>
      <SheetsRead draft={draft} />
      {elsewhere.map((problem) => (
        <Message key={problem.code + problem.message} tone="error">
          {problem.message}
        </Message>
      ))}
      <Failure error={state.error} />
      <Notes view={view} />
      <ColumnsTable
        view={view}
        onChoose={choose}
        onTake={take}
        onDecimal={setDecimal}
        onAcceptAll={acceptGuesses}
      />
      <div ref={constants}>
        <Constants
          draft={draft.id}
          view={view}
          refused={state.refused}
          isUpdate={draft.run?.mode === "update"}
          onChange={setConstant}
        />
      </div>
      <div className="go">
        {state.isSaving ? <Waiting text={words.saving} /> : null}
        <Button
          kind="primary"
          isDisabled={view.problems.length > 0}
          onPress={() => void goOn(toField)}
        >
          {words.go}
        </Button>
      </div>
    </section>
  );
};

export const Columns = ({ draft }: { readonly draft: DraftView }): ReactNode => {
  const words = usePage().texts.columns;
  if (draft.columns !== null) return <ColumnsOfDraft draft={draft} view={draft.columns} />;
  return (
    <Notice title={words.title}>
      <p>{words.noColumns}</p>
      <Link to={{ page: "draft", id: draft.id, step: "file" }}>{words.toFile}</Link>
    </Notice>
  );
};
