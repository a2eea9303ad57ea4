/** What exports stage and remember in the store. */

import type { StoreMemory } from "@catalog/connection";

export type ExportStaging = StoreMemory["exportStaging"];

/** An export in progress. */
export type ExportJob = Awaited<ReturnType<ExportStaging["open"]>>;

/** One item that was read, such as a product. */
export type StagedItem = Parameters<ExportJob["save"]>[0][number];

/** Progress of an export: its listings by name, and the parts that it has finished. */
export type ExportCheckpoint = NonNullable<Awaited<ReturnType<ExportJob["readCheckpoint"]>>>;

/** What a finished export leaves for the next one. */
export type ExportMark = Parameters<ExportJob["finish"]>[0];
