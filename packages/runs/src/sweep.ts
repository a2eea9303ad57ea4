/** In which order the store is looked through, so that nothing slips past a look. */

import { type ListingStatus } from "@catalog/contract";

/** The statuses under which a product can be listed, in the order of a sweep. */
export const SWEEP: readonly ListingStatus[] = [
  "approved",
  "passive",
  "veto",
  // A product that changes its status while we look can slip past one pass.
  "approved",
  "passive",
];
