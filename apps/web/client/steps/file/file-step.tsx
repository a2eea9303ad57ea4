/** The first step: how the file is read. */

import { type ComponentProps, type ReactNode, useState } from "react";

import type { ColumnsView, DraftView, ReadingBody, ReadingView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { useRemoveDraft, useDraftChange } from "../../lib/queries.ts";
import { goTo } from "../../lib/route.ts";
import { Button, EncodingChoices, Link, SelectField, Tick } from "../../ui/controls.tsx";
import { Failure, Message, Waiting } from "../../ui/messages.tsx";
import { CutText } from "../../ui/sections.tsx";

const PROBLEMS = {
  sheet: [
    "E_SHEET_CHOICE",
    "E_SHEET_UNKNOWN",
    "E_SHEETS_DIFFER",
    "E_RECORD_CHOICE",
    "E_RECORD_UNKNOWN",
  ],
  encoding: ["E_ENCODING", "E_ENCODING_UNSURE", "E_NUL"],
  delimiter: ["E_DELIMITER", "E_CSV_QUOTE"],
  headerRow: ["E_HEADER_ROW"],
} as const;

/** Whether the file cannot be read because of this setting, and not because of another one. */
export const isOpenSetting = (
  { problem }: Pick<ReadingView, "problem">,
  setting: keyof typeof PROBLEMS,
): boolean => PROBLEMS[setting].some((code) => code === problem?.code);

/** The sheets that are read; where none is chosen yet, those with headers of products. */
export function tickedSheets({
  sheet,
  sheets,
}: Pick<ReadingView, "sheet" | "sheets">): readonly string[] {
  if (sheet === null) {
    return sheets.filter(({ hasProducts }) => hasProducts === true).map(({ name }) => name);
  }
  return sheets.filter(({ name }) => sheet.value.includes(name)).map(({ name }) => name);
}

/** Says that the file waits for a setting. */
const Mark = ({ isOpen }: { readonly isOpen: boolean }): ReactNode => {
  const { file } = usePage().texts;
  return isOpen ? <span className="badge badge-error">{file.open}</span> : null;
};

interface SettingsProps {
  readonly reading: ReadingView;
  readonly onChange: ChangeReading;
}

const isDocument = ({ kind }: Pick<ReadingView, "kind">): boolean =>
  kind === "xml" || kind === "json";

/** The records of XML or JSON, of which one is a product. */
const RecordSetting = ({ reading, onChange }: SettingsProps): ReactNode => {
  const { file } = usePage().texts;
  const read = reading.sheet?.value[0] ?? "";
  if (reading.sheets.length === 0) return null;
  const choices = reading.sheets.map(({ name, rows, hasMoreRows }) => ({
    value: name,
    label: rows === null ? name : `${name} (${file.recordCount(rows, hasMoreRows)})`,
  }));
  return (
    <SelectField
      label={file.record}
      mark={<Mark isOpen={isOpenSetting(reading, "sheet")} />}
      value={read}
      choices={read === "" ? [{ value: "", label: file.open }, ...choices] : choices}
      onChange={(sheet) => sheet !== "" && onChange({ sheet })}
    />
  );
};

/** The sheets of a workbook, of which any may be read together. */
const SheetSetting = ({ reading, onChange }: SettingsProps): ReactNode => {
  const read = tickedSheets(reading);
  if (isDocument(reading)) return <RecordSetting reading={reading} onChange={onChange} />;
  if (reading.sheets.length < 2) return null;
  // Other ticks begin where other sheets were read.
  return (
    <SheetTicks key={JSON.stringify(read)} reading={reading} onChange={onChange} read={read} />
  );
};

interface SheetTicksProps extends SettingsProps {
  readonly read: readonly string[];
}

const SheetTicks = ({ reading, onChange, read }: SheetTicksProps): ReactNode => {
  const { file } = usePage().texts;
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set(read));
  const names = reading.sheets.map(({ name }) => name).filter((name) => ticked.has(name));
  const isRead = reading.sheet !== null && reading.problem === null;
  const isSame =
    isRead && names.length === read.length && names.every((name) => read.includes(name));
  const tick = (name: string, isTicked: boolean): void => {
    const others = [...ticked].filter((each) => each !== name);
    setTicked(new Set(isTicked ? [...others, name] : others));
  };
  return (
    <fieldset className="field encodings">
      <legend className="field-label">
        {file.sheets} <Mark isOpen={isOpenSetting(reading, "sheet")} />
      </legend>
      <small className="hint">{file.sheetsHint}</small>
      <div className="encoding-choices">
        {reading.sheets.map(({ name, rows, hasMoreRows }) => (
          <div key={name} className="sheet-choice">
            <Tick isTicked={ticked.has(name)} onChange={(isTicked) => tick(name, isTicked)}>
              <span className="encoding-sample">{name}</span>
              {rows === null ? null : (
                <span className="muted small">, {file.sheetRows(rows, hasMoreRows)}</span>
              )}
            </Tick>
          </div>
        ))}
      </div>
      <div className="line">
        <Button
          kind={isRead ? "plain" : "primary"}
          isDisabled={names.length === 0 || isSame}
          onPress={() => onChange({ sheet: names })}
        >
          {file.readSheets(names.length)}
        </Button>
        <Button kind="quiet" onPress={() => onChange({ sheet: "all" })}>
          {file.allSheets}
        </Button>
      </div>
    </fieldset>
  );
};

