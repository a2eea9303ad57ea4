export { type CallOptions } from "./call.ts";
export { type AutoConcurrency, type ConcurrencyLimits, MAX_CONCURRENCY } from "./concurrency.ts";
export {
  type Client,
  createClient,
  type Method,
  type MethodOf,
  type Methods,
  type PagedMethod,
  type PagesOptions,
} from "./create-client.ts";
export {
  type AnswerFacts,
  ApiError,
  AuthError,
  ClientError,
  type ErrorFacts,
  type GrantFacts,
  InputError,
  type ContractMismatch,
  NetworkError,
  PermissionError,
  SettingsError,
  ShapeError,
  type ShapeReason,
} from "./errors.ts";
export { type ListingEnd, type ListingTotals, type PagePosition } from "./paging.ts";
export { createRateLimit, type RateLimitOptions } from "./rate.ts";
export { redact, type Redact } from "./redact.ts";
export { type Versions } from "./http/request.ts";
export {
  type CallKind,
  type CallRecord,
  type ClientOptions,
  type Credentials,
  type OmittedField,
} from "./settings.ts";
export {
  type CachedToken,
  createMemoryTokenCache,
  type MemoryTokenCache,
  type TokenCache,
} from "./token.ts";
export { type WirePhase } from "./http/wire-phase.ts";
