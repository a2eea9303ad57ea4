/**
 * Rows of a sheet of shipping templates, which is their export: a row with an id changes what
 * differs from the store, a row without one creates a template. An empty cell changes nothing.
 */

import { isDeepStrictEqual } from "node:util";

import { toTemplateView } from "@catalog/connection";
import { endpoints, type ShippingTemplate } from "@catalog/contract";
import { listHeaders } from "@catalog/exporter";
import type { Localized } from "@catalog/i18n";
import {
  createKeywordReader,
  fold,
  isClearKeyword,
  headerKey,
  trimText,
  VALUE_KEYWORDS,
} from "@catalog/mapping";
import {
  type ActionCandidate,
  isBlocking,
  type IssueLocation,
  type RowIssue,
  type RowRecord,
  subjectKey,
} from "@catalog/runs";

import { type TemplateIssueCode, toTemplateIssue } from "./template-issues.ts";
import {
  joinNames,
  type ReferenceField,
  resolveReferences,
  type TemplateLists,
} from "./template-names.ts";

/** A field of the create call that a cell may set. */
type TemplateField =
  | "template_name"
  | "free_shipping"
  | "shipping_note"
  | "shipping_time"
  | "all_country"
  | "use_contractred_company"
  | "common_address"
  | "conditional_shipping"
  | "min_price"
  | "shipping_with_together"
  | ReferenceField;

/** The cells of a row. */
export interface TemplateCells {
  readonly row: number;
  text(key: string): string;
  location(key: string): IssueLocation;
}

/** What other rows of the file say. */
export interface TemplateRows {
  /** Rows by the id that they have. */
  readonly byId: ReadonlyMap<string, readonly number[]>;
  /** Rows by the name that they would give to a template, folded. */
  readonly byNewName: ReadonlyMap<string, readonly number[]>;
  /** Names a row for people. */
  readonly nameRow: (row: number) => string;
}

/** What rows are compared with. */
export interface TemplateReading {
  readonly lists: TemplateLists;
  readonly rows: TemplateRows;
  /** @default no list of products was read */
  readonly use: TemplateUse | undefined;
}

/** How many products have each template, by the list of products that was read last. */
export interface TemplateUse {
  readonly products: ReadonlyMap<string, number>;
  /** The day of that list. */
  readonly day: string;
}

/** The id of a row's template, or its name where it is a new one; empty where it has neither. */
export const templateSubject = (cells: Pick<TemplateCells, "text">): string =>
  cells.text("shipping_template_id") || cells.text("template_name");

function add(map: Map<string, number[]>, key: string, row: number): void {
  const found = map.get(key);
  if (found === undefined) map.set(key, [row]);
  else found.push(row);
}

/** Collects which rows are about one template, or want one name. */
export function createTemplateRows(
  { byId: templates }: Pick<TemplateLists, "byId">,
  nameRow: TemplateRows["nameRow"],
): TemplateRows & { note(cells: TemplateCells): void } {
  const byId = new Map<string, number[]>();
  const byNewName = new Map<string, number[]>();
  return {
    byId,
    byNewName,
    nameRow,
    note(cells) {
      const id = cells.text("shipping_template_id");
      const name = cells.text("template_name");
      if (id !== "") add(byId, id, cells.row);
      const now = templates.get(id)?.template_name;
      const isNew = now === undefined || headerKey(now) !== headerKey(name);
      if (name !== "" && isNew) add(byNewName, headerKey(name), cells.row);
    },
  };
}

/** A value that a row wants and the store does not show. */
interface WantedValue {
  /** As the call takes it. */
  readonly call: unknown;
  /** As the listing would show it. */
  readonly shown: unknown;
}

/** A row on its way to a candidate. */
interface OpenTemplate extends TemplateReading {
  readonly cells: TemplateCells;
  /** @default the row is a new template */
  readonly now: ShippingTemplate | undefined;
  /** The store's values as they are compared. */
  readonly shown: Readonly<Record<string, unknown>>;
  readonly wanted: Map<TemplateField, WantedValue>;
  /** Fields whose cells could not be read. */
  readonly bad: Set<TemplateField>;
  readonly issues: RowIssue[];
  readonly holds: RowIssue[];
}

