import type { z } from "zod";

import { RequestError } from "./site.ts";

/** Validates a part of a request. Throws {@link RequestError} 400 where it does not fit. */
export function parseInput<Value>(schema: z.ZodType<Value>, input: unknown): Value {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw notUnderstood(parsed.error);
}

/** The request does not have the form that the route expects. */
export const notUnderstood = (cause?: unknown): RequestError =>
  new RequestError(
    400,
    "E_REQUEST",
    {
      tr: "İstek anlaşılamadı. Sayfayı yenileyip yeniden deneyin.",
      en: "The request was not understood. Reload the page and try again.",
    },
    { cause },
  );
