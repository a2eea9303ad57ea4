/**
 * The fields of a call as data, made from its schema, and what people write for them: `name=value` on
 * the command line, and JSON. Mistakes are collected, never thrown one by one.
 */

import { endpointNamed, type EndpointName, pathParameters } from "@catalog/contract";
import type { Localized } from "@catalog/i18n";
import { z } from "zod";

import { findNear } from "../../command-line/check.ts";
import { describeIssue, type FieldKind, MISTAKES } from "./texts.ts";

/** A field of a call's input. */
export interface CallField {
  readonly name: string;
  /** The kinds of values that it takes; several where the marketplace takes either. */
  readonly kinds: readonly FieldKind[];
  readonly isRequired: boolean;
  /** Whether it stands in the path of the call. */
  readonly isInPath: boolean;
  /** Whether the specification does not name it for this call. */
  readonly isUndocumented: boolean;
  /** The only values that it takes; empty where any fits. */
  readonly choices: readonly (string | number | boolean)[];
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly default: string | number | boolean | undefined;
  /** What the contract says of it, in English. */
  readonly description: string | undefined;
}

const constant = z.union([z.string(), z.number(), z.boolean()]);

const schemaParts = z.looseObject({
  type: z.string().optional(),
  const: constant.optional(),
  enum: z.array(constant).optional(),
  anyOf: z.array(z.unknown()).optional(),
  items: z.unknown().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  default: constant.optional(),
  title: z.string().optional(),
  description: z.string().optional(),
});

type SchemaParts = z.infer<typeof schemaParts>;

const objectParts = z.looseObject({
  properties: z.record(z.string(), z.unknown()).default({}),
  required: z.array(z.string()).default([]),
});

/** Lists the fields of a call: those of the path first, then in the order of the specification. */
export function listFields(name: EndpointName): readonly CallField[] {
  const endpoint = endpointNamed(name);
  const { properties, required } = objectParts.parse(
    z.toJSONSchema(endpoint.input, { io: "input", unrepresentable: "any" }),
  );
  const inPath = new Set(pathParameters(endpoint));
  const fields = Object.entries(properties).map(([field, schema]): CallField => {
    const parts = schemaParts.parse(schema);
    const all = alternativesOf(parts);
    return {
      name: field,
      kinds: [...new Set(all.map(kindOf))],
      isRequired: required.includes(field),
      isInPath: inPath.has(field),
      isUndocumented: endpoint.undocumentedFields?.includes(field) === true,
      choices: all.flatMap(({ const: only, enum: some = [] }) =>
        only === undefined ? some : [only],
      ),
      min: boundOf(parts.minimum),
      max: boundOf(parts.maximum),
      default: parts.default,
      description: parts.description,
    };
  });
  return fields.toSorted((a, b) => Number(b.isInPath) - Number(a.isInPath));
}

const alternativesOf = (parts: SchemaParts): readonly SchemaParts[] =>
  parts.anyOf === undefined
    ? [parts]
    : parts.anyOf.flatMap((one) => alternativesOf(schemaParts.parse(one)));

/** The bounds of all whole numbers that JSON keeps exact say nothing. */
const boundOf = (bound: number | undefined): number | undefined =>
  bound === undefined || Math.abs(bound) >= Number.MAX_SAFE_INTEGER ? undefined : bound;

function kindOf({ type, const: only, enum: some, title }: SchemaParts): FieldKind {
  const value = only ?? some?.[0];
  if (value !== undefined) {
    return typeof value === "number" ? "integer" : typeof value === "boolean" ? "boolean" : "text";
  }
  // The title of an id names what it is the id of.
  if (type === "string") return title?.endsWith("Id") === true ? "id" : "text";
  return KINDS.get(type ?? "") ?? "text";
}

const KINDS: ReadonlyMap<string, FieldKind> = new Map([
  ["integer", "integer"],
  ["number", "number"],
  ["boolean", "boolean"],
  ["object", "object"],
  ["array", "list"],
]);

/** Something wrong with the input of a call. */
export type Mistake = Localized;

/** The fields of a call, or all that is wrong with them. */
export type ReadInput =
  | { readonly ok: true; readonly input: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly mistakes: readonly Mistake[] };

/** What people give for a call. */
export interface GivenInput {
  /** As they were typed, such as `limit=5`. */
  readonly params: readonly string[];
  /** The parsed JSON. @default none */
  readonly data?: Readonly<Record<string, unknown>> | undefined;
}

/** The field that the settings fill in, and the call all of whose fields they do. */
const STORE_FIELD = "storeId";
const LOGIN = "token.create";

