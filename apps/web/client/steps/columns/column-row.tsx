import type { ReactNode } from "react";

import type { ColumnView, FieldView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { FieldBox } from "./field-box.tsx";

interface ColumnRowProps {
  readonly column: ColumnView;
  readonly fields: readonly FieldView[];
  readonly onChoose: (column: ColumnView, field: string) => void;
}

const CONFIDENCE_BADGES = {
  sure: "badge badge-success",
  likely: "badge",
  open: "badge badge-warning",
} as const;

const Samples = ({ samples }: { readonly samples: readonly string[] }): ReactNode => {
  const { columns } = usePage().texts;
  if (samples.length === 0) return <span className="muted">{columns.empty}</span>;
  return (
    <ul className="samples">
      {samples.slice(0, 3).map((sample) => (
        <li key={sample} title={sample}>
          {sample}
        </li>
      ))}
    </ul>
  );
};

/** A column of the file, and the field that it is. */
export const ColumnRow = ({ column, fields, onChoose }: ColumnRowProps): ReactNode => {
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
        <FieldBox
          label={`${name}: ${words.field}`}
          column={column}
          fields={fields}
          onChoose={(field) => onChoose(column, field)}
        />
        {column.problem === null ? null : <p className="error-text">{column.problem.message}</p>}
      </td>
      <td data-label={words.reason}>
        <span className={CONFIDENCE_BADGES[column.confidence]}>
          {words.confidence[column.confidence]}
        </span>{" "}
        <span className="muted">{column.reason}</span>
      </td>
    </tr>
  );
};
