/** Whether spans are recorded. The libraries that do it are loaded only then. */

import { UsageError } from "@catalog/console";

import type { Environment } from "../settings/settings.ts";
// `import type` loads nothing at run time, unlike `import { type … }`.
import type { OpenedTracing, TracingOptions } from "./open-tracing.ts";

const VARIABLE = "CATALOG_OTEL";

/** Opens tracing where the environment asks for it. Throws {@link UsageError} for another value. */
export async function openTracingOf(options: TracingOptions): Promise<OpenedTracing | null> {
  if (!isTracing(options.env)) return null;
  const { openTracing } = await import("./open-tracing.ts");
  return openTracing(options);
}

function isTracing({ [VARIABLE]: text = "" }: Environment): boolean {
  if (text === "" || text === "0") return false;
  if (text === "1") return true;
  throw new UsageError({
    tr: `${VARIABLE} "${text}" anlaşılamadı. İzleri göndermek için 1 verin ya da kaldırın.`,
    en: `${VARIABLE} "${text}" is not understood. Give 1 to send traces, or leave it out.`,
  });
}
