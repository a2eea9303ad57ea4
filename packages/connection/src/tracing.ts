/** Spans of what the program does; the caller that opens the store says where they go. */

import type { CallRecord } from "@catalog/client";
import { endpoints } from "@catalog/contract";

import { type CallOutcome, toCallOutcome } from "./call-outcome.ts";

/** Attributes of a span. They hold no secret, no product and no text of a file. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

/** A span that begins. */
export interface SpanStart<Result> {
  readonly name: string;
  /** @default none */
  readonly attributes?: SpanAttributes | undefined;
  /** Attributes that are known at the end. @default none */
  readonly toAttributes?: ((result: Result) => SpanAttributes) | undefined;
}

/** A call that has ended, without its input, its token and its answer. */
export interface TracedCall {
  readonly method: string;
  /** Path with the names of its parameters, such as `/product/add/store/:storeId`. */
  readonly path: string;
  readonly outcome: CallOutcome;
  readonly status: number | undefined;
  /** Counted from 1, retries included. */
  readonly attempt: number;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

/** Where spans go. */
export interface Tracing {
  /** Runs work as a span; spans that begin within it are its children. */
  span<Result>(span: SpanStart<Result>, work: () => Promise<Result>): Promise<Result>;
  /** Records a call as a child of the span that is under way. Never throws. */
  call(call: TracedCall): void;
}

/** Describes an ended call by the table of endpoints. */
export function toTracedCall(call: CallRecord, endedAtMs: number): TracedCall {
  const { endpoint, status, attempt, durationMs } = call;
  const [resource = "", name = ""] = endpoint.split(".");
  const rows: Readonly<Record<string, object>> = { ...endpoints };
  const row: unknown = Object.entries(rows[resource] ?? {}).find(([key]) => key === name)?.[1];
  return {
    ...(isRow(row) ? { method: row.method, path: row.path } : { method: "GET", path: endpoint }),
    outcome: toCallOutcome(call),
    status,
    attempt,
    startedAtMs: endedAtMs - durationMs,
    endedAtMs,
  };
}

const isRow = (row: unknown): row is Pick<TracedCall, "method" | "path"> =>
  typeof row === "object" && row !== null && "method" in row && "path" in row;
