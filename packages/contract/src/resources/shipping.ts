import * as z from "zod";

import type { Endpoint, NoInput } from "../endpoint.ts";
import { type PackageId, packageId, type ShippingCompanyId, shippingCompanyId } from "../ids.ts";
import { answeredPrice } from "../money.ts";

/** Section Resources, Shipping company. */
export interface ShippingCompany {
  readonly id: ShippingCompanyId;
  readonly name: string;
  readonly has_contract_with_platform?: boolean | null | undefined;
}

/** Price of a contracted company for a package. The unit of `price` is not stated. */
export interface ShippingPrice {
  readonly id: ShippingCompanyId;
  readonly name: string;
  readonly price: number;
}

/** Section Resources, generated code; `shippingCode` is spelled so. */
export interface ShippingCode {
  readonly shipping_company?: string | null | undefined;
  readonly shippingCode: string;
}

/** Body of the call that generates a shipping code. */
export interface ShippingCodeRequest {
  readonly package_id: PackageId;
  readonly company_id: ShippingCompanyId;
}

/** The shipping calls. */
export interface ShippingEndpoints {
  /** Section Shipping: GET /v1.0/shipping/companies/all. */
  readonly companies: Endpoint<NoInput, readonly ShippingCompany[]>;
  /** Section Shipping: GET /v1.0/shipping/companies/contracted. */
  readonly contractedCompanies: Endpoint<NoInput, readonly ShippingCompany[]>;
  /** Section Shipping: GET /v1.0/shipping/get-prices/store/:storeId. */
  readonly prices: Endpoint<{ readonly package_id: PackageId }, readonly ShippingPrice[]>;
  /** Section Shipping: POST /v1.0/shipping/generate-shipping-code/store/:storeId. */
  readonly generateCode: Endpoint<ShippingCodeRequest, ShippingCode>;
}

const companies = z.array(
  z.looseObject({
    id: shippingCompanyId,
    name: z.string(),
    has_contract_with_platform: z.boolean().nullish(),
  }),
);

export const shippingEndpoints: ShippingEndpoints = {
  companies: {
    method: "GET",
    path: "/shipping/companies/all",
    versions: ["v1.0"],
    permission: "general",
    effect: "read",
    paging: undefined,
    section: "Shipping",
    summary: "List every shipping company.",
    input: z.object({}),
    data: companies,
  },
  contractedCompanies: {
    method: "GET",
    path: "/shipping/companies/contracted",
    versions: ["v1.0"],
    permission: "general",
    effect: "read",
    paging: undefined,
    section: "Shipping",
    summary: "List the shipping companies that have a contract with the platform.",
    input: z.object({}),
    data: companies,
  },
  prices: {
    method: "GET",
    path: "/shipping/get-prices/store/:storeId",
    versions: ["v1.0"],
    permission: "store",
    effect: "read",
    paging: undefined,
    section: "Shipping",
    summary: "What the contracted companies ask for a package.",
    input: z.object({ package_id: packageId }),
    data: z.array(z.looseObject({ id: shippingCompanyId, name: z.string(), price: answeredPrice })),
  },
  generateCode: {
    method: "POST",
    path: "/shipping/generate-shipping-code/store/:storeId",
    versions: ["v1.0"],
    permission: "store",
    effect: "create",
    paging: undefined,
    section: "Shipping",
    summary: "Generate the code under which a company takes a package.",
    input: z.object({ package_id: packageId, company_id: shippingCompanyId }),
    data: z.looseObject({
      shipping_company: z.string().nullish(),
      shippingCode: z.string().min(1),
    }),
  },
};