const issueAt = (
  { cells }: Pick<OpenTemplate, "cells">,
  code: TemplateIssueCode,
  key: string,
  ...details: readonly string[]
): RowIssue => toTemplateIssue(code, cells.location(key), ...details);

function refuse(
  open: OpenTemplate,
  code: TemplateIssueCode,
  field: TemplateField,
  ...details: readonly string[]
): void {
  open.bad.add(field);
  open.issues.push(issueAt(open, code, field, ...details));
}

/** Converts a row to what it asks for. */
export function toTemplateCandidate(
  reading: TemplateReading,
  cells: TemplateCells,
): ActionCandidate {
  const id = cells.text("shipping_template_id");
  const now = reading.lists.byId.get(id);
  const open: OpenTemplate = {
    ...reading,
    cells,
    now,
    shown: now === undefined ? {} : toTemplateView(now).fields,
    wanted: new Map(),
    bad: new Set(),
    issues: [],
    holds: [],
  };
  if (id !== "") checkId(open, id);
  for (const [field, read] of READERS) read(open, field);
  if (id === "" || now !== undefined) {
    checkRules(open);
    checkName(open);
    warnOfUse(open);
    warnOfUnseen(open);
    if (now === undefined) checkComplete(open);
    if (!open.issues.some(isBlocking)) checkCall(open, id);
  }
  return toCandidate(open, id);
}

function toCandidate(open: OpenTemplate, id: string): ActionCandidate {
  const { cells, issues, holds, now } = open;
  const subject = id || cells.text("template_name");
  const action = id === "" ? "create-template" : "update-template";
  const isAsShown = now !== undefined && open.wanted.size === 0 && !issues.some(isBlocking);
  const [hold] = holds;
  return {
    row: cells.row,
    subject: subject || null,
    codeKey: isAsShown || subject === "" ? null : subjectKey(action, subject),
    action: isAsShown ? null : action,
    call: toCall(open, id),
    wanted: Object.fromEntries([...open.wanted].map(([field, { shown }]) => [field, shown])),
    issues,
    location: cells.location(id === "" ? "template_name" : "shipping_template_id"),
    isAsShown,
    ...(hold !== undefined && { hold }),
  };
}

function toCall({ wanted, shown }: OpenTemplate, id: string): Readonly<Record<string, unknown>> {
  const call = Object.fromEntries([...wanted].map(([field, value]) => [field, value.call]));
  if (id === "") return { all_country: true, ...call };
  // The API wants these two together, also where the store has the second one already.
  const isApart = call["common_address"] === false && call["return_address"] === undefined;
  const isSome = call["all_country"] === false && call["suitable_cities"] === undefined;
  return {
    shipping_template_id: id,
    ...call,
    ...(isApart && { return_address: shown["return_address"] }),
    ...(isSome && { suitable_cities: shown["suitable_cities"] }),
  };
}

function checkId(open: OpenTemplate, id: string): void {
  const { lists, rows, cells, now } = open;
  const others = rows.byId.get(id) ?? [];
  if (others.length > 1) {
    const names = others.map((row) => rows.nameRow(row)).join(", ");
    open.issues.push(issueAt(open, "E_TEMPLATE_ID_TWICE", "shipping_template_id", names));
  }
  if (now !== undefined) return;
  const [same] = lists.byName.get(headerKey(cells.text("template_name"))) ?? [];
  open.issues.push(issueAt(open, "E_TEMPLATE_UNKNOWN", "shipping_template_id", same?.id ?? ""));
}

type ReadField = (open: OpenTemplate, field: TemplateField) => void;

/** Takes a value that differs from the store's. */
function want(open: OpenTemplate, field: TemplateField, value: WantedValue): void {
  open.wanted.set(field, value);
}

const isCleared = (open: OpenTemplate, field: TemplateField, text: string): boolean => {
  if (!isClearKeyword(text)) return false;
  refuse(open, "E_TEMPLATE_CLEAR", field);
  return true;
};

