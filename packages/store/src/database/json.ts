/**
 * JSON columns. They hold only what this package wrote, so reading them back is trusted; a column
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
