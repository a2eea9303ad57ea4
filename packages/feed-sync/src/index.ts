export { describePlatform, parsePlatform } from "@catalog/importer";
export { dropFields, type FeedField } from "./feed-fields.ts";
export { feedKey, hashName, isAddress, nameOfFeed } from "./feed-name.ts";
export { createFeedFetch, type FeedLimits } from "./file/download-feed.ts";
export { assertFeedExists, isFeedName } from "./file/feed-file.ts";
export { FEED_FIELDS } from "./file/open-feed.ts";
export {
  type FeedSample,
  type FeedSampleColumn,
  readFeedTime,
  readSample,
  type ReadSampleOptions,
} from "./read-sample.ts";
export { type SyncResult, type SyncEvent, syncFeed, type SyncFeedOptions } from "./sync-feed.ts";
export { describeUnused } from "./file/unused-columns.ts";