/** Files may lose control characters, and the kind of line ends. */
const toPlainText = (text: unknown): string =>
  typeof text === "string"
    ? trimText(text.replaceAll(/\r\n?/gu, "\n").replaceAll(/[^\P{C}\n\t]/gu, ""))
    : "";

const readText: ReadField = (open, field) => {
  const text = open.cells.text(field);
  if (text === "") return;
  if (field !== "shipping_note" && isCleared(open, field, text)) return;
  const value = isClearKeyword(text) ? "" : text;
  if (open.now !== undefined && toPlainText(open.shown[field]) === toPlainText(value)) return;
  want(open, field, { call: value, shown: value });
};

const YES_NO = createKeywordReader(VALUE_KEYWORDS.yes_no);

const readYesNo: ReadField = (open, field) => {
  const text = open.cells.text(field);
  if (text === "" || isCleared(open, field, text)) return;
  const value = YES_NO.find(text);
  if (value === undefined) refuse(open, "E_TEMPLATE_YES_NO", field);
  else if (value !== open.shown[field]) want(open, field, { call: value, shown: value });
};

const DAYS = /^(?<days>\d{1,5})\s*(?:is gunu|gun|days?|business days?)?$/u;

const readTime: ReadField = (open, field) => {
  const text = open.cells.text(field);
  if (text === "" || isCleared(open, field, text)) return;
  const days = DAYS.exec(fold(text))?.groups?.["days"];
  if (days === undefined) return refuse(open, "E_TEMPLATE_TIME", field);
  const value = Number(days);
  if (value !== open.shown[field]) want(open, field, { call: value, shown: value });
};

/** Three digits behind a sign may be thousands. */
const AMOUNT = /^\d{1,12}(?:[.,](?:\d{1,2}|\d{4}))?$/u;

/** The same, where only the store's own value can be meant. */
const toAmount = (text: string): number => Number(text.replace(",", "."));

const readAmount: ReadField = (open, field) => {
  const text = open.cells.text(field);
  if (text === "" || isCleared(open, field, text)) return;
  const shown = open.shown[field];
  const isAsShown = shown !== undefined && shown !== null && Number(shown) === toAmount(text);
  if (isAsShown) return;
  if (!AMOUNT.test(text)) return refuse(open, "E_TEMPLATE_AMOUNT", field);
  want(open, field, { call: toAmount(text), shown: toAmount(text) });
};

/** The column of ids of each field that names something. */
export const ID_COLUMNS: Readonly<Record<ReferenceField, string>> = {
  sender_address: "sender_address_id",
  return_address: "return_address_id",
  shipping_companies: "shipping_company_ids",
  return_companies: "return_company_ids",
  suitable_cities: "suitable_city_ids",
};

const readReferences =
  (field: ReferenceField): ((open: OpenTemplate) => void) =>
  (open) => {
    const text = open.cells.text(field);
    if (text !== "" && isCleared(open, field, text)) return;
    const idKey = ID_COLUMNS[field];
    const { now, lists, cells } = open;
    const found = resolveReferences(lists, field, { text, ids: cells.text(idKey), now });
    if (found.kind === "kept") return;
    if (found.kind === "refused") {
      return refuse(open, found.code, field, ...found.details);
    }
    if (found.kind === "ids-differ") {
      open.issues.push(issueAt(open, "W_TEMPLATE_IDS", idKey, columnOf(open, field)));
      return;
    }
    if (found.since !== undefined) {
      const { store, file } = found.since;
      open.holds.push(issueAt(open, "E_TEMPLATE_SINCE", field, joinNames(store), joinNames(file)));
    }
    want(open, field, found.value);
  };

