export {
  type Brand,
  type BrandEndpoints,
  type BrandModel,
  type BrandModelQuery,
  type BrandQuery,
} from "./resources/brand.ts";
export {
  type Category,
  type CategoryEndpoints,
  type CategoryProperty,
  type CategoryQuery,
  type CategoryWithProperties,
  type PropertyOption,
} from "./resources/category.ts";
export { type City, type CityEndpoints } from "./resources/city.ts";
export {
  type Comment,
  type CommentedProduct,
  type CommentedProductQuery,
  type CommentEndpoints,
  type CommentSubject,
  type ProductCommentPage,
  type ProductCommentQuery,
  type StoreCommentQuery,
} from "./resources/comment.ts";
export {
  type Effect,
  type Endpoint,
  type NoInput,
  type ObjectSchema,
  type Page,
  type PagedEndpoint,
  pageOf,
  type PageQuery,
  type Paging,
  pathParameters,
  type Version,
} from "./endpoint.ts";
export { endpoints, type Endpoints } from "./endpoints.ts";
export {
  addressId,
  type AddressId,
  brandId,
  type BrandId,
  type Branded,
  brandModelId,
  type BrandModelId,
  categoryId,
  type CategoryId,
  commentId,
  type CommentId,
  orderItemId,
  type OrderItemId,
  packageId,
  type PackageId,
  paymentId,
  type PaymentId,
  productId,
  type ProductId,
  propertyId,
  type PropertyId,
  propertyOptionId,
  type PropertyOptionId,
  questionId,
  type QuestionId,
  shippingCompanyId,
  type ShippingCompanyId,
  shippingTemplateId,
  type ShippingTemplateId,
  storeId,
  type StoreId,
  OBJECT_ID_FORMAT,
} from "./ids.ts";
export {
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
  type PaymentStatus,
  PRODUCT_CONDITIONS,
  type ProductCondition,
  type Satisfaction,
  SATISFACTIONS,
  SORT_ORDERS,
  type SortOrder,
  STORE_TYPES,
  type StoreType,
  TOKEN_VALIDITY_MS,
  WARRANTY_PERIODS,
  WARRANTY_TYPES,
  type WarrantyPeriod,
  type WarrantyType,
} from "./limits.ts";
export { priceMinor, type PriceMinor } from "./money.ts";
export {
  type Order,
  type OrderItem,
  type OrderListing,
  type OrderPackage,
  type PackageShipping,
  toOrders,
} from "./resources/order-shapes.ts";
export {
  type OrderEndpoints,
  type OrderMoveResult,
  type OrderPostpone,
  type OrderQuery,
  type OrderStatusCode,
  type ReturnAcceptance,
  type ReturnAcceptanceResult,
  type ReturnRejection,
} from "./resources/order.ts";
export { type Payment, type PaymentEndpoints, type PaymentQuery } from "./resources/payment.ts";
export { type ProductFacts, type ProductProperty } from "./resources/product-facts.ts";
export { type FoundProduct, type ProductSearchQuery } from "./resources/product-search.ts";
export {
  DOCUMENTED_UPDATE_FIELDS,
  type ProductAdd,
  type ProductAddResult,
  type ProductImage,
  type ProductChanges,
  type ProductEndpoints,
  type ProductUpdate,
  type PropertyChoice,
  type StoreProduct,
  type StoreProductQuery,
  UNDOCUMENTED_ADD_FIELDS,
} from "./resources/product.ts";
export { type Moment } from "./query-fields.ts";
export {
  type Question,
  type QuestionEndpoints,
  type QuestionQuery,
  type QuestionReply,
  type QuestionReplyResult,
} from "./resources/question.ts";
export {
  type ShippingTemplateChanges,
  type ShippingTemplateCreate,
  type ShippingTemplateUpdate,
} from "./resources/shipping-template-input.ts";
export {
  type ShippingTemplate,
  type ShippingTemplateEndpoints,
  type ShippingTemplateQuery,
  type ShippingTemplateResult,
} from "./resources/shipping-template.ts";
export {
  type ShippingCode,
  type ShippingCodeRequest,
  type ShippingCompany,
  type ShippingEndpoints,
  type ShippingPrice,
} from "./resources/shipping.ts";
export { type TokenEndpoints, type TokenRequest, type TokenResult } from "./resources/token.ts";
