export {
  type ColumnCells,
  type ColumnScan,
  createColumnScan,
  type Watch,
} from "./columns/column-cells.ts";
export { type ColumnChoice, type ColumnQuestion, LEAVE_OUT } from "./columns/column-questions.ts";
export {
  type FieldAlias,
  type FieldDefinition,
  type FieldKey,
  type FieldKind,
  type FieldTarget,
  type HeaderDoubt,
  RANK,
} from "./columns/fields/field.ts";
export { IMAGE_FIELDS } from "./columns/fields/delivery-fields.ts";
export { FIELDS, findField, formatHeader, getField } from "./columns/fields/fields.ts";
export { headerKey, headerWords } from "./columns/header-key.ts";
export { type ColumnTarget } from "./columns/header-matcher.ts";
export { createKnownHeaderCount, type KnownHeaderCount } from "./columns/known-headers.ts";
export {
  type Column,
  type ColumnMapping,
  mapColumns,
  type MapColumnsOptions,
} from "./columns/map-columns.ts";
export { formatReadOnlyHeader, isOwnResultHeader } from "./columns/fields/other-headers.ts";
export { codeKey, fold, looseCodeKey, lowerTurkish, suspectCodeKey, trimText } from "./fold.ts";
export { areCodesSplitApart, lookAlikeCodeKey } from "./look-alike-codes.ts";
export {
  type DescriptionChange,
  type DescriptionFormat,
  type ReadDescription,
} from "./descriptions/description.ts";
export { ISSUE_CODES, type IssueCode } from "./issues/codes.ts";
export { type Issue, type IssueLocation, type Problem, type Reading } from "./issues/issue.ts";
export { type CategoryIndex, type NotLeaf } from "./names/category-index.ts";
export { type CategoryNode, formatPath } from "./names/category-tree.ts";
export {
  labelLeaves,
  labelNames,
  labelOf,
  type NameChoice,
  sortLabels,
} from "./names/name-labels.ts";
export {
  createNameIndex,
  type NameHit,
  type NameIndex,
  type Resolution,
} from "./names/name-index.ts";
export { nameKey } from "./names/name-key.ts";
export { findNearestName, type NearestNameOptions } from "./names/nearest-name.ts";
export {
  createNameIndexes,
  DEFAULT_ID_PATTERN,
  type IndexedProperty,
  type NameIndexes,
} from "./names/name-indexes.ts";
export {
  createMarketplaceNames,
  type ListCallOptions,
  type ListOptions,
  type NameCalls,
  type NameSource,
} from "./names/name-source.ts";
export {
  listRuleFields,
  readRuleField,
  ruleKey,
  scopeRuleField,
  splitRuleField,
  type ValueRules,
  ruleFieldName,
} from "./names/value-rules.ts";
export { type CodeColumn, createCodeColumn } from "./rows/code-column.ts";
export { type CodeSuspects, createCodeSuspects } from "./learn/code-suspects.ts";
export { completeAdd } from "./rows/missing.ts";
export { createNamesKey, type NamesKey } from "./learn/names-key.ts";
export {
  createRowMapper,
  type MappedRow,
  type PropertyPolicy,
  type RowMapper,
  type RowMapperOptions,
} from "./rows/row-mapper.ts";
export { createPriceSamples, type PriceSample, type PriceSamples } from "./learn/price-samples.ts";
export { type OpenName, type ImageCell, type ResolvedNames } from "./rows/row-work.ts";
export {
  cellAddress,
  columnLetter,
  type CellTrait,
  type CellValue,
  type SourceRow,
} from "./rows/source-row.ts";
export { createRowJoiner } from "./variants/create-row-joiner.ts";
export { type RowJoiner } from "./variants/row-joiner.ts";
export { findVariantColumns, isFilled, type VariantColumns } from "./variants/variant-columns.ts";
export { isSentRow } from "./rows/row-role.ts";
export { DEFAULT_TITLE_PATTERN, findUnknownPlaces } from "./variants/variant-title.ts";
export { NO_PLATFORM, PLATFORM_NAMES } from "./platforms/platforms.ts";
export { findPlatform, type ReadPlatform } from "./platforms/recognise-platform.ts";
export {
  createUnpublishedSearch,
  listStatusHeaders,
  type UnpublishedCell,
} from "./rows/unpublished.ts";
export { createRowKinds, type ReadRowKind, type RowKind } from "./rows/row-kind.ts";
export { completeImageAddress, splitImageAddresses } from "./values/image-address.ts";
export { rewriteDecimals } from "./values/number-proposals.ts";
export { formatMoney, type Money, parseMoney } from "./values/money.ts";
export {
  createNotationObserver,
  type NotationObserver,
  readNumberCell,
  type NumberNotations,
  type UnclearNumbers,
} from "./values/notation.ts";
export { type ColumnNotation, type DecimalSign } from "./values/number-text.ts";
export { FIELD_KEYWORDS } from "./values/field-keywords.ts";
export { suggestKeywords } from "./values/keyword-reader.ts";
export { decodeCodes } from "./names/foreign-names.ts";
export {
  type RowAction,
  type Satisfaction,
  VALUE_KEYWORDS,
  type ValueKeyword,
  type ValueKeywords,
} from "./values/keywords.ts";
export { isPlausible, type LikelyColumn, mapFlag } from "./columns/likely-columns.ts";
export {
  findDefaultField,
  findDefaultProblem,
  listDefaultFields,
} from "./columns/default-values.ts";
export { isPlaceholder, PLACEHOLDER } from "./columns/placeholder.ts";
