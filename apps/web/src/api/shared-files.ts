/**
 * Files that were uploaded once for several stores of a server: each store has a draft and a plan of
 * its own, and one preview shows where they differ. Nobody sees anything of a store in which they have
 * no role, and a file without a store of theirs does not exist (404 `E_SHARED_FILE_UNKNOWN`).
 */

import type { Role } from "@catalog/team";
import { z } from "zod";

import type { RunRowView, RunState } from "./runs.ts";
import { draftId, type Problem } from "./session.ts";
import { storeName } from "./team.ts";

/** Stores that one file may be for. */
export const MAX_SHARED_STORES = 50;

/**
 * `POST /api/shared-files` → {@link NewSharedFile}, for each person who is at least editor in all of
 * the stores: takes the file of a draft to other stores, as it was uploaded.
 */
export interface SharedFileBody {
  /** The store of the draft. */
  readonly store: string;
  readonly draft: string;
  /** The other stores. */
  readonly stores: readonly string[];
}

export const sharedFileBody: z.ZodType<SharedFileBody> = z.object({
  store: storeName,
  draft: draftId,
  stores: z.array(storeName).min(1).max(MAX_SHARED_STORES),
});

export interface NewSharedFile {
  /** `null` where no other store has taken the file. */
  readonly id: number | null;
  /** Stores that have not taken it, and why. */
  readonly refused: readonly { readonly store: string; readonly problem: Problem }[];
}

/** `GET /api/shared-files`: the newest, for each person. */
export interface SharedFileSummary {
  readonly id: number;
  readonly name: string;
  /** Who has uploaded it. */
  readonly by: string;
  readonly createdAt: string;
  readonly drafts: readonly { readonly store: string; readonly draft: string }[];
}

/** `GET /api/shared-files/:shared`. */
export interface SharedFileView extends Pick<
  SharedFileSummary,
  "id" | "name" | "by" | "createdAt"
> {
  /** By name. */
  readonly stores: readonly SharedStoreView[];
  /** Changes with the rows that `GET /api/shared-files/:shared/order` lists. */
  readonly version: string;
  /** Rows of all stores by what a view shows of them; `null` until plans are compared. */
  readonly rows: Readonly<Record<SharedRowsShown, number>> | null;
  /** Whether the plans of the stores are being compared, which takes a while for many rows. */
  readonly isComparing: boolean;
  /** Calls of all plans that can be sent. */
  readonly calls: number;
  /** The time of the store that takes longest, in words; `null` where nothing is known of it. */
  readonly duration: string | null;
}

/**
 * - `working`: it is being read, checked or planned.
 * - `file`, `columns`: it waits for an answer about how it is read.
 * - `ready`: it is checked, and has no plan or has changed since.
 * - `away`: the store cannot be asked now.
 */
export type SharedStep =
  | "working"
  | "file"
  | "columns"
  | "ready"
  | "away"
  | Exclude<RunState, "planning">;

export interface SharedStoreView {
  readonly store: string;
  /** What the person who asks may do there. */
  readonly role: Role;
  readonly draft: string;
  /** Of the draft, which a plan names. */
  readonly version: number;
  readonly step: SharedStep;
  /** How far it is, or what its run does, in words. */
  readonly stepText: string | null;
  /** Rows of the draft that are wrong; `null` until they are checked. */
  readonly errors: number | null;
  /** Names that match nothing or several things. */
  readonly openNames: number;
  /** The sheets that are read, where the file has several. */
  readonly sheet: string | null;
  readonly problem: Problem | null;
  readonly run: SharedRunView | null;
}

export interface SharedRunView {
  readonly id: string;
  /** Whether it is that of the draft as it is. */
  readonly isCurrent: boolean;
  readonly planHash: string;
  readonly adds: number;
  readonly updates: number;
  readonly unchanged: number;
  readonly held: number;
  /** Held rows whose stock is sent all the same. */
  readonly stock: number;
  readonly failed: number;
  readonly calls: number;
  readonly duration: string | null;
  /** Whether it has times of its own, which are approved with the plan in its store. */
  readonly hasPeriod: boolean;
  /**
   * Why this person cannot approve the plan; `null` where they can. `role`: another role is needed;
   * `four-eyes`: another person; `period`: it is approved in its store, where its times are shown;
   * `nothing`: nothing would be sent; `stale`: the plan is not of the draft as it is, or too old;
   * `done`: it was approved.
   */
  readonly refusal: "role" | "four-eyes" | "period" | "nothing" | "stale" | "done" | null;
}

/** `differs`: the stores do different things, or send different values. */
export const SHARED_ROWS_SHOWN = ["differs", "held", "failed", "all"] as const;
export type SharedRowsShown = (typeof SHARED_ROWS_SHOWN)[number];

/** `GET /api/shared-files/:shared/order` → numbers of rows of the file. */
export interface SharedOrderQuery {
  readonly show: SharedRowsShown;
}

export const sharedOrderQuery: z.ZodType<SharedOrderQuery> = z.object({
  show: z.enum(SHARED_ROWS_SHOWN),
});

/** `GET /api/shared-files/:shared/rows?n=1,2,3`: the rows with these numbers, in their order. */
export interface SharedRowView {
  readonly row: number;
  readonly name: string;
  readonly code: string | null;
  readonly title: string | null;
  /** Of the stores whose plan has the row. */
  readonly stores: readonly SharedCellView[];
}

export interface SharedCellView extends Pick<
  RunRowView,
  "stateText" | "isHeld" | "action" | "changes" | "issues"
> {
  readonly store: string;
  readonly kind: "add" | "update" | "unchanged" | "held" | "failed" | "cancelled";
}
