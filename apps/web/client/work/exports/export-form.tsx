import { type FormEvent, type ReactNode, useState } from "react";

import type { ExportBody, ExportKindView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { useStartExport } from "../../lib/work-queries.ts";
import { Button } from "../../ui/button.tsx";
import { Chips } from "../../ui/chips.tsx";
import { SelectField } from "../../ui/field.tsx";
import { Failure } from "../../ui/message.tsx";
import { ColumnPicker } from "./column-picker.tsx";
import {
  type ChosenColumns,
  columnsToChoose,
  isChosen,
  toColumns,
  toFilters,
} from "./export-body.ts";
import { FilterField } from "./filter-field.tsx";

const FORMATS = ["xlsx", "csv", "jsonl"] as const;

type Typed = Readonly<Record<string, string>>;

interface FiltersProps {
  readonly kind: ExportKindView;
  readonly typed: Typed;
  readonly onType: (typed: Typed) => void;
}

const isTick = (filter: ExportKindView["filters"][number]): boolean => filter.type === "yes";

/** Fields first, boxes to tick after them. */
const Filters = ({ kind, typed, onType }: FiltersProps): ReactNode => {
  const { work } = usePage().texts;
  const show = (filter: ExportKindView["filters"][number]): ReactNode => (
    <FilterField
      key={filter.key}
      filter={filter}
      value={typed[filter.key] ?? ""}
      onChange={(value) => onType({ ...typed, [filter.key]: value })}
    />
  );
  return (
    <fieldset className="stack-tight">
      <legend className="legend">{work.exports.filters}</legend>
      <div className="form-grid">{kind.filters.filter((filter) => !isTick(filter)).map(show)}</div>
      {kind.filters.filter(isTick).map(show)}
    </fieldset>
  );
};

const isFormat = (text: string): text is ExportBody["format"] =>
  FORMATS.some((format) => format === text);

const useForm = (kinds: readonly ExportKindView[]) => {
  const [chosen, setChosen] = useState(kinds[0]);
  const [typed, setTyped] = useState<Typed>({});
  const [columns, setColumns] = useState<ChosenColumns>(null);
  const [format, setFormat] = useState<ExportBody["format"]>("xlsx");
  return { chosen, setChosen, typed, setTyped, columns, setColumns, format, setFormat };
};

/** What to export, and how. */
export const ExportForm = ({ kinds }: { readonly kinds: readonly ExportKindView[] }): ReactNode => {
  const words = usePage().texts.work.exports;
  const form = useForm(kinds);
  const start = useStartExport();
  const { chosen, format } = form;
  if (chosen === undefined) return null;
  const columns = columnsToChoose(chosen, form.typed);
  const hasColumns = columns.some(({ key }) => isChosen(form.columns, key));
  const choose = (key: string): void => {
    form.setChosen(kinds.find(({ kind }) => kind === key));
    form.setColumns(null);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const { kind } = chosen;
    const filters = toFilters(chosen, form.typed);
    start.mutate({ kind, format, filters, columns: toColumns(columns, form.columns) });
  };
  return (
    <form className="card stack" onSubmit={submit}>
      <Chips
        label={words.kind}
        chips={kinds.map(({ kind, label }) => ({ key: kind, label }))}
        chosen={chosen.kind}
        onChoose={choose}
      />
      <Filters kind={chosen} typed={form.typed} onType={form.setTyped} />
      <div className="form-grid">
        <SelectField
          label={words.format}
          value={format}
          choices={FORMATS.map((value) => ({ value, label: words.formats[value] }))}
          onChange={(value) => isFormat(value) && form.setFormat(value)}
        />
      </div>
      <ColumnPicker columns={columns} chosen={form.columns} onChoose={form.setColumns} />
      <Failure error={start.error} />
      {hasColumns ? null : <p className="error-text">{words.noColumns}</p>}
      <Button
        type="submit"
        kind="primary"
        icon="download"
        isBusy={start.isPending}
        isDisabled={!hasColumns}
      >
        {start.isPending ? words.starting : words.go}
      </Button>
    </form>
  );
};
