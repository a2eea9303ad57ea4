/** Several image columns with one header, as some programs write them. */

import { IMAGE_FIELDS } from "./fields/delivery-fields.ts";
import type { FieldKey } from "./fields/field.ts";
import type { HeaderMatch } from "./header-matcher.ts";

/** Whether a column holds images, one or several. */
export const isImageMatch = (match: HeaderMatch | undefined): boolean =>
  match?.target.kind === "field" && match.target.field.startsWith("image");

/**
 * Gives columns with one header the numbers that no other column has, in their order. A column
 * beyond the last number stays unknown.
 */
export function numberImageColumns(
  matches: readonly HeaderMatch[],
  headers: readonly string[],
): readonly HeaderMatch[] {
  const images = matches.flatMap((match, index) => (isImageMatch(match) ? [index] : []));
  const repeated = images.filter((index) =>
    images.some((other) => other !== index && headers[other] === headers[index]),
  );
  if (repeated.length === 0) return matches;
  const taken = new Set(
    images.filter((index) => !repeated.includes(index)).map((index) => fieldOf(matches[index])),
  );
  const free = IMAGE_FIELDS.filter((field) => !taken.has(field));
  const numbers = new Map(repeated.map((index, place) => [index, free[place]]));
  return matches.map((match, index): HeaderMatch => {
    if (!numbers.has(index)) return match;
    const field = numbers.get(index);
    return {
      ...match,
      target: field === undefined ? { kind: "unknown" } : { kind: "field", field },
    };
  });
}

const fieldOf = (match: HeaderMatch | undefined): FieldKey | undefined =>
  match?.target.kind === "field" ? match.target.field : undefined;
