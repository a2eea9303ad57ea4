/** The endpoint table: every call that the toolkit knows, by resource and name. */

import { type BrandEndpoints, brandEndpoints } from "./brand.ts";
import { type CategoryEndpoints, categoryEndpoints } from "./category.ts";
import { type ProductEndpoints, productEndpoints } from "./product.ts";
import { type ShippingTemplateEndpoints, shippingTemplateEndpoints } from "./shipping-template.ts";
import { type TokenEndpoints, tokenEndpoints } from "./token.ts";

/** The calls by resource; each resource is a row group of its own file. */
export interface Endpoints {
  readonly token: TokenEndpoints;
  readonly category: CategoryEndpoints;
  readonly brand: BrandEndpoints;
  readonly shippingTemplate: ShippingTemplateEndpoints;
  readonly product: ProductEndpoints;
}

/** The table itself. A call that is not in it does not exist for the toolkit. */
export const endpoints: Endpoints = {
  token: tokenEndpoints,
  category: categoryEndpoints,
  brand: brandEndpoints,
  shippingTemplate: shippingTemplateEndpoints,
  product: productEndpoints,
};
