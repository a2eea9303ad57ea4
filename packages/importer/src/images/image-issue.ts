import { describeProblem, type PictureProblem } from "@catalog/images";
import { type Place } from "@catalog/mapping";
import { type RowIssue } from "@catalog/runs";

/** A picture's problem at its cell. What does not block its row is a warning of the same name. */
export function toPictureIssue(found: PictureProblem, place: Place, isBlocking: boolean): RowIssue {
  const code = isBlocking ? found.code : `W_${found.code.slice("E_".length)}`;
  return { code, ...place, ...describeProblem(found) };
}
