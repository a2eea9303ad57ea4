export { type ColumnChoice, type ColumnQuestion } from "./columns/column-questions.ts";
export {
  type FieldAlias,
  type FieldDefinition,
  type FieldKey,
  type FieldTarget,
  type HeaderDoubt,
  LEAVE_OUT,
  RANK,
  type ColumnTarget,
} from "./fields/field.ts";
export { FIELDS, findField, formatHeader, findNamedField } from "./fields/fields.ts";
export {
  headerKey,
  headerWords,
  codeKey,
  fold,
  looseCodeKey,
  lowerTurkish,
  suspectCodeKey,
  trimText,
} from "./text-keys.ts";
export { createKnownHeaderCount, type KnownHeaderCount } from "./columns/header-matcher.ts";
export {
  type Column,
  type ColumnMapping,
  mapColumns,
  type MapColumnsOptions,
} from "./columns/map-columns.ts";
export { formatReadOnlyHeader, isOwnResultHeader } from "./fields/other-headers.ts";
export {
  areCodesSplitApart,
  lookAlikeCodeKey,
  type CodeSuspects,
  createCodeSuspects,
} from "./product-codes.ts";

export { ISSUE_CODES, type IssueCode } from "./issues/codes.ts";
export { type Issue, type IssueLocation, type Problem, type Reading } from "./issues/issue.ts";
export { type CategoryIndex, type NotLeaf } from "./names/categories.ts";
export { type CategoryNode, formatPath } from "./names/category-tree.ts";
export {
  labelLeaves,
  labelNames,
  labelOf,
  type NameChoice,
  sortLabels,
  createNameIndexes,
  DEFAULT_ID_PATTERN,
  type IndexedProperty,
  type NameIndexes,
  createMarketplaceNames,
  type ListCallOptions,
  type ListOptions,
  type NameCalls,
  type NameSource,
} from "./names/name-indexes.ts";
export {
  createNameIndex,
  type NameHit,
  type NameIndex,
  type Resolution,
} from "./names/name-index.ts";
export { nameKey, decodeCodes } from "./names/name-key.ts";
export { findNearestName, type NearestNameOptions } from "./names/suggester.ts";
export {
  listRuleFields,
  readRuleField,
  ruleKey,
  scopeRuleField,
  splitRuleField,
  type ValueRules,
  ruleFieldName,
} from "./names/value-rules.ts";
export { completeAdd } from "./rows/simple-values.ts";
export {
  createRowMapper,
  type PropertyPolicy,
  type RowMapper,
  type RowMapperOptions,
} from "./rows/row-mapper.ts";
export { createPriceSamples, type PriceSample, type PriceSamples } from "./rows/pricing.ts";
export {
  type OpenName,
  type ImageCell,
  type ResolvedNames,
  type MappedRow,
  type DescriptionChange,
  type DescriptionFormat,
  type ReadDescription,
} from "./rows/row-work.ts";
export {
  cellAddress,
  columnLetter,
  type CellTrait,
  type CellValue,
  type SourceRow,
  isPlaceholder,
  PLACEHOLDER,
} from "./source-row.ts";
export { DEFAULT_TITLE_PATTERN, findUnknownPlaces } from "./variants/row-joiner.ts";
export { isFilled } from "./variants/variant-columns.ts";
export { type RowKind } from "./rows/row-kinds.ts";
export {
  NO_PLATFORM,
  PLATFORM_NAMES,
  findPlatform,
  type ReadPlatform,
} from "./platforms/platform-matcher.ts";
export { completeImageAddress, splitImageAddresses } from "./values/value-readers.ts";
export { rewriteDecimals, type ColumnNotation, type DecimalSign } from "./values/numbers.ts";
export { formatMoney, type Money, parseMoney } from "./values/money.ts";
export { readNumberCell, type NumberNotations, type UnclearNumbers } from "./values/notation.ts";
export {
  suggestKeywords,
  type RowAction,
  type Satisfaction,
  VALUE_KEYWORDS,
  type ValueKeyword,
  type ValueKeywords,
} from "./values/keywords.ts";
export { isPlausible, type LikelyColumn, mapFlag } from "./columns/likely-columns.ts";
export { findDefaultProblem } from "./columns/default-values.ts";
export { type IssueCell, proposeFixes } from "./issues/fixes.ts";
export { type ReadNames, toColumnWarnings } from "./columns/column-warnings.ts";
export { createSheetReader, type SheetReader } from "./rows/sheet-reader.ts";
export {
  type AskColumn,
  type ColumnAnswer,
  resolveColumns,
  type ResolveColumnsOptions,
  type ResolvedColumns,
} from "./columns/resolve-columns.ts";