/** The reader of each field, in the order of the columns. */
const READERS: readonly (readonly [TemplateField, ReadField])[] = [
  ["template_name", readText],
  ["free_shipping", readYesNo],
  ["shipping_note", readText],
  ["shipping_time", readTime],
  ["sender_address", readReferences("sender_address")],
  ["common_address", readYesNo],
  ["return_address", readReferences("return_address")],
  ["all_country", readYesNo],
  ["suitable_cities", readReferences("suitable_cities")],
  ["use_contractred_company", readYesNo],
  ["shipping_companies", readReferences("shipping_companies")],
  ["return_companies", readReferences("return_companies")],
  ["conditional_shipping", readYesNo],
  ["min_price", readAmount],
  ["shipping_with_together", readYesNo],
];

const HEADERS: ReadonlyMap<string, Localized> = new Map(
  listHeaders("templates").map(({ key, header }) => [key, header]),
);

/** A column as the file calls it, or as an export would. */
const columnOf = ({ cells }: Pick<OpenTemplate, "cells">, key: string): string =>
  cells.location(key).column || (HEADERS.get(key)?.tr ?? key);

/** The value that the template would have after the call. */
const after = ({ wanted, shown }: OpenTemplate, field: TemplateField): unknown =>
  wanted.has(field) ? wanted.get(field)?.shown : shown[field];

const isMissing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === "" ||
  (Array.isArray(value) && value.length === 0);

/** A rule between fields (section Shipping templates, create). */
interface FieldRule {
  readonly code: TemplateIssueCode;
  /** The field whose cell is refused. */
  readonly field: TemplateField;
  /** The field that decides. */
  readonly by: TemplateField;
  readonly isBroken: (open: OpenTemplate) => boolean;
}

const isOff = (open: OpenTemplate, field: TemplateField): boolean => after(open, field) === false;

/** Of a new template both are on unless the row says otherwise. */
const isOn = (open: OpenTemplate, field: TemplateField): boolean =>
  after(open, field) === true || (open.now === undefined && after(open, field) === undefined);

/** The listing does not show whether a template has conditional shipping. */
const mayBeConditional = (open: OpenTemplate): boolean => {
  const conditional = after(open, "conditional_shipping");
  return conditional === true || (open.now !== undefined && conditional == null);
};

const RULES: readonly FieldRule[] = [
  {
    code: "E_TEMPLATE_RETURN",
    field: "return_address",
    by: "common_address",
    isBroken: (open) => isOff(open, "common_address") && isMissing(after(open, "return_address")),
  },
  {
    code: "W_TEMPLATE_COMMON",
    field: "return_address",
    by: "common_address",
    isBroken: (open) =>
      isOn(open, "common_address") &&
      open.wanted.has("return_address") &&
      after(open, "return_address") !== after(open, "sender_address"),
  },
  {
    code: "E_TEMPLATE_CITIES",
    field: "suitable_cities",
    by: "all_country",
    isBroken: (open) => isOff(open, "all_country") && isMissing(after(open, "suitable_cities")),
  },
  {
    code: "W_TEMPLATE_ALL",
    field: "suitable_cities",
    by: "all_country",
    isBroken: (open) => isOn(open, "all_country") && open.wanted.has("suitable_cities"),
  },
  {
    code: "E_TEMPLATE_MINIMUM",
    field: "min_price",
    by: "conditional_shipping",
    isBroken: (open) => open.wanted.has("min_price") && !mayBeConditional(open),
  },
];

/** A rule about a cell that could not be read says nothing. */
function checkRules(open: OpenTemplate): void {
  const broken = RULES.filter(
    ({ field, by, isBroken }) => !open.bad.has(field) && !open.bad.has(by) && isBroken(open),
  );
  for (const { code, field, by } of broken) {
    const issue = issueAt(open, code, field, columnOf(open, by));
    open.issues.push(issue);
    if (isBlocking(issue)) open.bad.add(field);
    else open.wanted.delete(field);
  }
}

