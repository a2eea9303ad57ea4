/** Splits a list that is written as one text, separated by ", ". */
export function splitNames(list: string): readonly string[] {
  return list.split(", ");
}
