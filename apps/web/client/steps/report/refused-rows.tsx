import type { ReactNode } from "react";

import type { RefusedRow } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { Message } from "../../ui/message.tsx";

const MAX_SHOWN = 5;

/** Rows on which a decision could not be recorded, and why; nothing where there is none. */
export const RefusedRows = ({
  refused,
}: {
  readonly refused: readonly RefusedRow[];
}): ReactNode => {
  const { texts, format } = usePage();
  if (refused.length === 0) return null;
  return (
    <Message tone="error" title={texts.report.refused(refused.length)}>
      <ul>
        {refused.slice(0, MAX_SHOWN).map(({ row, message }) => (
          <li key={row}>
            {texts.preview.row} {format.number(row)}: {message}
          </li>
        ))}
      </ul>
    </Message>
  );
};
