/** What is looked at before a run sends, for those that play it without the rest of the toolkit. */

export { holdUnprovenAdds } from "./hold-unproven-adds.ts";
export { recheckAdds, toListingReadTime } from "./recheck-adds.ts";
