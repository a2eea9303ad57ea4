/** Shipping: companies, addresses of the store, and templates. */

import type { Clock } from "@catalog/clock";
import {
  type ShippingTemplate,
  type Id,
  idSchemas,
  type DataOf,
  type InputOf,
} from "@catalog/contract";

import type { Behavior } from "./behavior/behavior-settings.ts";
import { findCity, type SandboxCity } from "./catalog/cities.ts";
import { createHashedId, pickNumber } from "./catalog/names.ts";
import type { Actor, EffectLog } from "./effects.ts";
import { toIso } from "./history.ts";
import { createInputRefusal, createMissingRefusal, type FieldProblem } from "./http/answers.ts";
import { createLateView } from "./late-view.ts";
import type { SoldPackage } from "./orders/order-history.ts";

interface SandboxCompany {
  readonly id: Id<"shippingCompany">;
  readonly name: string;
  readonly has_contract_with_platform: boolean;
}

const CONTRACTED = ["Örnek Kargo", "Deneme Lojistik", "Anadolu Ekspres", "Boğaz Kurye"];
const OTHERS = ["Toros Dağıtım", "Karadeniz Nakliyat", "Ege Ambar", "Mağaza Kuryesi"];

/** Contracted companies first. */
export const COMPANIES: readonly SandboxCompany[] = [
  ...CONTRACTED.map((name) => createCompany(name, true)),
  ...OTHERS.map((name) => createCompany(name, false)),
];

function createCompany(name: string, has_contract_with_platform: boolean): SandboxCompany {
  const id = idSchemas.shippingCompany.parse(createHashedId("shipping company", name));
  return { id, name, has_contract_with_platform };
}

interface StoreAddress {
  readonly id: Id<"address">;
  readonly title: string;
  readonly city: string;
  readonly district: string;
  readonly full_address: string;
  readonly phone: string;
}

const create = (key: string, address: Omit<StoreAddress, "id">): StoreAddress => ({
  id: idSchemas.address.parse(createHashedId("address", key)),
  ...address,
});

/** The first one is used by every template of the start. */
export const ADDRESSES: readonly StoreAddress[] = [
  create("depo", {
    title: "Merkez Depo",
    city: "İstanbul",
    district: "Ümraniye",
    full_address: "Şerifali Mahallesi, Örnek Sokak No: 4",
    phone: "+90 216 000 00 01",
  }),
  create("magaza", {
    title: "Mağaza",
    city: "İstanbul",
    district: "Kadıköy",
    full_address: "Moda Caddesi No: 12",
    phone: "+90 216 000 00 02",
  }),
  create("iade", {
    title: "İade Deposu",
    city: "Kocaeli",
    district: "Gebze",
    full_address: "Güzeller OSB, 3. Cadde No: 8",
    phone: "+90 262 000 00 03",
  }),
  create("izmir", {
    title: "İzmir Şubesi",
    city: "İzmir",
    district: "Çiğli",
    full_address: "Atatürk OSB, 10007. Sokak No: 1",
    phone: "+90 232 000 00 04",
  }),
];

const BASE_MINOR = 5490;
const STEP_MINOR = 500;
const PER_ITEM_MINOR = 1250;

/** Prices of the contracted companies, in minor units; more items cost more. */
export function quotePrices({ id, items }: SoldPackage): DataOf<"shipping.prices"> {
  const pieces = items.reduce((total, { count }) => total + count, 0);
  return COMPANIES.filter((company) => company.has_contract_with_platform).map((company) => ({
    id: company.id,
    name: company.name,
    price:
      BASE_MINOR + STEP_MINOR * pickNumber(9, "price", company.name, id) + pieces * PER_ITEM_MINOR,
  }));
}

/** Returns the company; throws a refusal for one without a contract. */
export function requireContracted(companyId: string): SandboxCompany {
  const company = COMPANIES.find(({ id }) => id === companyId);
  if (company?.has_contract_with_platform === true) return company;
  const message = {
    en: "must be a shipping company with a contract",
    tr: "anlaşmalı bir kargo firması olmalı",
  };
  throw createInputRefusal([{ field: "company_id", message }]);
}

/** Creates the code of a package with this company's name; `number` differs for a later one. */
export function createShippingCode(packageId: string, company: string, number = 0): string {
  const words = number === 0 ? [packageId, company] : [packageId, company, String(number)];
  const digits = String(pickNumber(10 ** 12, "shipping code", ...words)).padStart(12, "0");
  return createHashedId("prefix", company).slice(0, 2).toUpperCase() + digits;
}

interface TemplatesOptions {
  readonly clock: Clock;
  readonly behavior: Behavior;
  readonly effects: EffectLog;
  readonly initial: readonly ShippingTemplate[];
  readonly cities: () => readonly SandboxCity[];
}

export interface Templates {
  /** In the order of creation. */
  list(): readonly ShippingTemplate[];
  /** The same as the next listing shows them; each call counts as a listing. */
  listed(): readonly ShippingTemplate[];
  /** Throws a refusal when an address, a company or a city is unknown, or a name is refused. */
  create(template: InputOf<"shippingTemplate.create">, by?: Actor): void;
  /** Sets the given fields; throws a refusal as `create` does, or for an unknown template. */
  update(changes: InputOf<"shippingTemplate.update">, by?: Actor): void;
}

