export { describePlatform, parsePlatform } from "@catalog/importer";
export { feedKey } from "./feed-state.ts";
export { createFeedFetch, type FeedLimits } from "./file/download-feed.ts";
export { assertFeedExists, isAddress, nameOfAddress } from "./file/feed-file.ts";
export {
  createTimetable,
  runOnSchedule,
  listNext,
  type ScheduleRecord,
  scheduleNoteSchema,
  type Timetable,
} from "./schedule.ts";
export { type SyncResult, type SyncEvent, syncFeed, type SyncFeedOptions } from "./sync-feed.ts";
export { describeUnused } from "./file/unused-columns.ts";