/** Reads the input of a call by its fields, and checks it by its schema. */
export function readInput(name: EndpointName, { params, data = {} }: GivenInput): ReadInput {
  const fields = new Map(listFields(name).map((field) => [field.name, field]));
  const { given, mistakes } = readParams(params, fields);
  const twice = Object.keys(data).filter((field) => given.has(field));
  const unknown = [...new Set([...given.keys(), ...Object.keys(data)])].filter(
    // A secret on the command line would stand in the shell's history.
    (field) => name === LOGIN || !fields.has(field),
  );
  const input = { ...data, ...Object.fromEntries(given) };
  const found: readonly Mistake[] = [
    ...mistakes.map(({ text }) => text),
    ...twice.map((field) => MISTAKES.twice(field)),
    ...unknown.map((field) => toUnknown(name, field, [...fields.keys()])),
    ...check(name, input, { fields, unreadable: new Set(mistakes.map(({ field }) => field)) }),
  ];
  return found.length === 0 ? { ok: true, input } : { ok: false, mistakes: found };
}

function toUnknown(name: EndpointName, field: string, known: readonly string[]): Mistake {
  if (field === STORE_FIELD) return MISTAKES.storeId();
  if (name === LOGIN) return MISTAKES.secrets(field);
  return MISTAKES.unknown(field, findNear(field, known), known);
}

interface ReadParams {
  readonly given: ReadonlyMap<string, unknown>;
  readonly mistakes: readonly { readonly field: string; readonly text: Mistake }[];
}

function readParams(params: readonly string[], fields: ReadonlyMap<string, CallField>): ReadParams {
  const texts = new Map<string, string[]>();
  const mistakes: ReadParams["mistakes"][number][] = [];
  for (const param of params) {
    const at = param.indexOf("=");
    if (at <= 0) mistakes.push({ field: "", text: MISTAKES.noPair(param) });
    else {
      const field = param.slice(0, at).trim();
      texts.set(field, [...(texts.get(field) ?? []), param.slice(at + 1)]);
    }
  }
  const given = new Map<string, unknown>();
  for (const [name, values] of texts) {
    const field = fields.get(name);
    const read = field === undefined ? { value: values } : readValues(field, values);
    if ("wrong" in read) mistakes.push({ field: name, text: read.wrong });
    else given.set(name, read.value);
  }
  return { given, mistakes };
}

type ReadValue = { readonly value: unknown } | { readonly wrong: Mistake };

/** A single text for a list is split at its commas; several are one element each. */
function readValues(field: CallField, texts: readonly string[]): ReadValue {
  const [first = ""] = texts;
  const isList = field.kinds.includes("list");
  if (texts.length > 1) {
    return isList ? { value: texts } : { wrong: MISTAKES.repeated(field.name) };
  }
  if (/^\s*[[{]/u.test(first) && (isList || field.kinds.includes("object"))) {
    return readJsonValue(field, first);
  }
  if (!isList) return readValue(field, first);
  const parts = first
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const takesText = field.kinds.includes("text") || field.kinds.includes("id");
  return { value: takesText && parts.length === 1 ? parts[0] : parts };
}

function readJsonValue({ name }: CallField, text: string): ReadValue {
  try {
    const value: unknown = JSON.parse(text);
    return { value };
  } catch {
    return { wrong: MISTAKES.noJson(name) };
  }
}

const NUMBER = /^-?\d{1,15}(?:\.\d{1,10})?$/u;

function readValue({ name, kinds }: CallField, text: string): ReadValue {
  if (kinds.includes("integer") || kinds.includes("number")) {
    if (NUMBER.test(text.trim())) return { value: Number(text) };
    return kinds.includes("text") ? { value: text } : { wrong: MISTAKES.noNumber(name, text) };
  }
  if (kinds.includes("boolean")) {
    const word = text.trim().toLowerCase();
    if (word === "true" || word === "false") return { value: word === "true" };
    return { wrong: MISTAKES.noBoolean(name, text) };
  }
  return { value: text };
}

interface CheckedFields {
  readonly fields: ReadonlyMap<string, CallField>;
  /** Fields whose values are named as mistakes already. */
  readonly unreadable: ReadonlySet<string>;
}

/** The client fills in the fields of a login. */
function check(
  name: EndpointName,
  input: Readonly<Record<string, unknown>>,
  { fields, unreadable }: CheckedFields,
): readonly Mistake[] {
  if (name === LOGIN) return [];
  const { error } = endpointNamed(name).input.safeParse(input);
  return (error?.issues ?? []).flatMap((issue) => {
    const [root] = issue.path;
    const field = fields.get(String(root));
    if (unreadable.has(String(root))) return [];
    return [describeIssue(issue, { field, isMissing: valueAt(input, issue.path) === undefined })];
  });
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, key) => {
    if (typeof inner !== "object" || inner === null) return undefined;
    return Object.entries(inner).find(([name]) => name === String(key))?.[1];
  }, value);
}
