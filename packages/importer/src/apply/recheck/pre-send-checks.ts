/**
 * The checks before a run is sent, for simulations that run without the other parts of applying.
 */

export { holdUnprovenAdds } from "./hold-unproven-adds.ts";
export { recheckAdds, toListingReadTime } from "./recheck-adds.ts";