/** A setting that is one of some choices, with a mark of how it is known. */
const SettingField = ({
  reading,
  setting,
  ...field
}: Omit<ComponentProps<typeof SelectField>, "mark"> &
  Pick<SettingsProps, "reading"> & {
    readonly setting: "encoding" | "delimiter" | "headerRow";
  }): ReactNode => (
  <SelectField {...field} mark={<Mark isOpen={isOpenSetting(reading, setting)} />} />
);

/** The encoding, asked by the words that each one gives where they differ. */
const EncodingSetting = ({ reading, onChange }: SettingsProps): ReactNode => {
  const { file } = usePage().texts;
  const { encodings } = reading;
  if (encodings.length === 0) return null;
  if (encodings.some(({ sample }) => sample !== "")) {
    return (
      <EncodingChoices
        encodings={encodings}
        chosen={reading.encoding?.value}
        mark={<Mark isOpen={isOpenSetting(reading, "encoding")} />}
        onChoose={(encoding) => onChange({ encoding })}
      />
    );
  }
  const used = reading.encoding?.value ?? "";
  const names: Readonly<Record<string, string>> = file.encodings;
  const known = encodings.map(({ encoding }) => encoding);
  const all = known.includes(used) || used === "" ? known : [used, ...known];
  const own = all.map((value) => ({ value, label: names[value] ?? value }));
  return (
    <SettingField
      {...{ reading, setting: "encoding" }}
      label={file.encoding}
      value={used}
      choices={[{ value: "", label: file.byItself }, ...own]}
      onChange={(encoding) => onChange({ encoding: encoding === "" ? null : encoding })}
    />
  );
};

const DelimiterSetting = ({ reading, onChange }: SettingsProps): ReactNode => {
  const { file } = usePage().texts;
  if (reading.kind !== "csv") return null;
  const known = Object.entries(file.delimiters).map(([value, label]) => ({ value, label }));
  const chosen = reading.delimiter?.value ?? "";
  const isOwn = chosen !== "" && !known.some(({ value }) => value === chosen);
  const own = isOwn ? [{ value: chosen, label: chosen }] : [];
  return (
    <SettingField
      {...{ reading, setting: "delimiter" }}
      label={file.delimiter}
      value={chosen}
      choices={[{ value: "", label: file.byItself }, ...own, ...known]}
      onChange={(delimiter) => onChange({ delimiter: delimiter === "" ? null : delimiter })}
    />
  );
};

