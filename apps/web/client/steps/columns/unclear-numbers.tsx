import type { ReactNode } from "react";

import type { UnclearNumbersView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { Button } from "../../ui/button.tsx";
import type { DecimalSign } from "./column-choices.ts";

const SIGNS = ["comma", "point"] as const satisfies readonly DecimalSign[];

interface UnclearNumbersProps {
  readonly numbers: UnclearNumbersView;
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
