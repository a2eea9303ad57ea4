/** Names of companies, addresses and cities in the cells of shipping templates, and what they mean. */

import { ApiError, PermissionError } from "@catalog/client/errors";
import { type Connection, readAddresses, readCities, readCompanies } from "@catalog/connection";
import type { ShippingTemplate } from "@catalog/contract";
import { listReferences, REFERENCE_FIELDS } from "@catalog/exporter";
import { createNameIndex, DEFAULT_ID_PATTERN, headerKey, type NameIndex } from "@catalog/mapping";

import { createCityIndex } from "../lookup/look-up.ts";

/** A field that names something by id. */
export type ReferenceField =
  | "sender_address"
  | "return_address"
  | "shipping_companies"
  | "return_companies"
  | "suitable_cities";

/** Something that a template may name. */
export interface Named {
  /** Empty where the marketplace gave none, as it may for a city. */
  readonly id: string;
  readonly name: string;
}

/** The store's templates, and what they may name. */
export interface TemplateLists {
  readonly byId: ReadonlyMap<string, ShippingTemplate>;
  /** By the folded name, which several may have. */
  readonly byName: ReadonlyMap<string, readonly ShippingTemplate[]>;
  readonly names: Readonly<Record<"companies" | "addresses" | "cities", NameIndex<Named>>>;
  /** Fields that listings show by names alone, and not by ids. */
  readonly shownByName: ReadonlySet<ReferenceField>;
}

const FIELDS: readonly ReferenceField[] = [...REFERENCE_FIELDS.keys()];

/** Reads the lists, which takes a call each and one more for every 50 templates. */
export async function readTemplateLists(
  { client, memory, baseUrl }: Pick<Connection, "client" | "memory" | "baseUrl">,
  signal?: AbortSignal,
): Promise<TemplateLists> {
  const how = signal === undefined ? {} : { signal };
  const templates: ShippingTemplate[] = [];
  for await (const { result } of client.shippingTemplate.list.pages({}, how)) {
    templates.push(...result);
  }
  const companies = await readIfGranted(() => readCompanies(client, { contracted: false, signal }));
  const addresses = await readIfGranted(() => readAddresses(client, signal));
  const cities = await readIfGranted(() =>
    readCities({ client, cache: memory.names, baseUrl, signal }),
  );
  // Kept for reports, which make no call.
  await memory.names.write(`${baseUrl} companies`, companies);
  await memory.names.write(`${baseUrl} addresses`, addresses.flatMap(toNamedAddress));
  return toTemplateLists(templates, {
    companies,
    addresses: addresses.flatMap(toNamedAddress),
    cities: createCityIndex(cities).items,
  });
}

const toNamedAddress = ({
  id,
  name,
}: Awaited<ReturnType<typeof readAddresses>>[number]): readonly Named[] =>
  id === undefined ? [] : [{ id, name: name ?? id }];

/** A list that the marketplace refuses leaves its names to the ids and the store's own templates. */
async function readIfGranted<Item>(read: () => Promise<readonly Item[]>): Promise<readonly Item[]> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ApiError || error instanceof PermissionError) return [];
    throw error;
  }
}

type NamedLists = Readonly<Record<keyof TemplateLists["names"], readonly Named[]>>;

/** Puts the lists in order; names that only templates know are added. */
export function toTemplateLists(
  templates: readonly ShippingTemplate[],
  lists: NamedLists,
): TemplateLists {
  const shownByName = new Set(
    FIELDS.filter((field) => {
      const all = templates.flatMap((template) => listReferences(template, field));
      // Whether cities are ids or names is not shown (section Shipping templates); names are assumed.
      if (all.length === 0) return field === "suitable_cities";
      return all.every(({ id }) => id === undefined);
    }),
  );
  const index = (kind: keyof NamedLists): NameIndex<Named> =>
    createNameIndex({
      items: withOwn(lists[kind], templates, kind),
      id: ({ id }) => id,
      name: ({ name }) => name,
      idPattern: kind === "cities" ? /^\d+$/u : DEFAULT_ID_PATTERN,
    });
  return {
    byId: new Map(templates.map((template) => [template.id, template])),
    byName: Map.groupBy(templates, ({ template_name: name }) => headerKey(name)),
    names: {
      companies: index("companies"),
      addresses: index("addresses"),
      cities: index("cities"),
    },
    shownByName,
  };
}

