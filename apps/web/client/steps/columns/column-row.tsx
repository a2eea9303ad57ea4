import type { ReactNode } from "react";

import type { ColumnView, FieldView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { Button } from "../../ui/button.tsx";
import type { DecimalSign } from "./column-choices.ts";
import { FieldBox } from "./field-box.tsx";
import { UnclearNumbers } from "./unclear-numbers.tsx";

interface ColumnRowProps {
  readonly column: ColumnView;
  readonly fields: readonly FieldView[];
  readonly onChoose: (column: ColumnView, field: string) => void;
  /** Takes the column in place of others with its header; `null` where there are none. */
  readonly onTake: ((column: ColumnView) => void) | null;
  readonly onDecimal: (column: ColumnView, sign: DecimalSign) => void;
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

/** The field that the cells look like, and the way to take it at once. */
const Guess = ({
  column,
  fields,
  onChoose,
}: Pick<ColumnRowProps, "column" | "fields" | "onChoose">): ReactNode => {
  const { columns: words } = usePage().texts;
  const field = fields.find(({ key }) => key === column.guess);
  if (field === undefined || column.field !== null) return null;
  return <Button onPress={() => onChoose(column, field.key)}>{words.accept(field.label)}</Button>;
};

/** How sure the field is; a column that is not used has none to be sure of. */
const Badge = ({ column: { field, confidence } }: Pick<ColumnRowProps, "column">): ReactNode => {
  const words = usePage().texts.columns;
  if (field === "-") return <span className="badge">{words.notUsed}</span>;
  return <span className={CONFIDENCE_BADGES[confidence]}>{words.confidence[confidence]}</span>;
};

/** A column of the file, and the field that it is. */
export const ColumnRow = (props: ColumnRowProps): ReactNode => {
  const { column, fields, onChoose, onTake, onDecimal } = props;
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
        <Guess column={column} fields={fields} onChoose={onChoose} />
        {onTake === null ? null : (
          <Button onPress={() => onTake(column)}>{words.take(column.letter)}</Button>
        )}
        {column.unclear === null ? null : (
          <UnclearNumbers numbers={column.unclear} onAnswer={(sign) => onDecimal(column, sign)} />
        )}
        {column.problem === null ? null : <p className="error-text">{column.problem.message}</p>}
      </td>
      <td data-label={words.reason}>
        <Badge column={column} />{" "}
        {column.problem === null ? <span className="muted">{column.reason}</span> : null}
      </td>
    </tr>
  );
};