const HeaderSetting = ({ reading, onChange }: SettingsProps): ReactNode => {
  const { file } = usePage().texts;
  if (reading.preview.length === 0 || isDocument(reading)) return null;
  const chosen = reading.headerRow?.value;
  const none = chosen === undefined ? [{ value: "", label: file.open }] : [];
  const rows = new Set([
    ...reading.preview.map(({ row }) => row),
    ...(chosen === undefined ? [] : [chosen]),
  ]);
  return (
    <SettingField
      {...{ reading, setting: "headerRow" }}
      label={file.header}
      value={chosen === undefined ? "" : String(chosen)}
      choices={[
        ...none,
        ...[...rows].map((row) => ({ value: String(row), label: file.headerRow(row) })),
      ]}
      onChange={(row) => onChange({ headerRow: row === "" ? null : Number(row) })}
    />
  );
};

const DecimalSetting = ({ reading, onChange }: SettingsProps): ReactNode => {
  const { file } = usePage().texts;
  return (
    <SelectField
      label={file.decimal}
      value={reading.decimal ?? "auto"}
      choices={[
        { value: "auto", label: file.decimals.auto },
        { value: "comma", label: file.decimals.comma },
        { value: "point", label: file.decimals.point },
      ]}
      onChange={(value) =>
        onChange({ decimal: value === "comma" || value === "point" ? value : null })
      }
    />
  );
};

const ReadingSettings = (props: SettingsProps): ReactNode => {
  const { file } = usePage().texts;
  return (
    <div className="settings">
      <h2 className="unseen">{file.settings}</h2>
      <SheetSetting {...props} />
      <DelimiterSetting {...props} />
      <HeaderSetting {...props} />
      <DecimalSetting {...props} />
      <EncodingSetting {...props} />
    </div>
  );
};

const rowClass = (row: number, header: number | undefined): string | undefined => {
  if (header === undefined) return undefined;
  if (row === header) return "header-row";
  return row < header ? "no-data" : undefined;
};

interface PreviewTableProps extends SettingsProps {
  /** Rows below the header that are no products. */
  readonly skipped: ReadonlySet<number>;
}

