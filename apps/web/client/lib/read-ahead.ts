import type { QueryClient } from "@tanstack/react-query";

import type { Lang } from "./language.ts";
import { draftQuery, meQuery, orderPath, orderQuery } from "./queries.ts";
import { parseRoute } from "./route.ts";
import { readWriteKey } from "./session-key.ts";

/** The screen takes what was read within this time. */
const KEPT_MS = 10_000;

/**
 * Asks for everything that the screen of a reloaded page waits for at once, before it is drawn; drawn
 * part by part, each would be asked for after the one before.
 */
export const readAhead = (client: QueryClient, lang: Lang): void => {
  // A link has to open its session first.
  if (readWriteKey() === null || location.hash !== "") return;
  void client.prefetchQuery(meQuery(lang));
  const route = parseRoute(location.pathname);
  if (route.page !== "draft") return;
  void client.prefetchQuery(draftQuery(route.id, lang));
  if (route.step !== "fix") return;
  void import("../steps/fix/fix.tsx");
  const order = orderQuery(orderPath(route.id, {}), lang, 0);
  void client.prefetchQuery({ ...order, gcTime: KEPT_MS });
};
