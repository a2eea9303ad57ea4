import type { ReactNode } from "react";

import type { ReadingView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import type { ChangeReading } from "./file-step.tsx";

interface PreviewTableProps {
  readonly reading: ReadingView;
  readonly onChange: ChangeReading;
}

const rowClass = (row: number, header: number | undefined): string | undefined => {
  if (header === undefined) return undefined;
  if (row === header) return "header-row";
  return row < header ? "above-header" : undefined;
};

/** The first rows of the file; the number of a row makes it the header. */
export const PreviewTable = ({ reading, onChange }: PreviewTableProps): ReactNode => {
  const { file } = usePage().texts;
  if (reading.preview.length === 0) return null;
  const header = reading.headerRow?.value;
  const width = Math.max(...reading.preview.map(({ cells }) => cells.length));
  return (
    <section className="stack-tight">
      <h2>{file.preview}</h2>
      <p className="muted small">{file.headerHint}</p>
      <div className="scroll" tabIndex={0} role="region" aria-label={file.preview}>
        <table className="table file-preview">
          <tbody>
            {reading.preview.map(({ row, cells }) => (
              <tr
                key={row}
                className={rowClass(row, header)}
                onClick={() => onChange({ headerRow: row })}
              >
                <th scope="row">
                  <button
                    type="button"
                    className="row-button"
                    aria-pressed={row === header}
                    aria-label={file.useHeader(row)}
                  >
                    {row}
                  </button>
                </th>
                {Array.from({ length: width }, (_, column) => (
                  <td key={column}>{cells[column] ?? ""}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
};