function withOwn(
  list: readonly Named[],
  templates: readonly ShippingTemplate[],
  kind: keyof NamedLists,
): readonly Named[] {
  const known = new Set(list.map(({ id }) => id));
  const own = new Map<string, Named>();
  for (const [field, of] of REFERENCE_FIELDS) {
    if (of !== kind) continue;
    for (const { id, name } of templates.flatMap((template) => listReferences(template, field))) {
      if (id !== undefined && !known.has(id)) own.set(id, { id, name: name ?? id });
    }
  }
  return [...list, ...own.values()];
}

/** What two cells say of a field, beside what the store shows. */
interface ReferenceCells {
  readonly text: string;
  /** The cell of the column of ids. */
  readonly ids: string;
  /** @default the row is a new template */
  readonly now: ShippingTemplate | undefined;
}

/** What the cells of a field ask for. */
type Resolved =
  | { readonly kind: "kept" }
  | {
      readonly kind: "refused";
      readonly code: "E_TEMPLATE_NAME_UNKNOWN" | "E_TEMPLATE_NAME_AMBIGUOUS" | "E_TEMPLATE_ONE";
      readonly details: readonly string[];
    }
  /** The names are those of the store, and the ids are others, as after an import of the file. */
  | { readonly kind: "ids-differ" }
  | {
      readonly kind: "wanted";
      readonly value: { readonly call: unknown; readonly shown: unknown };
      /** The store shows other ids than the file has: it may have changed since the export. */
      readonly since?: { readonly store: readonly Named[]; readonly file: readonly Named[] };
    };

const KEPT: Resolved = { kind: "kept" };

/** Names for people. */
export const joinNames = (items: readonly Named[]): string =>
  items.length === 0 ? "–" : items.map(({ name }) => name).join("; ");

/** The cells of a field, with what they are compared with. */
interface OpenField extends ReferenceCells {
  readonly field: ReferenceField;
  readonly index: NameIndex<Named>;
  /** Whether listings show names alone. */
  readonly isByName: boolean;
  readonly store: readonly Named[];
  /** What the column of ids says. */
  readonly file: readonly Named[];
  /** Whether the ids of the file are not those of the store. */
  readonly isStale: boolean;
}

/**
 * Resolves the cells of a field. Names are what people change, so they decide; the ids beside them
 * are those of the export, which tells a change of the file from one of the store.
 */
export function resolveReferences(
  lists: TemplateLists,
  field: ReferenceField,
  cells: ReferenceCells,
): Resolved {
  const open = openField(lists, field, cells);
  const { index, text, now, store, file, isStale } = open;
  if (text === "") return resolveIds(open);
  if (now !== undefined && toLine(text) === toLine(joinNames(store))) {
    if (!isStale) return KEPT;
    // Of two with one name, the id says which is meant.
    const isNamedSo = toLine(text) === toLine(joinNames(file));
    return isNamedSo ? toWanted(open, file) : { kind: "ids-differ" };
  }
  const parts = resolveParts(index, text, [...file, ...store]);
  if (parts.kind === "refused") return parts;
  if (now === undefined) return toWanted(open, parts.items);
  if (isSame(open, parts.items, store)) return isStale ? { kind: "ids-differ" } : KEPT;
  const wanted = toWanted(open, parts.items);
  return isStale && wanted.kind === "wanted" ? { ...wanted, since: { store, file } } : wanted;
}

function openField(lists: TemplateLists, field: ReferenceField, cells: ReferenceCells): OpenField {
  const index = lists.names[REFERENCE_FIELDS.get(field) ?? "companies"];
  const { ids, now } = cells;
  const store = now === undefined ? [] : toNamed(index, listReferences(now, field));
  const file = splitCell(ids).map((id) => index.find(id)[0] ?? { id, name: id });
  const isByName = lists.shownByName.has(field);
  const isStale = file.length > 0 && !isSame({ isByName }, file, store);
  return { ...cells, field, index, isByName, store, file, isStale };
}

/** Without names the ids decide. */
function resolveIds(open: OpenField): Resolved {
  const { index, file, isStale } = open;
  if (!isStale) return KEPT;
  const unknown = file.find(({ id }) => index.find(id).length === 0);
  return unknown === undefined ? toWanted(open, file) : refuseUnknown(index, unknown.id);
}

