import type { ReactNode } from "react";

import { usePage } from "../lib/page.tsx";
import { useOneStop } from "./use-one-stop.ts";

export interface Chip<Key extends string> {
  readonly key: Key;
  readonly label: string;
  readonly count?: number | undefined;
  readonly tone?: "error" | "warning" | undefined;
}

interface ChipsProps<Key extends string> {
  readonly label: string;
  readonly chips: readonly Chip<Key>[];
  readonly chosen: Key | undefined;
  readonly onChoose: (key: Key) => void;
}

/** Views of a table to choose one from. */
export const Chips = <Key extends string>({
  label,
  chips,
  chosen,
  onChoose,
}: ChipsProps<Key>): ReactNode => {
  const { format } = usePage();
  return (
    <div ref={useOneStop()} className="chips" role="group" aria-label={label}>
      {chips.map((chip) => (
        <button
          key={chip.key}
          type="button"
          className={chip.tone === undefined ? "chip" : `chip chip-${chip.tone}`}
          aria-pressed={chip.key === chosen}
          onClick={() => onChoose(chip.key)}
        >
          {chip.label}
          {chip.count === undefined ? null : <b className="count">{format.number(chip.count)}</b>}
        </button>
      ))}
    </div>
  );
};
