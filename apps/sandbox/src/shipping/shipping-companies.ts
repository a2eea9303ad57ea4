/** Prices of companies for a package, and the shipping code. */

import type { ShippingCode, ShippingPrice } from "@catalog/contract";

import { createHashedId, pickNumber } from "../catalog/hashed-id.ts";
import { createInputRefusal } from "../http/refusal.ts";
import type { SoldPackage } from "../orders/seed-orders.ts";
import { COMPANIES, type SandboxCompany } from "./company-list.ts";

const BASE_MINOR = 5490;
const STEP_MINOR = 500;
const PER_ITEM_MINOR = 1250;

/** Prices of the contracted companies, in minor units; more items cost more. */
export function quotePrices({ id, items }: SoldPackage): readonly ShippingPrice[] {
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

/** Creates the code, the same one for the same package and company. */
export function createShippingCode(packageId: string, company: SandboxCompany): ShippingCode {
  const digits = pickNumber(10 ** 12, "shipping code", packageId, company.id);
  return {
    shipping_company: company.name,
    shippingCode: `${createHashedId("prefix", company.name).slice(0, 2).toUpperCase()}${String(digits).padStart(12, "0")}`,
  };
}
