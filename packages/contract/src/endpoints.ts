/** The endpoint table: every call that the specification describes, by resource and name. */

import * as z from "zod";

import {
  type Endpoint,
  type Page,
  type PagedEndpoint,
  pageOf,
  type PageQuery,
} from "./endpoint.ts";
import {
  type BrandEndpoints,
  brandEndpoints,
  type CategoryEndpoints,
  categoryEndpoints,
} from "./resources/category.ts";
import {
  type CommentEndpoints,
  commentEndpoints,
  type QuestionEndpoints,
  questionEndpoints,
} from "./resources/comment.ts";
import { type OrderEndpoints, orderEndpoints } from "./resources/order.ts";
import { type PaymentEndpoints, paymentEndpoints } from "./resources/payment.ts";
import { type ProductEndpoints, productEndpoints } from "./resources/product.ts";
import {
  type CityEndpoints,
  cityEndpoints,
  type ShippingEndpoints,
  shippingEndpoints,
  type ShippingTemplateEndpoints,
  shippingTemplateEndpoints,
} from "./resources/shipping.ts";
import { type TokenEndpoints, tokenEndpoints } from "./resources/token.ts";

/** The table's type: resources, and under each its calls. */
export interface Endpoints {
  readonly token: TokenEndpoints;
  readonly order: OrderEndpoints;
  readonly product: ProductEndpoints;
  readonly comment: CommentEndpoints;
  readonly category: CategoryEndpoints;
  readonly brand: BrandEndpoints;
  readonly shippingTemplate: ShippingTemplateEndpoints;
  readonly shipping: ShippingEndpoints;
  readonly question: QuestionEndpoints;
  readonly payment: PaymentEndpoints;
  readonly city: CityEndpoints;
}

/** Every call of the marketplace, as data. */
export const endpoints: Endpoints = {
  token: tokenEndpoints,
  order: orderEndpoints,
  product: productEndpoints,
  comment: commentEndpoints,
  category: categoryEndpoints,
  brand: brandEndpoints,
  shippingTemplate: shippingTemplateEndpoints,
  shipping: shippingEndpoints,
  question: questionEndpoints,
  payment: paymentEndpoints,
  city: cityEndpoints,
};

/** The name of a call: its group in the table and its name there, such as "product.add". */
export type EndpointName = {
  readonly [Group in keyof Endpoints]: `${Group}.${keyof Endpoints[Group] & string}`;
}[keyof Endpoints];

type EndpointOf<Name extends EndpointName> =
  Name extends `${infer Group extends keyof Endpoints}.${infer Call}`
    ? Endpoints[Group][Call & keyof Endpoints[Group]]
    : never;

/** What a call takes: its query or body, and the parameters in its path. */
export type InputOf<Name extends EndpointName> =
  EndpointOf<Name> extends Endpoint<infer Input, infer _Data> ? Input : never;

/** What a call answers with in `data`. */
export type DataOf<Name extends EndpointName> =
  EndpointOf<Name> extends Endpoint<infer _Input, infer Data> ? Data : never;

const byName: ReadonlyMap<string, Endpoint<unknown, unknown>> = new Map(
  Object.entries(endpoints).flatMap(([group, calls]: [string, object]) =>
    Object.entries(calls).map(
      ([call, endpoint]: [string, Endpoint<unknown, unknown>]) =>
        [`${group}.${call}`, endpoint] as const,
    ),
  ),
);

/** The row of the table with this name. */
export function endpointNamed(name: EndpointName): Endpoint<unknown, unknown> {
  const endpoint = byName.get(name);
  if (endpoint === undefined) throw new Error(`there is no call ${name}`);
  return endpoint;
}

/** The same row for an answer of any form, which is passed on as it is and never cut into pages. */
export const rawEndpoint = (name: EndpointName): Endpoint<unknown, unknown> => ({
  ...endpointNamed(name),
  paging: undefined,
  spareFields: undefined,
  data: z.unknown(),
});

/** The same row for pages with elements of any form; `undefined` for a call without pages. */
export function rawListing(name: EndpointName): PagedEndpoint<PageQuery, unknown> | undefined {
  const row = {
    ...rawEndpoint(name),
    paging: endpointNamed(name).paging,
    data: pageOf(z.unknown()),
  };
  return hasPages(row) ? row : undefined;
}

const hasPages = (
  row: Endpoint<unknown, Page<unknown>>,
): row is PagedEndpoint<PageQuery, unknown> => row.paging !== undefined;
