import type { QueryClient } from "@tanstack/react-query";

import type { RowView } from "../../src/api/index.ts";
import { PAGE_ROWS } from "../grid/row-window.ts";
import type { Lang } from "./format.ts";
import { draftQuery, meQuery, orderPath, orderQuery, rowsPath } from "./queries.ts";
import { requestJson } from "./requests.ts";
import { parseRoute } from "./route.ts";
import { readWriteKey } from "./session.ts";

/** The screen takes what was read within this time. */
const KEPT_MS = 60_000;

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
  void readFirstRows(client, { ...order, gcTime: KEPT_MS }, { draft: route.id, lang });
};

let isWanted = true;

/** Drops rows that were read ahead, where the table is not drawn before they may change. */
export const forgetRowsAhead = (): void => {
  isWanted = false;
  rowsAhead.clear();
};

/** Rows that were asked for before the table is drawn, by language and path. */
const rowsAhead = new Map<string, Promise<readonly RowView[]>>();

const keyOf = (path: string, lang: Lang): string => `${lang} ${path}`;

/** The table asks for its first rows only once it is drawn, which takes longer than reading them. */
const readFirstRows = async (
  client: QueryClient,
  order: ReturnType<typeof orderQuery> & { readonly gcTime: number },
  { draft, lang }: { readonly draft: string; readonly lang: Lang },
): Promise<void> => {
  await client.prefetchQuery(order);
  const numbers = client.getQueryData(order.queryKey);
  if (numbers === undefined || numbers.length === 0 || !isWanted) return;
  const path = rowsPath(draft, [...numbers.subarray(0, PAGE_ROWS)]);
  const key = keyOf(path, lang);
  const rows = requestJson<readonly RowView[]>(path, { lang });
  // Whoever takes them is told; where nobody does, nothing is lost.
  rows.catch(() => undefined);
  rowsAhead.set(key, rows);
  setTimeout(() => rowsAhead.delete(key), KEPT_MS);
};

/**
 * Takes rows that were asked for ahead; `undefined` where these were not. They are taken once, as
 * they may have changed when they are asked for again.
 */
export const takeRowsAhead = (
  path: string,
  lang: Lang,
): Promise<readonly RowView[]> | undefined => {
  const key = keyOf(path, lang);
  const rows = rowsAhead.get(key);
  rowsAhead.delete(key);
  return rows;
};
