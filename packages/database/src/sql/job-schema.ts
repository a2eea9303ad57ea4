/** The table of jobs as the query builder sees it. */
export interface JobSchema {
  readonly job: {
    store: number;
    kind: string;
    key: string;
    spec_json: string;
    asked_at_ms: number;
    not_before_ms: number;
    failures: number;
    ended_at_ms: number | null;
    result_json: string | null;
  };
}