export function createTemplates(options: TemplatesOptions): Templates {
  const { clock, behavior, effects, initial, cities } = options;
  const late = createLateView<ShippingTemplate>(behavior["change-shown"], clock);
  let templates = initial;

  const assertNameIsFree = (name: string | undefined, ownId?: string): void => {
    const isTaken = templates.some((one) => one.template_name === name && one.id !== ownId);
    if (behavior["template-name"] === "repeatable" || !isTaken) return;
    const message = { en: "is used by another template", tr: "başka bir şablonda kullanılıyor" };
    throw createInputRefusal([{ field: "template_name", message }]);
  };

  return {
    list: () => templates,
    listed: () => templates.map(late.list()).filter((template) => template !== undefined),
    create(template, by = "caller") {
      assertNameIsFree(template.template_name);
      const id = createHashedId("shipping template", "created", String(templates.length));
      const base = {
        id: idSchemas.shippingTemplate.parse(id),
        template_name: template.template_name,
        free_shipping: true,
        use_contractred_company: false,
        common_address: true,
        conditional_shipping: false,
        shipping_with_together: false,
        created_at: toIso(clock.now()),
      };
      const added = applyChanges(base, toFields(template, cities()));
      templates = [...templates, added];
      late.changed(added.id, undefined);
      effects.note("shippingTemplate.create", added.template_name, by);
    },
    update({ shipping_template_id: id, ...changes }, by = "caller") {
      const before = templates.find((template) => template.id === id);
      if (before === undefined) {
        throw createMissingRefusal({ en: "Shipping template", tr: "Teslimat şablonu" });
      }
      assertNameIsFree(changes.template_name, id);
      const after = applyChanges(before, toFields(changes, cities()));
      templates = templates.map((template) => (template === before ? after : template));
      late.changed(id, before);
      effects.note("shippingTemplate.update", id, by);
    },
  };
}

/**
 * Makes dependent fields consistent: a common address is used for both, and shipping to all cities
 * removes the list.
 */
function applyChanges(
  before: ShippingTemplate,
  fields: Partial<ShippingTemplate>,
): ShippingTemplate {
  const after: ShippingTemplate = { ...before, ...fields };
  const isCommon = after.common_address === true;
  const { suitable_cities, ...rest } = after;
  return {
    ...rest,
    ...(isCommon && { return_address: after.sender_address }),
    ...(after.all_country !== true && { suitable_cities }),
  };
}

/** Converts the given fields to those of the listing; throws a refusal that names unknown ids. */
function toFields(
  changes: Omit<InputOf<"shippingTemplate.update">, "shipping_template_id">,
  cities: readonly SandboxCity[],
): Partial<ShippingTemplate> {
  const problems: FieldProblem[] = [];
  const resolve = <Value, Found>(
    field: keyof InputOf<"shippingTemplate.update">,
    finder: Finder<Value, Found>,
  ) => resolveAll(field, finder, problems);

  const companies = (field: "shipping_companies" | "return_companies") =>
    resolve(field, {
      values: toList(changes[field]),
      find: (id) => COMPANIES.find((company) => company.id === id),
      message: { en: "must be shipping companies", tr: "kargo firmaları olmalı" },
    })?.map(({ id, name }) => ({ id, name }));
  const address = (field: "sender_address" | "return_address") =>
    resolve(field, {
      values: toList(changes[field]),
      find: (id) => ADDRESSES.find((known) => known.id === id),
      message: { en: "must be an address of the store", tr: "mağazanın bir adresi olmalı" },
    })?.[0];
  const found = {
    shipping_companies: companies("shipping_companies"),
    return_companies: companies("return_companies"),
    sender_address: address("sender_address"),
    return_address: address("return_address"),
    suitable_cities: resolve("suitable_cities", {
      values: toList(changes.suitable_cities),
      find: (city) => findCity(cities, city)?.name,
      message: { en: "must be ids or names of cities", tr: "il kodları veya adları olmalı" },
    }),
  };
  if (problems.length > 0) throw createInputRefusal(problems);
  const given = Object.entries({ ...changes, ...found }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given);
}

interface Finder<Value, Found> {
  /** `undefined` when the field was not given. */
  readonly values: readonly Value[] | undefined;
  readonly find: (value: Value) => Found | undefined;
  readonly message: FieldProblem["message"];
}

function resolveAll<Value, Found>(
  field: string,
  { values, find, message }: Finder<Value, Found>,
  problems: FieldProblem[],
): readonly Found[] | undefined {
  const found = values?.map(find).filter((one) => one !== undefined);
  if (found?.length !== values?.length) problems.push({ field, message });
  return found;
}

/** Makes a list of a single value, or of a text with commas. */
function toList(
  value: string | number | readonly (string | number)[] | undefined,
): readonly (string | number)[] | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "string") return value.split(",").map((part) => part.trim());
  return typeof value === "number" ? [value] : value;
}
