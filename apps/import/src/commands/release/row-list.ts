/** Rows as people name them: `3,7-9`. */

import { UsageError } from "@catalog/console";

/** Creates a test for the named rows. Throws `UsageError` for an invalid text. */
export function parseRowList(text: string | undefined): (row: number) => boolean {
  if (text === undefined) return () => true;
  const ranges = text.split(",").map((part) => {
    const { from, to = from } =
      /^\s*(?<from>\d+)(?:\s*-\s*(?<to>\d+))?\s*$/u.exec(part)?.groups ?? {};
    const range = { from: Number(from), to: Number(to) };
    if (from !== undefined && range.from >= 1 && range.to >= range.from) return range;
    throw new UsageError({
      tr: `--rows "${text}" anlaşılamadı. Satır numaralarını şöyle verin: 3,7-9`,
      en: `--rows "${text}" is not understood. Give row numbers like this: 3,7-9`,
    });
  });
  return (row) => ranges.some(({ from, to }) => row >= from && row <= to);
}
