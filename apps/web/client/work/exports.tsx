/** What the store holds, as files. */

import { type FormEvent, type ReactNode, useState } from "react";

import type {
  ExportBody,
  ExportColumnView,
  ExportKindView,
  ExportView,
} from "../../src/api/index.ts";
import { usePage } from "../lib/page.tsx";
import { useExportKinds, useExports, useRemoveExport, useStartExport } from "../lib/queries.ts";
import { OnlyFor } from "../team/may.tsx";
import { Button, Chips, SelectField, TextField, Tick } from "../ui/controls.tsx";
import { Failure, Loaded } from "../ui/messages.tsx";
import { TitledScreen, Download } from "../ui/sections.tsx";

/** The columns that can be chosen with these filters. */
export const columnsToChoose = (
  { columns }: ExportKindView,
  typed: Readonly<Record<string, string>>,
): readonly ExportColumnView[] =>
  columns.filter(({ isFurther }) => !isFurther || typed["template"] === "full");

/** Keys of the columns that are ticked; `null` for all. */
type ChosenColumns = ReadonlySet<string> | null;

export const isChosen = (chosen: ChosenColumns, key: string): boolean =>
  chosen === null || chosen.has(key);

/** The columns after one was ticked or unticked. */
export function tickColumn(
  columns: readonly ExportColumnView[],
  chosen: ChosenColumns,
  [key, isTicked]: readonly [key: string, isTicked: boolean],
): ChosenColumns {
  const keys = columns.map((column) => column.key);
  const next = keys.filter((each) => (each === key ? isTicked : isChosen(chosen, each)));
  return next.length === keys.length ? null : new Set(next);
}

/** The chosen keys in the order of the file; none where all are chosen. */
export function toColumns(
  columns: readonly ExportColumnView[],
  chosen: ChosenColumns,
): readonly string[] {
  if (chosen === null) return [];
  const keys = columns.map(({ key }) => key).filter((key) => chosen.has(key));
  return keys.length === columns.length ? [] : keys;
}

/** The filled filters that the kind has; those of a kind chosen before are left out. */
export const toFilters = (
  kind: ExportKindView,
  typed: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    kind.filters.flatMap(({ key }) => {
      const value = (typed[key] ?? "").trim();
      return value === "" ? [] : [[key, value] as const];
    }),
  );

const INPUT_TYPES = { text: "text", number: "number", day: "date" } as const;

interface FilterFieldProps {
  readonly filter: ExportKindView["filters"][number];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** One filter of an export, as its type asks for. */
const FilterField = ({ filter, value, onChange }: FilterFieldProps): ReactNode => {
  const { label, type, choices, empty } = filter;
  if (type === "yes") {
    return (
      <Tick isTicked={value !== ""} onChange={(isTicked) => onChange(isTicked ? "yes" : "")}>
        {label}
      </Tick>
    );
  }
  if (type === "choice") {
    const all = empty === null ? choices : [{ value: "", label: empty }, ...choices];
    return <SelectField label={label} value={value} onChange={onChange} choices={all} />;
  }
  return <TextField label={label} type={INPUT_TYPES[type]} value={value} onChange={onChange} />;
};

interface ColumnPickerProps {
  readonly columns: readonly ExportColumnView[];
  readonly chosen: ChosenColumns;
  readonly onChoose: (chosen: ChosenColumns) => void;
}

/** A folded list of columns to tick; all of them are ticked at first. */
const ColumnPicker = ({ columns, chosen, onChoose }: ColumnPickerProps): ReactNode => {
  const words = usePage().texts.work.exports;
  const count = columns.filter(({ key }) => isChosen(chosen, key)).length;
  const isAll = count === columns.length;
  return (
    <details className="fold">
      <summary>{isAll ? words.allColumns : words.someColumns(count)}</summary>
      <fieldset>
        <legend className="unseen">{words.columns}</legend>
        <div className="tick-grid">
          {columns.map(({ key, label }) => (
            <Tick
              key={key}
              isTicked={isChosen(chosen, key)}
              onChange={(isTicked) => onChoose(tickColumn(columns, chosen, [key, isTicked]))}
            >
              {label}
            </Tick>
          ))}
        </div>
      </fieldset>
      <div className="line">
        <Button kind="quiet" isDisabled={isAll} onPress={() => onChoose(null)}>
          {words.tickAll}
        </Button>
        <Button kind="quiet" isDisabled={count === 0} onPress={() => onChoose(new Set())}>
          {words.tickNone}
        </Button>
      </div>
    </details>
  );
};

const FORMATS = ["xlsx", "csv", "jsonl"] as const;

const ExportForm = ({ kinds }: { readonly kinds: readonly ExportKindView[] }): ReactNode => {
  const words = usePage().texts.work.exports;
  const start = useStartExport();
  const [chosen, setChosen] = useState(kinds[0]);
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [ticked, setTicked] = useState<ChosenColumns>(null);
  const [format, setFormat] = useState<ExportBody["format"]>("xlsx");
  if (chosen === undefined) return null;
  const columns = columnsToChoose(chosen, typed);
  const filled = Object.keys(toFilters(chosen, typed)).length;
  const hasColumns = columns.some(({ key }) => isChosen(ticked, key));
  const choose = (key: string): void => {
    setChosen(kinds.find(({ kind }) => kind === key));
    setTicked(null);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const { kind } = chosen;
    const filters = toFilters(chosen, typed);
    start.mutate({ kind, format, filters, columns: toColumns(columns, ticked) });
  };
  const show = (filter: ExportKindView["filters"][number]): ReactNode => (
    <FilterField
      key={filter.key}
      filter={filter}
      value={typed[filter.key] ?? ""}
      onChange={(value) => setTyped({ ...typed, [filter.key]: value })}
    />
  );
  return (
    <form className="card stack" onSubmit={submit}>
      <Chips
        label={words.kind}
        chips={kinds.map(({ kind, label }) => ({ key: kind, label }))}
        chosen={chosen.kind}
        onChoose={choose}
      />
      <details className="fold">
        <summary>{filled === 0 ? words.filters : words.someFilters(filled)}</summary>
        <fieldset className="stack-tight">
          <legend className="unseen">{words.filters}</legend>
          <div className="form-grid">
            {chosen.filters.filter(({ type }) => type !== "yes").map(show)}
          </div>
          {chosen.filters.filter(({ type }) => type === "yes").map(show)}
        </fieldset>
      </details>
      <ColumnPicker columns={columns} chosen={ticked} onChoose={setTicked} />
      <Failure error={start.error} />
      {hasColumns ? null : <p className="error-text">{words.noColumns}</p>}
      <div className="form-line">
        <SelectField
          label={words.format}
          value={format}
          choices={FORMATS.map((value) => ({ value, label: words.formats[value] }))}
          onChange={(value) => setFormat(FORMATS.find((one) => one === value) ?? format)}
        />
        <Button
          type="submit"
          kind="primary"
          icon="download"
          isBusy={start.isPending}
          isDisabled={!hasColumns}
        >
          {start.isPending ? words.starting : words.go}
        </Button>
      </div>
    </form>
  );
};

const STATE_BADGES = {
  running: "badge badge-accent",
  done: "badge badge-success",
  failed: "badge badge-error",
} as const;

const Facts = ({ file }: { readonly file: ExportView }): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.work.exports;
  return (
    <span className="file-facts">
      <span className={STATE_BADGES[file.state]}>
        {file.state === "running" ? <span className="spinner" aria-hidden="true" /> : null}
        {words.states[file.state]}
      </span>
      {file.rows === null ? null : <span className="number">{words.rows(file.rows)}</span>}
      {file.bytes === null ? null : <span className="number">{format.bytes(file.bytes)}</span>}
      <time dateTime={file.createdAt} title={format.date(file.createdAt)}>
        {format.ago(file.createdAt, Date.now())}
      </time>
    </span>
  );
};

