export { describePlatform, parsePlatform } from "@catalog/importer";
export { feedKey, hashName, isAddress, nameOfFeed } from "./feed-name.ts";
export { createFeedFetch, type FeedLimits } from "./file/download-feed.ts";
export { assertFeedExists } from "./file/feed-file.ts";
export {
  type FeedSample,
  readFeedTime,
  readSample,
  type ReadSampleOptions,
} from "./read-sample.ts";
export { type SyncResult, type SyncEvent, syncFeed, type SyncFeedOptions } from "./sync-feed.ts";
export { describeUnused } from "./file/unused-columns.ts";
