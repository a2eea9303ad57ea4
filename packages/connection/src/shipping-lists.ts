/**
 * The short lists of shipping: companies, and the addresses that the store's templates use. The
 * specification shows neither the form of the list of addresses nor a field of an address, so each
 * is read as the fields that it has, within limits.
 */

import type { Client } from "@catalog/client";
import type { DataOf } from "@catalog/contract";

/** A value of a field, as it came. */
type PlainValue = string | number | boolean;

/** An address by its fields. */
export interface StoreAddress {
  /** `undefined` where none of its fields is an id. */
  readonly id: string | undefined;
  /** Title, name or the address itself; `undefined` where none of its fields says it. */
  readonly name: string | undefined;
  /** Paths of fields, such as `city.name`, in the order of the answer. */
  readonly fields: readonly (readonly [path: string, value: PlainValue])[];
}

const MAX_ADDRESSES = 10_000;
const MAX_FIELDS = 60;
const MAX_DEPTH = 4;
const MAX_PATH_CHARS = 60;

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** Reads the addresses that the store's templates use. */
export async function readAddresses(
  client: Pick<Client, "shippingTemplate">,
  signal?: AbortSignal,
): Promise<readonly StoreAddress[]> {
  const answer = await client.shippingTemplate.addresses(
    {},
    signal === undefined ? {} : { signal },
  );
  return listRecords(answer).slice(0, MAX_ADDRESSES).map(toAddress);
}

/** The records of an answer: its elements, those of its first list, or the answer itself. */
function listRecords(answer: unknown): readonly unknown[] {
  if (Array.isArray(answer)) return answer;
  if (!isObject(answer)) return answer === null || answer === undefined ? [] : [answer];
  const lists = Object.values(answer).filter((value): value is unknown[] => Array.isArray(value));
  return lists.find((list) => list.some(isObject)) ?? lists[0] ?? toSingle(answer);
}

const toSingle = (record: object): readonly unknown[] =>
  Object.keys(record).length === 0 ? [] : [record];

function toAddress(record: unknown): StoreAddress {
  const fields = flatten(record).slice(0, MAX_FIELDS);
  const find = (...names: readonly string[]): string | undefined => {
    const texts = names.map((name) => fields.find(([path]) => path.toLowerCase() === name)?.[1]);
    return texts.map((text) => String(text ?? "").trim()).find((text) => text !== "");
  };
  return {
    id: find("id", "_id", "address_id", "value"),
    name: find(...NAMES),
    fields,
  };
}

/** The likely names of the field that says which address it is. */
const NAMES = [
  "title",
  "name",
  "address_title",
  "address_name",
  "full_address",
  "address",
  "value",
] as const;

/** Objects become paths, and lists of plain values one text; anything else is JSON. */
function flatten(
  value: unknown,
  path = "value",
  depth = 0,
): readonly (readonly [path: string, value: PlainValue])[] {
  if (value === null || value === undefined) return [];
  if (!isObject(value)) return [[path, toPlain(value)]];
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value;
    const isPlain = list.every((each) => !isObject(each));
    return [[path, isPlain ? list.join("; ") : JSON.stringify(list)]];
  }
  if (depth >= MAX_DEPTH) return [[path, JSON.stringify(value)]];
  return Object.entries(value).flatMap(([name, each]) =>
    flatten(each, toPath(depth === 0 ? name : `${path}.${name}`), depth + 1),
  );
}

const toPlain = (value: unknown): PlainValue =>
  typeof value === "number" || typeof value === "boolean" ? value : String(value);

/** Names of fields become headers of columns. */
const toPath = (path: string): string =>
  path
    .replaceAll(/[\p{C}\s]+/gu, " ")
    .trim()
    .slice(0, MAX_PATH_CHARS)
    .toWellFormed() || "?";

/** Reads the shipping companies, or only those that the marketplace has a contract with. */
export async function readCompanies(
  client: Pick<Client, "shipping">,
  {
    contracted,
    signal,
  }: { readonly contracted: boolean; readonly signal?: AbortSignal | undefined },
): Promise<DataOf<"shipping.companies">> {
  const options = signal === undefined ? {} : { signal };
  return contracted
    ? await client.shipping.contractedCompanies({}, options)
    : await client.shipping.companies({}, options);
}