interface FileItemProps {
  readonly file: ExportView;
  readonly isRemoving: boolean;
  readonly onRemove: () => void;
}

const FileItem = ({ file, isRemoving, onRemove }: FileItemProps): ReactNode => {
  const words = usePage().texts.work.exports;
  const isRunning = file.state === "running";
  return (
    <li className="made-file">
      <div className="made-file-text">
        <strong>{file.name}</strong>
        <span className="muted">{file.text}</span>
        <Facts file={file} />
        {file.notes.map((note) => (
          <p key={note} className="small">
            {note}
          </p>
        ))}
        {file.problem === null ? null : (
          <p className="error-text">{file.problem.message || words.lost}</p>
        )}
      </div>
      <OnlyFor role="editor" isSaid={false}>
        <div className="line">
          {file.state === "done" ? (
            <Download
              href={`/api/exports/${encodeURIComponent(file.id)}/file`}
              label={words.downloadName(file.name)}
            >
              {words.download}
            </Download>
          ) : null}
          <Button
            kind="quiet"
            icon="close"
            isBusy={isRemoving}
            label={isRunning ? words.stopName(file.name) : words.removeName(file.name)}
            onPress={onRemove}
          >
            {words.remove}
          </Button>
        </div>
      </OnlyFor>
    </li>
  );
};

/** Files that are shown before a person asks for all. */
const MAX_SHOWN = 5;

/** Files that were made before, the newest first. */
const ExportFiles = ({ files }: { readonly files: readonly ExportView[] }): ReactNode => {
  const words = usePage().texts.work.exports;
  const remove = useRemoveExport();
  const [isAll, setIsAll] = useState(false);
  if (files.length === 0) return null;
  const shown = isAll ? files : files.slice(0, MAX_SHOWN);
  return (
    <section className="stack-tight" aria-live="polite">
      <h2>{words.listTitle}</h2>
      <Failure error={remove.error} />
      <ul className="made-files">
        {shown.map((file) => (
          <FileItem
            key={file.id}
            file={file}
            isRemoving={remove.isPending && remove.variables === file.id}
            onRemove={() => remove.mutate(file.id)}
          />
        ))}
      </ul>
      {shown.length === files.length ? null : (
        <Button kind="quiet" onPress={() => setIsAll(true)}>
          {words.showAll(files.length)}
        </Button>
      )}
    </section>
  );
};

const NewExport = (): ReactNode => (
  <Loaded query={useExportKinds()}>{(kinds) => <ExportForm kinds={kinds} />}</Loaded>
);

export const Exports = (): ReactNode => {
  const { lang, texts } = usePage();
  const words = texts.work.exports;
  return (
    <TitledScreen title={words.title}>
      <Loaded query={useExports()}>{(files) => <ExportFiles files={files} />}</Loaded>
      <OnlyFor role="editor">
        <NewExport key={lang} />
      </OnlyFor>
    </TitledScreen>
  );
};
