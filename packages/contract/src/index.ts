export {
  type Brand,
  type BrandModel,
  type Category,
  type CategoryProperty,
  type PropertyOption,
} from "./resources/category.ts";
export { type City, type ShippingTemplate } from "./resources/shipping.ts";
export { readAnswer } from "./answers.ts";
export { type Comment, type CommentedProduct, type Question } from "./resources/comment.ts";
export {
  type Endpoint,
  type ObjectSchema,
  type Page,
  type PagedEndpoint,
  pageOf,
  type PageQuery,
  pathParameters,
  type Version,
  CURRENCIES,
  type Currency,
  DEFAULT_PAGE_SIZE,
  DISCOUNT_RATE,
  DISCOUNT_TYPES,
  type DiscountType,
  LISTING_STATUSES,
  type ListingStatus,
  MAX_PAGE_SIZE,
  ORDER_STATUS,
  PAYMENT_STATUSES,
  PRODUCT_CONDITIONS,
  type ProductCondition,
  SATISFACTIONS,
  SORT_ORDERS,
  STORE_TYPES,
  TOKEN_VALIDITY_MS,
  WARRANTY_PERIODS,
  WARRANTY_TYPES,
  type WarrantyPeriod,
  type WarrantyType,
  type Moment,
} from "./endpoint.ts";
export {
  type DataOf,
  endpointNamed,
  type EndpointName,
  endpoints,
  type Endpoints,
  type InputOf,
  rawEndpoint,
  rawListing,
} from "./endpoints.ts";
export {
  type Branded,
  type Id,
  type IdKind,
  idSchemas,
  type ProductId,
  OBJECT_ID_FORMAT,
  priceMinor,
  type PriceMinor,
} from "./ids.ts";
export { type Order, type OrderItem, type OrderPackage, toOrders } from "./resources/order.ts";
export { type Payment } from "./resources/payment.ts";
export {
  type FoundProduct,
  type ProductAdd,
  type ProductImage,
  type ProductChanges,
  type ProductUpdate,
  type PropertyChoice,
  type StoreProduct,
} from "./resources/product.ts";