/** The items as listings show them, sorted. */
const keysOf = (
  { isByName }: Pick<OpenField, "isByName">,
  items: readonly Named[],
): readonly string[] =>
  [...new Set(items.map(({ id, name }) => (isByName || id === "" ? name : id)))].toSorted();

const isSame = (
  how: Pick<OpenField, "isByName">,
  one: readonly Named[],
  other: readonly Named[],
): boolean => keysOf(how, one).join("\n") === keysOf(how, other).join("\n");

function toWanted(open: OpenField, items: readonly Named[]): Resolved {
  const { field, isByName } = open;
  const isOne = field === "sender_address" || field === "return_address";
  if (isOne && items.length > 1) return { kind: "refused", code: "E_TEMPLATE_ONE", details: [] };
  const shown = keysOf(open, items);
  // Companies and addresses are sent by id, whatever listings show.
  const isNamed = field === "suitable_cities" && isByName;
  const call = [...new Set(items.map(({ id, name }) => (isNamed ? name : id)))];
  const value = isOne ? { call: call[0], shown: shown[0] } : { call, shown };
  return { kind: "wanted", value };
}

type StoreReference = ReturnType<typeof listReferences>[number];

/** What the store shows, with the names that the export wrote. */
const toNamed = (
  index: NameIndex<Named>,
  references: readonly StoreReference[],
): readonly Named[] =>
  references.map(({ id, name }) => {
    if (id === undefined) {
      const found = index.find(name ?? "");
      return { id: found.length === 1 ? (found[0]?.id ?? "") : "", name: name ?? "" };
    }
    return { id, name: name ?? index.find(id)[0]?.name ?? id };
  });

const splitCell = (text: string): readonly string[] =>
  text
    .split(/[;\n]/u)
    .map((part) => part.trim())
    .filter((part) => part !== "");

const toLine = (text: string): string => splitCell(text).join("; ");

type Parts =
  | { readonly kind: "items"; readonly items: readonly Named[] }
  | Extract<Resolved, { readonly kind: "refused" }>;

/** A name may have the sign that separates names, so a text is tried as a whole first. */
function resolveParts(index: NameIndex<Named>, text: string, near: readonly Named[]): Parts {
  const whole = findOne(index, text, near);
  if (whole.kind === "items") return whole;
  const items: Named[] = [];
  for (const part of splitCell(text)) {
    const found = findOne(index, part, near);
    const isList = found.kind === "refused" && part.includes(",");
    for (const name of isList ? part.split(",") : [part]) {
      const one = isList ? findOne(index, name.trim(), near) : found;
      // The first name that is unknown is named, however many a cell has.
      if (one.kind === "refused") return one;
      items.push(...one.items);
    }
  }
  return { kind: "items", items };
}

/** One name; of several with it, those count that the file's ids or the store's template have. */
function findOne(index: NameIndex<Named>, text: string, near: readonly Named[]): Parts {
  const found = index.find(text);
  const own = near.filter(({ id, name }) => id === text || name === text);
  const all = [...new Map([...own, ...found].map((one) => [one.id || one.name, one])).values()];
  const [first, ...others] = all;
  if (first === undefined) return refuseUnknown(index, text);
  if (others.length === 0) return { kind: "items", items: [first] };
  const chosen = near.find(({ id }) => id !== "" && all.some((one) => one.id === id));
  if (chosen !== undefined) return { kind: "items", items: [chosen] };
  const ids = all.map(({ id, name }) => `${name} (${id})`).join(", ");
  return { kind: "refused", code: "E_TEMPLATE_NAME_AMBIGUOUS", details: [text, ids] };
}

const MAX_NEAR = 3;

function refuseUnknown(
  index: NameIndex<Named>,
  text: string,
): Extract<Resolved, { readonly kind: "refused" }> {
  const found = index.resolve(text);
  const suggested = found.kind === "unknown" ? found.suggestions : [];
  const few = suggested.length > 0 || index.items.length > MAX_LISTED ? suggested : index.items;
  const near = few
    .slice(0, suggested.length > 0 ? MAX_NEAR : MAX_LISTED)
    .map(({ name }) => name)
    .join(", ");
  const shown = text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}…` : text;
  return { kind: "refused", code: "E_TEMPLATE_NAME_UNKNOWN", details: [shown, near] };
}

/** Characters of an unknown name that its message repeats. */
const MAX_SHOWN_CHARS = 100;

/** A short list is shown as a whole. */
const MAX_LISTED = 10;
