/**
 * Picks values out of an answer by a path: JSONPath as RFC 9535 has it, or the short forms that people
 * know of other tools, such as `.result[].id`, which are rewritten to it.
 */

import { UsageError } from "@catalog/console";
import { compile, JSONPathError } from "json-p3";

/** Picks from one value: the value itself for a path to a single place, else all that match. */
export interface Selection {
  /** Whether the path names a single place. */
  readonly isSingle: boolean;
  pick(value: unknown): readonly unknown[];
}

/** Longest path, in UTF-16 units. */
const MAX_LENGTH = 1_000;

/** Reads a path. Throws {@link UsageError} for a text that is none. */
export function parseSelection(text: string): Selection {
  if (text.length > MAX_LENGTH) throw refuse(text.slice(0, 20), `> ${MAX_LENGTH}`);
  try {
    const query = compile(toJsonPath(text.trim()));
    return {
      isSingle: query.singularQuery(),
      pick: (value) => (isJson(value) ? query.query(value).values() : []),
    };
  } catch (error) {
    if (error instanceof JSONPathError) throw refuse(text, error.message);
    throw error;
  }
}

type JsonValue = Parameters<ReturnType<typeof compile>["query"]>[0];

/** All values come from the parser of an answer. */
const isJson = (value: unknown): value is JsonValue => value !== undefined;

/** `.result[].id` is `$.result[*].id`, and so is `result[].id`. */
function toJsonPath(text: string): string {
  if (text.startsWith("$")) return text;
  const path = text.replaceAll(/("[^"]*"|'[^']*')|\[\]/gu, (_, quoted?: string) => quoted ?? "[*]");
  if (path === "." || path === "") return "$";
  if (path.startsWith(".[")) return `$${path.slice(1)}`;
  return path.startsWith(".") || path.startsWith("[") ? `$${path}` : `$.${path}`;
}

const refuse = (text: string, reason: string): UsageError =>
  new UsageError({
    tr: `--select "${text}" anlaşılamadı (${reason}). Şöyle yazın: .total, .result[].id, .result[0] ya da JSONPath (RFC 9535): $.result[?@.stock == 0].id`,
    en: `--select "${text}" is not understood (${reason}). Write it like .total, .result[].id, .result[0], or as JSONPath (RFC 9535): $.result[?@.stock == 0].id`,
  });
