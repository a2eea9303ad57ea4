import type { ReactNode } from "react";

import type { ExportColumnView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { Button } from "../../ui/button.tsx";
import { Tick } from "../../ui/field.tsx";
import { type ChosenColumns, isChosen, tickColumn } from "./export-body.ts";

interface ColumnPickerProps {
  readonly columns: readonly ExportColumnView[];
  readonly chosen: ChosenColumns;
  readonly onChoose: (chosen: ChosenColumns) => void;
}

/** A folded list of columns to tick; all of them are ticked at first. */
export const ColumnPicker = ({ columns, chosen, onChoose }: ColumnPickerProps): ReactNode => {
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
