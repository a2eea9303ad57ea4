import { escapeHtml } from "./escape.ts";

export interface TableParts {
  readonly columns: readonly string[];
  /** Columns that hold numbers. */
  readonly numbers: ReadonlySet<string>;
  readonly lines: readonly string[];
}

/** Formats a table in a region that the keyboard can scroll where the table is too wide. */
export function formatTable(name: string, { columns, numbers, lines }: TableParts): string {
  const head = columns
    .map((text) => {
      const kind = numbers.has(text) ? ' class="number"' : "";
      return `<th scope="col"${kind}>${escapeHtml(text)}</th>`;
    })
    .join("");
  return `<div class="scroll" role="group" aria-labelledby="${name}-title" tabindex="0">
<table><thead><tr>${head}</tr></thead><tbody>
${lines.join("\n")}
</tbody></table>
</div>`;
}