/** A name that another template has, or that another row wants as well. */
function checkName(open: OpenTemplate): void {
  const { wanted, cells, lists, rows, now } = open;
  if (!wanted.has("template_name")) return;
  const key = headerKey(cells.text("template_name"));
  const others = rows.byNewName.get(key) ?? [];
  if (others.length > 1) {
    const names = others.map((row) => rows.nameRow(row)).join(", ");
    refuse(open, "E_TEMPLATE_NAME_TWICE", "template_name", names);
    return;
  }
  const same = (lists.byName.get(key) ?? []).filter(({ id }) => id !== now?.id);
  if (same.length === 0) return;
  const ids = same.map(({ id }) => id).join(", ");
  if (now !== undefined) {
    open.holds.push(issueAt(open, "E_TEMPLATE_RENAME", "template_name", ids));
    return;
  }
  // The plan leaves a row whose template is there as it wants it, and holds any other.
  const isThere = same.some((template) => showsAll(template, wanted));
  if (isThere) open.issues.push(issueAt(open, "W_TEMPLATE_EXISTS", "template_name", ids));
  open.holds.push(issueAt(open, "E_TEMPLATE_EXISTS", "template_name", ids));
}

function showsAll(template: ShippingTemplate, wanted: OpenTemplate["wanted"]): boolean {
  const { fields } = toTemplateView(template);
  return [...wanted].every(
    ([field, { shown }]) => fields[field] === undefined || isDeepStrictEqual(fields[field], shown),
  );
}

/** Cities are not shown of a template that ships everywhere, and conditions of none. */
function warnOfUnseen(open: OpenTemplate): void {
  if (open.now === undefined) return;
  for (const field of ["conditional_shipping", "min_price"] as const) {
    const isUnseen = open.wanted.has(field) && open.shown[field] === undefined;
    if (isUnseen) open.issues.push(issueAt(open, "W_TEMPLATE_UNSEEN", field));
  }
}

/** A change of a template is one of all its products. */
function warnOfUse({ cells, now, wanted, issues, use }: OpenTemplate): void {
  const products = use?.products.get(now?.id ?? "") ?? 0;
  if (
    use === undefined ||
    products === 0 ||
    ![...wanted.keys()].some((field) => WIDE_FIELDS.has(field))
  )
    return;
  const at = cells.location("template_name");
  issues.push(toTemplateIssue("W_TEMPLATE_USE", at, String(products), use.day));
}

/** Fields that a new template needs (section Shipping templates, create). */
const REQUIRED: readonly TemplateField[] = [
  "template_name",
  "shipping_time",
  "sender_address",
  "shipping_companies",
  "return_companies",
];

function checkComplete(open: OpenTemplate): void {
  for (const field of REQUIRED) {
    if (!open.wanted.has(field) && !open.bad.has(field)) {
      refuse(open, "E_TEMPLATE_REQUIRED", field);
    }
  }
}

/** Whatever else the contract refuses. */
function checkCall(open: OpenTemplate, id: string): void {
  const { create, update } = endpoints.shippingTemplate;
  const call = toCall(open, id);
  const { error } = id === "" ? create.input.safeParse(call) : update.input.safeParse(call);
  for (const { path } of error?.issues ?? []) {
    const key = String(path[0] ?? "shipping_template_id");
    open.issues.push(issueAt(open, "E_TEMPLATE_VALUE", key));
  }
}

/** Fields that decide what a buyer pays for shipping, or whether a product can be sent at all. */
const WIDE_FIELDS: ReadonlySet<string> = new Set([
  "free_shipping",
  "shipping_companies",
  "all_country",
  "suitable_cities",
  "conditional_shipping",
  "min_price",
]);

/**
 * What the store shows of fields that a call makes void without naming them: the return address,
 * once both are the same, and the cities, once all are served. An undo needs them.
 */
export function findLost(
  { byId }: Pick<TemplateLists, "byId">,
  { code, call }: Pick<RowRecord, "code" | "call">,
): Readonly<Record<string, unknown>> | undefined {
  const now = byId.get(code ?? "");
  if (now === undefined || call === undefined) return undefined;
  const { return_address, suitable_cities } = toTemplateView(now).fields;
  const lost = {
    ...(call["common_address"] === true && { return_address }),
    ...(call["all_country"] === true && { suitable_cities }),
  };
  return Object.keys(lost).length === 0 ? undefined : lost;
}
