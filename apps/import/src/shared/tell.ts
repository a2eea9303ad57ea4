/** Paragraphs on the stream of messages, wrapped to the width of the terminal. */

import type { Terminal } from "@catalog/console";
import { wrapText } from "@catalog/console/wrap-text";

/** Where paragraphs are told. */
export interface Teller {
  readonly terminal: Pick<Terminal, "err" | "shown" | "columns">;
}

/** Tells a paragraph right after what was told before. */
export function tell({ terminal }: Teller, text: string, indent = 0): void {
  terminal.err(`${wrapText(terminal.shown(text), { columns: terminal.columns, indent })}\n`);
}

/** Tells a paragraph with an empty line before it. */
export function tellApart(teller: Teller, text: string): void {
  teller.terminal.err("\n");
  tell(teller, text);
}

/** Tells a warning: it begins with `!`, and its further lines are indented. */
export function tellWarning(teller: Teller, text: string): void {
  tell(teller, `! ${text}`, WARNING_INDENT);
}

const WARNING_INDENT = 2;
