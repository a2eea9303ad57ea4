export {
  type Brand,
  type BrandEndpoints,
  type BrandModel,
  type BrandModelQuery,
  type BrandQuery,
} from "./brand.ts";
export {
  type Category,
  type CategoryEndpoints,
  type CategoryProperty,
  type CategoryQuery,
  type CategoryWithProperties,
  type PropertyOption,
} from "./category.ts";
export {
  type Effect,
  type Endpoint,
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
  type BrandId,
  brandId,
  brandModelId,
  type BrandModelId,
  categoryId,
  type CategoryId,
  productId,
  type ProductId,
  type PropertyId,
  propertyId,
  propertyOptionId,
  type PropertyOptionId,
  shippingTemplateId,
  type ShippingTemplateId,
  type StoreId,
  storeId,
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
  PRODUCT_CONDITIONS,
  type ProductCondition,
  SORT_ORDERS,
  type SortOrder,
  TOKEN_VALIDITY_MS,
  WARRANTY_PERIODS,
  WARRANTY_TYPES,
  type WarrantyPeriod,
  type WarrantyType,
} from "./limits.ts";
export { priceMinor, type PriceMinor } from "./money.ts";
export {
  DOCUMENTED_UPDATE_FIELDS,
  type ProductAdd,
  type ProductAddResult,
  type ProductChanges,
  type ProductEndpoints,
  type ProductProperty,
  type ProductUpdate,
  type PropertyChoice,
  type StoreProduct,
  type StoreProductQuery,
  UNDOCUMENTED_ADD_FIELDS,
} from "./product.ts";
export {
  type ShippingTemplate,
  type ShippingTemplateEndpoints,
  type ShippingTemplateQuery,
} from "./shipping-template.ts";
export { type TokenEndpoints, type TokenRequest, type TokenResult } from "./token.ts";
