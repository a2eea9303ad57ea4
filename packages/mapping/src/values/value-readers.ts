import type {
  Currency,
  DiscountType,
  ProductCondition,
  WarrantyPeriod,
  WarrantyType,
} from "@catalog/contract";

import { createKeywordReader, type KeywordReader } from "./keyword-reader.ts";
import { type RowAction, VALUE_KEYWORDS } from "./keywords.ts";

/** A reader for each closed list that a row can hold. */
export interface ValueReaders {
  readonly action: KeywordReader<RowAction>;
  readonly currency: KeywordReader<Currency>;
  readonly warrantyType: KeywordReader<WarrantyType>;
  readonly warrantyPeriod: KeywordReader<WarrantyPeriod>;
  readonly discountType: KeywordReader<DiscountType>;
  readonly condition: KeywordReader<ProductCondition>;
  readonly yesNo: KeywordReader<boolean>;
}

/** Creates the readers of all closed lists. */
export function createValueReaders(): ValueReaders {
  return {
    action: createKeywordReader(VALUE_KEYWORDS.action),
    currency: createKeywordReader(VALUE_KEYWORDS.currency),
    warrantyType: createKeywordReader(VALUE_KEYWORDS.warranty_type),
    warrantyPeriod: createKeywordReader(VALUE_KEYWORDS.warranty_period),
    discountType: createKeywordReader(VALUE_KEYWORDS.discount_type),
    condition: createKeywordReader(VALUE_KEYWORDS.condition),
    yesNo: createKeywordReader(VALUE_KEYWORDS.yes_no),
  };
}
