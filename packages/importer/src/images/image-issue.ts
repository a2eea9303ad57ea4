import { describeProblem, type ImageProblem } from "@catalog/images";
import type { RowIssue } from "@catalog/runs";

/**
 * Converts an image problem to an issue at its cell. A problem that does not block its row becomes
 * a warning with the same name.
 */
export function toImageIssue(
  found: ImageProblem,
  location: Omit<RowIssue, "code" | "message" | "suggestion">,
  isBlocking: boolean,
): RowIssue {
  const code = isBlocking ? found.code : `W_${found.code.slice("E_".length)}`;
  return { code, ...location, ...describeProblem(found) };
}
