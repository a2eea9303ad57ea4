/**
 * Checks the `data` of an answer. A listing tolerates deviations that do no harm: a wrong `total`,
 * and wrong values in the endpoint's `spareFields`, are left out. Any other deviation refuses the
 * whole answer, because an element whose id, code or price cannot be read must not count as absent.
 */

import type { Endpoint } from "@catalog/contract";

import type { ContractMismatch } from "../errors.ts";
import { isFields, toMisfit } from "../http/request.ts";

/**
 * The data and the names of the fields left out of it, such as `total` or `title`; or what does not
 * match the contract.
 */
export type ParsedData<Data> =
  | { readonly ok: true; readonly data: Data; readonly leftOut: readonly string[] }
  | { readonly ok: false; readonly misfits: readonly ContractMismatch[] };

type Form<Data> = Pick<Endpoint<never, Data>, "data" | "paging" | "spareFields">;

interface Flaw {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/**
 * Maximum length of a text in an element, in UTF-16 units. It bounds the work of comparing; no
 * listing needs so much.
 */
export const MAX_TEXT_LENGTH = 1_000_000;

/** Checks the data of an answer by the endpoint's schema. */
export function parseData<Data>(form: Form<Data>, data: unknown): ParsedData<Data> {
  const parsed = form.data.safeParse(data);
  const flaws: readonly Flaw[] = [
    ...(parsed.success ? [] : parsed.error.issues),
    ...(form.paging === undefined ? [] : findLongTexts(data)),
  ];
  if (parsed.success && flaws.length === 0) return { ok: true, data: parsed.data, leftOut: [] };
  const names = flaws.map(({ path }) => toSpareName(form, path));
  if (names.includes(undefined)) return { ok: false, misfits: toMisfits(flaws, data) };
  const again = form.data.safeParse(leaveOut(data, flaws));
  if (!again.success) return { ok: false, misfits: toMisfits(again.error.issues, data) };
  return { ok: true, data: again.data, leftOut: [...new Set(names.map(String))] };
}

const toMisfits = (flaws: readonly Flaw[], data: unknown): readonly ContractMismatch[] =>
  flaws.map(({ path, message }) => toMisfit(["data", ...path], message + nameElement(data, path)));

const MAX_NAME_LENGTH = 100;

const isName = (name: unknown): name is string =>
  typeof name === "string" && name.length <= MAX_NAME_LENGTH;

/** Names the element for the seller: by its code, else by its id. */
function nameElement(data: unknown, [outer, index]: readonly PropertyKey[]): string {
  const items: unknown = isFields(data) && outer === "result" ? data["result"] : undefined;
  const item: unknown = Array.isArray(items) ? items[Number(index)] : undefined;
  const names = isFields(item) ? [item["product_code"], item["id"]] : [];
  const name = names.find(isName);
  return name === undefined ? "" : ` (in "${name}")`;
}

/** The spare field that holds the flaw; `undefined` where the flaw is elsewhere. */
function toSpareName(
  { paging, spareFields = [] }: Form<unknown>,
  [outer, , field]: readonly PropertyKey[],
): string | undefined {
  if (paging === undefined) return undefined;
  if (outer === "total") return "total";
  const name = String(field);
  return outer === "result" && spareFields.includes(name) ? name : undefined;
}

function findLongTexts(data: unknown): readonly Flaw[] {
  const items: unknown = isFields(data) ? data["result"] : undefined;
  if (!Array.isArray(items)) return [];
  const message = `is longer than ${MAX_TEXT_LENGTH} characters`;
  return items.flatMap((item: unknown, index) =>
    Object.entries(isFields(item) ? item : {}).flatMap(([name, value]) =>
      typeof value === "string" && value.length > MAX_TEXT_LENGTH
        ? [{ path: ["result", index, name], message }]
        : [],
    ),
  );
}

/**
 * Replaces a wrong `total` by 0, which says nothing, and removes wrong spare fields, as if the
 * listing did not show them.
 */
function leaveOut(data: unknown, flaws: readonly Flaw[]): unknown {
  if (!isFields(data)) return data;
  const fields = new Map<PropertyKey, Set<PropertyKey>>();
  for (const { path } of flaws) {
    const [outer, index, field] = path;
    if (outer !== "result" || index === undefined || field === undefined) continue;
    fields.set(index, (fields.get(index) ?? new Set()).add(field));
  }
  const items: unknown = data["result"];
  const result = Array.isArray(items)
    ? items.map((item: unknown, index) => without(item, fields.get(index)))
    : items;
  const hasTotal = !flaws.some(({ path }) => path[0] === "total");
  return { ...data, result, ...(!hasTotal && { total: 0 }) };
}

function without(item: unknown, fields: ReadonlySet<PropertyKey> | undefined): unknown {
  if (fields === undefined || !isFields(item)) return item;
  return Object.fromEntries(Object.entries(item).filter(([name]) => !fields.has(name)));
}
