import { ADDRESSES } from "../shipping/addresses.ts";
import { COMPANIES } from "../shipping/company-list.ts";
import {
  createShippingCode,
  quotePrices,
  requireContracted,
} from "../shipping/shipping-companies.ts";
import type { Handlers, HandlersOptions } from "./handler.ts";
import { searchPage } from "./search-page.ts";

export function createShippingTemplateHandlers(
  options: HandlersOptions,
): Handlers["shippingTemplate"] {
  const { market } = options;
  return {
    list: {
      answer: (query) =>
        searchPage(market.templates.list(), query, ({ template_name }) => template_name),
    },
    create: {
      answer(template) {
        market.templates.create(template);
        return { success: true };
      },
    },
    update: {
      answer(changes) {
        market.templates.update(changes);
        return { success: true };
      },
    },
    addresses: { answer: () => ADDRESSES },
  };
}

/** A package can get a shipping code once it is accepted. */
export function createShippingHandlers({ market }: HandlersOptions): Handlers["shipping"] {
  return {
    companies: { answer: () => COMPANIES },
    contractedCompanies: {
      answer: () => COMPANIES.filter((company) => company.has_contract_with_platform),
    },
    prices: { answer: ({ package_id }) => quotePrices(market.orders.package(package_id)) },
    generateCode: {
      answer({ package_id, company_id }) {
        const company = requireContracted(company_id);
        const { id } = market.orders.move(package_id, "generateCode");
        return createShippingCode(id, company);
      },
    },
  };
}
