/**
 * Markup of the page: untrusted texts, which stay texts; tables; and times, which are Turkish on
 * every machine.
 */

import type { Lang } from "@catalog/i18n";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes a text for elements and for attributes in double quotes. */
export function escapeHtml(text: string): string {
  return text.toWellFormed().replaceAll(/[&<>"']/gu, (sign) => ENTITIES[sign] ?? "");
}

/**
 * Puts a text in an element of its own, so that a right-to-left override within a cell does not
 * reverse the rest of the line.
 */
export function isolate(text: string): string {
  return `<bdi>${escapeHtml(text)}</bdi>`;
}

/** Writes JSON for a script element, in which no character can end or open an element. */
export function toScriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[<>&\u2028\u2029]/gu,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

interface TableParts {
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

const TURKISH_OFFSET_MS = 3 * 60 * 60 * 1000;

/** Formats day and time as an element, as the language writes them. */
export function formatTimestamp(ms: number, lang: Lang): string {
  const local = new Date(ms + TURKISH_OFFSET_MS).toISOString();
  const day = local.slice(0, 10);
  const time = local.slice(11, 16);
  const text =
    lang === "tr" ? `${day.split("-").toReversed().join(".")} ${time}` : `${day} ${time} UTC+3`;
  return `<time datetime="${new Date(ms).toISOString()}">${text}</time>`;
}
