/** The table of schedules as the query builder sees it. */
export interface ScheduleSchema {
  readonly schedule: {
    id: string;
    store: number;
    /** A path or an address, which may hold a key. */
    feed: string;
    options_json: string;
    cron: string;
    time_zone: string;
    state: string;
    made_by: string;
    is_spread: number;
    progress_json: string | null;
    result_json: string | null;
    succeeded_at_ms: number | null;
    created_at_ms: number;
    updated_at_ms: number;
  };
}
