/** Query and path parameters are text; the schema of an endpoint's input says what they stand for. */

import { type ObjectSchema } from "@catalog/contract";
import * as z from "zod";

const NUMBER_PATTERN = /^-?\d+(?:\.\d+)?$/u;

/**
 * Numbers and comma lists out of texts, where the schema wants them. A text that is no number stays
 * as it is, for the schema to refuse; parameters that the schema does not know are left out.
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

/** Whether the schema wants numbers: any, or ones out of a list. */
function isNumeric(schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodLiteral) {
    return [...schema.values].every((value) => typeof value === "number");
  }
  return schema instanceof z.ZodNumber;
}

/** A parameter that is given several times counts as one list. */
function splitList(raw: unknown): readonly unknown[] {
  const texts: readonly unknown[] = Array.isArray(raw) ? raw : [raw];
  return texts.flatMap((text) =>
    typeof text === "string" ? text.split(",").filter((part) => part !== "") : [text],
  );
}
