export { feedKey } from "./feed-state.ts";
export { createFeedFetch } from "./file/download-feed.ts";
export { isAddress, nameOfAddress } from "./file/feed-file.ts";
export {
  createTimetable,
  keepSchedule,
  listNext,
  type ScheduleNote,
  scheduleNoteSchema,
  type Timetable,
} from "./schedule.ts";
export { type Synced, type SyncEvent, syncFeed, type SyncFeedOptions } from "./sync-feed.ts";
