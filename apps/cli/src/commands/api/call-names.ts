/** The names of all calls, for help and completion, which do not load their schemas. */

import type { EndpointName } from "@catalog/contract";

/** Every call of the specification, by resource, in its order. */
export const CALL_NAMES: readonly EndpointName[] = [
  "token.create",
  "order.statusCodes",
  "order.list",
  "order.postpone",
  "order.accept",
  "order.acceptReturn",
  "order.rejectReturn",
  "product.search",
  "product.list",
  "product.add",
  "product.update",
  "comment.commentedProducts",
  "comment.productComments",
  "comment.storeComments",
  "category.list",
  "category.byExternalId",
  "category.properties",
  "brand.list",
  "brand.models",
  "shippingTemplate.list",
  "shippingTemplate.create",
  "shippingTemplate.update",
  "shippingTemplate.addresses",
  "shipping.companies",
  "shipping.contractedCompanies",
  "shipping.prices",
  "shipping.generateCode",
  "question.list",
  "question.reply",
  "payment.list",
  "city.list",
];
