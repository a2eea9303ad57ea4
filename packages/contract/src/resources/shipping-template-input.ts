/**
 * The input of the create and update calls of shipping templates, with the rules between fields.
 */

import * as z from "zod";

import type { ObjectSchema } from "../endpoint.ts";
import {
  type AddressId,
  addressId,
  type ShippingCompanyId,
  shippingCompanyId,
  type ShippingTemplateId,
  shippingTemplateId,
} from "../ids.ts";
import { withDefault } from "../query-fields.ts";

/** Body of the create call (section Shipping templates). */
export interface ShippingTemplateCreate {
  readonly template_name: string;
  /** @default true */
  readonly free_shipping?: boolean | undefined;
  readonly shipping_note?: string | undefined;
  readonly sender_address: AddressId;
  /** Required when `common_address` is false. */
  readonly return_address?: AddressId | undefined;
  /** The specification does not state the unit; days are assumed. */
  readonly shipping_time: number;
  /** Ships to all cities. Required, although the specification also names true as its default. */
  readonly all_country: boolean;
  /** Required when `all_country` is false. Whether ids or names are meant is not shown. */
  readonly suitable_cities?: string | readonly (string | number)[] | undefined;
  /** Ships with a company that the platform has a contract with; spelled so. @default false */
  readonly use_contractred_company?: boolean | undefined;
  /** Goods leave from and come back to one address. @default true */
  readonly common_address?: boolean | undefined;
  /** @default false */
  readonly conditional_shipping?: boolean | undefined;
  /**
   * The amount from which conditional shipping applies; only with `conditional_shipping`. The unit
   * is not stated.
   */
  readonly min_price?: number | undefined;
  /** @default false */
  readonly shipping_with_together?: boolean | undefined;
  readonly shipping_companies: ShippingCompanyId | readonly ShippingCompanyId[];
  readonly return_companies: ShippingCompanyId | readonly ShippingCompanyId[];
}

/** Fields of a template to set; one that is absent is left as it is. */
export type ShippingTemplateChanges = {
  readonly [Field in keyof ShippingTemplateCreate]?: ShippingTemplateCreate[Field] | undefined;
};

/** Body of the update call (section Shipping templates). */
export interface ShippingTemplateUpdate extends ShippingTemplateChanges {
  readonly shipping_template_id: ShippingTemplateId;
}

const companies = z.union([shippingCompanyId, z.array(shippingCompanyId).min(1)]);

const shape = {
  template_name: z.string().min(1),
  free_shipping: z.boolean().optional(),
  shipping_note: z.string().optional(),
  sender_address: addressId,
  return_address: addressId
    .optional()
    .meta({ description: "Required when common_address is false" }),
  shipping_time: z.int().nonnegative(),
  all_country: z.boolean(),
  suitable_cities: z
    .union([z.string().min(1), z.array(z.union([z.string().min(1), z.number()])).min(1)])
    .optional()
    .meta({ description: "Required when all_country is false" }),
  use_contractred_company: z.boolean().optional(),
  common_address: z.boolean().optional(),
  conditional_shipping: z.boolean().optional(),
  min_price: z
    .number()
    .nonnegative()
    .optional()
    .meta({ description: "Only with conditional_shipping" }),
  shipping_with_together: z.boolean().optional(),
  shipping_companies: companies,
  return_companies: companies,
};

/** Defaults of the create call only: an update leaves alone the fields that it does not name. */
const createDefaults = {
  free_shipping: withDefault(z.boolean(), true),
  all_country: z.boolean().meta({ default: true }),
  use_contractred_company: withDefault(z.boolean(), false),
  common_address: withDefault(z.boolean(), true),
  conditional_shipping: withDefault(z.boolean(), false),
  shipping_with_together: withDefault(z.boolean(), false),
};

type Payload = z.core.ParsePayload<ShippingTemplateChanges>;

function refuse({ value, issues }: Payload, path: string, message: string): void {
  issues.push({ code: "custom", input: value, path: [path], message });
}

function checkChanges(payload: Payload): void {
  const { common_address, return_address, all_country, suitable_cities } = payload.value;
  if (common_address === false && return_address === undefined) {
    refuse(payload, "return_address", "required when common_address is false");
  }
  if (all_country === false && suitable_cities === undefined) {
    refuse(payload, "suitable_cities", "required when all_country is false");
  }
  const { conditional_shipping, min_price } = payload.value;
  if (conditional_shipping === false && min_price !== undefined) {
    refuse(payload, "min_price", "only with conditional_shipping");
  }
}

/**
 * Refuses `min_price` on a new template without conditional shipping. An update is not checked,
 * because the stored template may have conditional shipping already.
 */
function checkNew(payload: Payload): void {
  checkChanges(payload);
  const { conditional_shipping, min_price } = payload.value;
  if (conditional_shipping === undefined && min_price !== undefined) {
    refuse(payload, "min_price", "only with conditional_shipping");
  }
}

export const shippingTemplateCreate: ObjectSchema<ShippingTemplateCreate> = z
  .object({ ...shape, ...createDefaults })
  .check(checkNew);

export const shippingTemplateUpdate: ObjectSchema<ShippingTemplateUpdate> = z
  .object(shape)
  .partial()
  .extend({ shipping_template_id: shippingTemplateId })
  .check(checkChanges);
