/** Converts query and path parameters, which are text, by the schema of the endpoint's input. */

import type { ObjectSchema } from "@catalog/contract";
import * as z from "zod";

const NUMBER_PATTERN = /^-?\d+(?:\.\d+)?$/u;

/**
 * Converts texts to numbers and comma-separated lists, where the schema expects them. A text that
 * is no number is left for the schema to refuse; parameters that the schema does not have are
 * dropped.
 */
export function parseQuery(
  schema: Pick<ObjectSchema<unknown>, "shape">,
  raw: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const known = Object.entries(schema.shape).filter(([name]) => raw[name] !== undefined);
  return Object.fromEntries(known.map(([name, field]) => [name, parseValue(field, raw[name])]));
}

function parseValue(field: z.core.$ZodType, raw: unknown): unknown {
  const wanted = field instanceof z.ZodOptional ? field.unwrap() : field;
  if (wanted instanceof z.ZodArray) {
    return splitList(raw).map((part) => parseValue(wanted.element, part));
  }
  return isNumeric(wanted) && typeof raw === "string" && NUMBER_PATTERN.test(raw)
    ? Number(raw)
    : raw;
}

/** Whether the schema expects a number: any number, or one of a list. */
function isNumeric(schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodLiteral) {
    return [...schema.values].every((value) => typeof value === "number");
  }
  return schema instanceof z.ZodNumber;
}

/** Splits a list; a parameter that occurs several times is one list. */
function splitList(raw: unknown): readonly unknown[] {
  const texts: readonly unknown[] = Array.isArray(raw) ? raw : [raw];
  return texts.flatMap((text) =>
    typeof text === "string" ? text.split(",").filter((part) => part !== "") : [text],
  );
}
