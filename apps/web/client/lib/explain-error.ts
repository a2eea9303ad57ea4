import type { Texts } from "../texts/texts.ts";
import { NoAnswerError, RefusedError } from "./requests.ts";

/** The sentence about an error for a person: that of the server where it gave one. */
export const explainError = (
  error: Error | null,
  { app }: { readonly app: Pick<Texts["app"], "offline" | "notDone" | "badAnswer"> },
): string => {
  if (error instanceof NoAnswerError) return error.waitsFor === null ? app.offline : app.notDone;
  return error instanceof RefusedError && error.message !== "" ? error.message : app.badAnswer;
};
