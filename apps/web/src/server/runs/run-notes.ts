/** What a person is told of a plan besides its rows: facts, and what asks for attention. */

import type { Lang } from "@catalog/i18n";
import type { RunRecord } from "@catalog/runs";

import type { RunView } from "../../api/runs.ts";
import { plainText } from "../plain-advice.ts";

/** Warnings that only tell how the file was read; nothing is lost or to be done. */
const FACTS: ReadonlySet<string> = new Set([
  "W_COLUMN_NOT_SENT",
  "W_HEADER_ROWS",
  "W_IMAGE_ROW",
  "W_PARENT_ROW",
]);

/** Notes on how the file was read, and the warnings that are more than that, as sentences. */
export function toNotes(
  { facts }: Pick<RunRecord, "facts">,
  warnings: RunRecord["warnings"],
  lang: Lang,
): Pick<RunView, "notes" | "warnings"> {
  const [known = [], open = []] = [true, false].map((isFact) =>
    warnings
      .filter(({ code }) => FACTS.has(code) === isFact)
      .map(({ message }) => plainText(message[lang])),
  );
  const notes = (facts?.reading?.notes ?? []).map((note) => plainText(note[lang]));
  return { notes: [...notes, ...known], warnings: open };
}
