/** The endpoint table: every call that the specification describes, by resource and name. */

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
