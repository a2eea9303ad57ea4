/** What is looked at before a run sends, for those that play it without the rest of the toolkit. */

export { holdUnseen } from "./hold-unproven-adds.ts";
export { lookForAdds, toReadMoment } from "./recheck-adds.ts";
