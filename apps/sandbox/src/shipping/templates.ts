/** The store's shipping templates: those of the start, with the changes of calls. */

import type { Clock } from "@catalog/clock";
import {
  type ShippingTemplate,
  type ShippingTemplateChanges,
  type ShippingTemplateCreate,
  shippingTemplateId,
  type ShippingTemplateUpdate,
} from "@catalog/contract";

import { findCity, type SandboxCity } from "../catalog/cities.ts";
import { createHashedId } from "../catalog/hashed-id.ts";
import { toIso } from "../history/time-filters.ts";
import { createInputRefusal, createMissingRefusal, type FieldProblem } from "../http/refusal.ts";
import { ADDRESSES } from "./addresses.ts";
import { COMPANIES } from "./company-list.ts";

export interface TemplatesOptions {
  readonly clock: Clock;
  readonly initial: readonly ShippingTemplate[];
  readonly cities: () => readonly SandboxCity[];
}

export interface Templates {
  /** In the order of creation. */
  list(): readonly ShippingTemplate[];
  /** Throws a refusal when an address, a company or a city is unknown. */
  create(template: ShippingTemplateCreate): void;
  /** Sets the given fields; throws a refusal as `create` does, or for an unknown template. */
  update(changes: ShippingTemplateUpdate): void;
}

export function createTemplates(options: TemplatesOptions): Templates {
  const { clock, initial, cities } = options;
  let templates = initial;

  return {
    list: () => templates,
    create(template) {
      const id = createHashedId("shipping template", "created", String(templates.length));
      const base = {
        id: shippingTemplateId.parse(id),
        template_name: template.template_name,
        free_shipping: true,
        use_contractred_company: false,
        common_address: true,
        conditional_shipping: false,
        shipping_with_together: false,
        created_at: toIso(clock.now()),
      };
      templates = [...templates, applyChanges(base, toFields(template, cities()))];
    },
    update({ shipping_template_id: id, ...changes }) {
      const before = templates.find((template) => template.id === id);
      if (before === undefined) {
        throw createMissingRefusal({ en: "Shipping template", tr: "Teslimat şablonu" });
      }
      const after = applyChanges(before, toFields(changes, cities()));
      templates = templates.map((template) => (template === before ? after : template));
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
  changes: ShippingTemplateChanges,
  cities: readonly SandboxCity[],
): Partial<ShippingTemplate> {
  const problems: FieldProblem[] = [];
  const resolve = <Value, Found>(
    field: keyof ShippingTemplateChanges,
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
