/**
 * JSON columns. They hold only what this package wrote, so they are read without validation; text
 * that does not parse means that the file is damaged.
 */

/** Writes a value as JSON text. */
export function toJson(value: unknown): string {
  return JSON.stringify(value);
}

/** Reads a value that was written with {@link toJson} from a value of the same type. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows its column
export function fromJson<Value>(text: string): Value {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by us, see above
  return JSON.parse(text) as Value;
}

const EMPTY_LIST = "[]";

/** Writes a list as JSON text; most lists are empty. */
export function toJsonList(list: readonly unknown[]): string {
  return list.length === 0 ? EMPTY_LIST : toJson(list);
}

/** Reads a list that was written with {@link toJsonList}. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows its column
export function fromJsonList<Item>(text: string): readonly Item[] {
  return text === EMPTY_LIST ? [] : fromJson<readonly Item[]>(text);
}
