export { FetchError, type FetchErrorCode } from "./guard/fetch-error.ts";
export { type BodyLimits } from "./guard/body-limits.ts";
export {
  type GuardedAnswer,
  type GuardedFetch,
  type GuardedFetchOptions,
  type GuardedRequest,
  openGuardedFetch,
} from "./guard/guarded-fetch.ts";
export { type ResolveHost } from "./guard/guarded-connect.ts";
export { type Localized } from "./localized.ts";
