/** Cases of a table that has the texts, behind bars, beside what each of them becomes. */
export const casesOf = (
  table: Readonly<Record<string, string | readonly string[]>>,
): readonly (readonly [text: string, expected: string])[] =>
  Object.entries(table).flatMap(([expected, texts]) =>
    [texts].flat().flatMap((some) => some.split("|").map((text) => [text, expected] as const)),
  );
