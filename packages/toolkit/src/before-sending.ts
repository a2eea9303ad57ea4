/** What is looked at before a run sends, for those that play it without the rest of the toolkit. */

export { holdUnseen } from "./hold-unseen.ts";
export { lookForAdds, toReadMoment } from "./look-for-adds.ts";
