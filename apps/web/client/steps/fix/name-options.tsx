import { type ReactNode, useId, useState } from "react";

import type { NameChoiceView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { NameSearch } from "./name-search.tsx";

interface NameOptionsProps {
  readonly draft: string;
  /** The cell whose names are searched; its column is `null` where no column has the name. */
  readonly row: number;
  readonly column: number | null;
  /** The name that is not known. */
  readonly value: string;
  readonly choices: readonly NameChoiceView[];
  readonly target: string | null;
  readonly onTarget: (target: string) => void;
}

/** The suggested names, and one that was searched for. */
export const NameOptions = (props: NameOptionsProps): ReactNode => {
  const { draft, row, column, value, choices, target, onTarget } = props;
  const { fix } = usePage().texts;
  const [found, setFound] = useState<NameChoiceView | null>(null);
  const group = useId();
  const isNew = found !== null && !choices.some((choice) => choice.target === found.target);
  return (
    <>
      <fieldset className="name-options">
        <legend className="unseen">{fix.nameChoices(value)}</legend>
        {[...choices, ...(isNew ? [found] : [])].map((choice) => (
          <label key={choice.target} className="name-option">
            <input
              type="radio"
              name={group}
              checked={choice.target === target}
              onChange={() => onTarget(choice.target)}
            />
            <span>
              {choice.label}
              {choice.hint === undefined ? null : (
                <span className="muted small"> · {choice.hint}</span>
              )}
            </span>
          </label>
        ))}
      </fieldset>
      {column === null ? (
        <p className="muted">{fix.nameOther}</p>
      ) : (
        <NameSearch
          draft={draft}
          row={row}
          column={column}
          value={value}
          onChoose={(choice) => {
            setFound({ target: choice.value, label: choice.label });
            onTarget(choice.value);
          }}
        />
      )}
    </>
  );
};
