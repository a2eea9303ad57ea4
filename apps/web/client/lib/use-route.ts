import { useMemo, useSyncExternalStore } from "react";

import { parseRoute, type Route } from "./route.ts";

const subscribe = (listener: () => void): (() => void) => {
  addEventListener("popstate", listener);
  return () => removeEventListener("popstate", listener);
};

const getPath = (): string => location.pathname;

/** The page that the address names. */
export const useRoute = (): Route => {
  const path = useSyncExternalStore(subscribe, getPath);
  return useMemo(() => parseRoute(path), [path]);
};
