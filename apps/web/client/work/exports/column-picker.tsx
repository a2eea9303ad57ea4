import type { ReactNode } from "react";

import type { ExportColumnView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { Button } from "../../ui/button.tsx";
import { Tick } from "../../ui/field.tsx";

interface ColumnPickerProps {
  readonly columns: readonly ExportColumnView[];
  /** Keys; none means all. */
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (chosen: ReadonlySet<string>) => void;
}

/** A folded list of columns to tick; with none ticked the file has all of them. */
export const ColumnPicker = ({ columns, chosen, onChoose }: ColumnPickerProps): ReactNode => {
  const words = usePage().texts.work.exports;
  const count = columns.filter(({ key }) => chosen.has(key)).length;
  const toggle = (key: string, isTicked: boolean): void => {
    const next = new Set(chosen);
    if (isTicked) next.add(key);
    else next.delete(key);
    onChoose(next);
  };
  return (
    <details className="fold">
      <summary>{count === 0 ? words.allColumns : words.someColumns(count)}</summary>
      <fieldset>
        <legend className="unseen">{words.columns}</legend>
        <div className="tick-grid">
          {columns.map(({ key, label }) => (
            <Tick
              key={key}
              isTicked={chosen.has(key)}
              onChange={(isTicked) => toggle(key, isTicked)}
            >
              {label}
            </Tick>
          ))}
        </div>
      </fieldset>
      {count === 0 ? null : (
        <Button kind="quiet" onPress={() => onChoose(new Set())}>
          {words.clearColumns}
        </Button>
      )}
    </details>
  );
};
