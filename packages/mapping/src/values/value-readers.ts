import {
  type Currency,
  type DiscountType,
  type ProductCondition,
  type WarrantyPeriod,
  type WarrantyType,
} from "@catalog/contract";

import { createWordReader, type WordReader } from "./keyword-reader.ts";
import { type RowAction, VALUE_WORDS } from "./keywords.ts";

/** A reader for each closed list that a row can hold. */
export interface ValueReaders {
  readonly action: WordReader<RowAction>;
  readonly currency: WordReader<Currency>;
  readonly warrantyType: WordReader<WarrantyType>;
  readonly warrantyPeriod: WordReader<WarrantyPeriod>;
  readonly discountType: WordReader<DiscountType>;
  readonly condition: WordReader<ProductCondition>;
  readonly yesNo: WordReader<boolean>;
}

/** Creates the readers of all closed lists. */
export function createValueReaders(): ValueReaders {
  return {
    action: createWordReader(VALUE_WORDS.action),
    currency: createWordReader(VALUE_WORDS.currency),
    warrantyType: createWordReader(VALUE_WORDS.warranty_type),
    warrantyPeriod: createWordReader(VALUE_WORDS.warranty_period),
    discountType: createWordReader(VALUE_WORDS.discount_type),
    condition: createWordReader(VALUE_WORDS.condition),
    yesNo: createWordReader(VALUE_WORDS.yes_no),
  };
}