/** The first rows of the file; the number of a row makes it the header. */
const PreviewTable = ({ reading, skipped, onChange }: PreviewTableProps): ReactNode => {
  const { texts, format } = usePage();
  const { file } = texts;
  if (reading.preview.length === 0) return null;
  const header = reading.headerRow?.value;
  const isFixed = isDocument(reading);
  const width = Math.max(...reading.preview.map(({ cells }) => cells.length));
  return (
    <section className="stack-tight">
      <h2 className="unseen">{file.preview}</h2>
      {isFixed ? null : <p className="muted small">{file.headerHint}</p>}
      <div className="scroll" tabIndex={0} role="region" aria-label={file.preview}>
        <table className="table file-preview">
          <tbody>
            {reading.preview.map(({ row, cells, numbers = [] }) => (
              <tr
                key={row}
                className={skipped.has(row) ? "no-data" : rowClass(row, header)}
                onClick={isFixed ? undefined : () => onChange({ headerRow: row })}
              >
                <th scope="row">
                  {isFixed ? (
                    row || ""
                  ) : (
                    <button
                      type="button"
                      className="row-button"
                      aria-pressed={row === header}
                      aria-label={file.useHeader(row)}
                    >
                      {row}
                    </button>
                  )}
                </th>
                {Array.from({ length: width }, (_, column) => (
                  <td key={column} className={numbers.includes(column) ? "number-cell" : undefined}>
                    {numbers.includes(column) ? (
                      format.cell(Number(cells[column]))
                    ) : (
                      <CutText text={cells[column] ?? ""} />
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
};

type ChangeReading = (settings: Omit<ReadingBody, "version">) => void;

const SentBefore = ({ draft }: { readonly draft: DraftView }): ReactNode => {
  const { texts, format } = usePage();
  if (draft.sentBefore === null) return null;
  const { run, at } = draft.sentBefore;
  return (
    <Message
      tone="info"
      actions={<Link to={{ page: "run", id: run, step: "report" }}>{texts.file.showRun}</Link>}
    >
      {texts.file.sentBefore(format.ago(at, Date.now()))}
    </Message>
  );
};

/** A file that no setting makes readable: what it is, and the way to remove it. */
const Unusable = ({ draft }: { readonly draft: DraftView }): ReactNode => {
  const { texts } = usePage();
  const remove = useRemoveDraft(() => goTo({ page: "upload" }));
  return (
    <section className="narrow card stack">
      <h1>{texts.file.unusableTitle}</h1>
      <p>{draft.reading.problem?.message}</p>
      <Failure error={remove.error} />
      <div className="line">
        <Button kind="danger" isBusy={remove.isRunning} onPress={() => remove.run(draft.id)}>
          {texts.file.removeFile}
        </Button>
        <Link to={{ page: "upload" }}>{texts.file.otherFile}</Link>
      </div>
    </section>
  );
};

export const FileStep = ({ draft }: { readonly draft: DraftView }): ReactNode =>
  draft.reading.isUnusable ? <Unusable draft={draft} /> : <Reading draft={draft} />;

const ReadingProblem = ({ problem }: Pick<DraftView["reading"], "problem">): ReactNode => {
  const { file } = usePage().texts;
  if (problem === null) return null;
  if (problem.code === "E_SHEET_CHOICE") return <Message tone="info">{file.chooseSheets}</Message>;
  if (problem.code === "E_RECORD_CHOICE") {
    return <Message tone="info">{file.chooseRecord}</Message>;
  }
  const advice = problem.code === "E_ENCODING" ? file.otherEncoding : problem.message;
  return <Message tone="error">{advice}</Message>;
};

const NONE: ColumnsView["skipped"] = [];
const MAX_NAMED = 3;

/** How the file was read, in one line. */
const useFacts = ({ reading, columns, counts }: DraftView): string => {
  const { file } = usePage().texts;
  const { kind, sheet, sheets, headerRow } = reading;
  const [only] = sheets.length === 1 ? sheets : [];
  const skipped = columns?.skipped ?? NONE;
  const names = [...new Set(skipped.map(({ text }) => text))].slice(0, MAX_NAMED).join(", ");
  return [
    ...(kind === "csv" || sheet === null || isDocument(reading)
      ? []
      : [file.sheetsRead(sheet.value.length, sheet.value.join(", "))]),
    ...(headerRow === null || isDocument(reading) ? [] : [file.factHeader(headerRow.value)]),
    ...(counts === null
      ? listBelow(only, headerRow).map((below) => file.factRows(below - skipped.length))
      : [file.factProducts(counts.rows)]),
    ...(skipped.length === 0 ? [] : [file.factSkipped(skipped.length, names)]),
  ].join(" · ");
};

/** Rows below the header of the only sheet, where their number is known. */
const listBelow = (
  sheet: ReadingView["sheets"][number] | undefined,
  headerRow: ReadingView["headerRow"],
): readonly number[] =>
  sheet === undefined || sheet.rows === null || sheet.hasMoreRows || headerRow === null
    ? []
    : [Math.max(0, sheet.rows - headerRow.value)];

const Reading = ({ draft }: { readonly draft: DraftView }): ReactNode => {
  const { texts } = usePage();
  const words = texts.file;
  const change = useDraftChange(draft.id);
  const onChange: ChangeReading = (settings) =>
    change.mutate({
      path: "/reading",
      method: "PATCH",
      body: { version: draft.version, ...settings },
    });
  const { reading } = draft;
  const isReading = draft.progress?.step === "read";
  const facts = useFacts(draft);
  const skipped = new Set(draft.columns?.skipped.map(({ row }) => row));
  return (
    <section className="stack">
      <h1>{words.title}</h1>
      {facts === "" ? null : <p className="lead">{facts}</p>}
      <SentBefore draft={draft} />
      <ReadingProblem problem={reading.problem} />
      <Failure error={change.error} />
      <ReadingSettings reading={reading} onChange={onChange} />
      {change.isPending || isReading ? <Waiting text={draft.progress?.text ?? words.busy} /> : null}
      <PreviewTable reading={reading} skipped={skipped} onChange={onChange} />
      <div className="go">
        <Button
          kind="primary"
          isDisabled={draft.columns === null}
          onPress={() => goTo({ page: "draft", id: draft.id, step: "columns" })}
        >
          {words.go}
        </Button>
      </div>
    </section>
  );
};
