/**
 * Addresses of the page: parsed from and formatted to paths, moved between with the History API.
 * After each move the focus is on the heading of what is shown.
 */

import { useEffect, useMemo, useRef, useSyncExternalStore } from "react";

import { inStore, storeOfPath, isTeamServer, withoutStore } from "./place.ts";

const DRAFT_STEPS = ["file", "columns", "fix", "preview"] as const;
const RUN_STEPS = ["preview", "send", "report"] as const;

export type DraftStep = (typeof DRAFT_STEPS)[number];
export type RunStep = (typeof RUN_STEPS)[number];
/** A step of the way of a file, in this order. */
export type Step = DraftStep | RunStep;

/** Pages without a part of their own; each is the path of its name. */
export const PLAIN_PAGES = [
  "questions",
  "upload",
  "history",
  "exports",
  "feeds",
  "rules",
  "templates",
  "settings",
] as const;

/** Pages that only a server of several people has. */
export const TEAM_PAGES = ["account", "people", "audit"] as const;

export type TeamPage = (typeof TEAM_PAGES)[number];

export type PlainPage = (typeof PLAIN_PAGES)[number];

export type Route =
  /** With the query of its list, where one is known. */
  | { readonly page: "products"; readonly search?: string }
  /** By the number of the list. */
  | { readonly page: "product"; readonly id: string }
  | { readonly page: PlainPage }
  | { readonly page: TeamPage }
  | { readonly page: "draft"; readonly id: string; readonly step: DraftStep }
  | { readonly page: "run"; readonly id: string; readonly step: RunStep }
  /** A file for several stores, which is that of no store. */
  | { readonly page: "shared"; readonly id: string }
  | { readonly page: "unknown" };

const isDraftStep = (text: string): text is DraftStep => DRAFT_STEPS.some((step) => step === text);
const isRunStep = (text: string): text is RunStep => RUN_STEPS.some((step) => step === text);

const findPlainPage = (text: string): PlainPage | TeamPage | undefined =>
  [...PLAIN_PAGES, ...TEAM_PAGES].find((page) => page === text);

export const isTeamPage = (page: Route["page"]): page is TeamPage =>
  TEAM_PAGES.some((one) => one === page);

const decode = (text: string): string | null => {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
};

const parseItem = (kind: string, id: string, step: string | undefined): Route => {
  if (kind === "products" || kind === "shared") {
    const page = kind === "products" ? "product" : kind;
    return step === undefined ? { page, id } : { page: "unknown" };
  }
  return parseStep(kind, id, step ?? (kind === "r" ? "report" : "file"));
};

const parseStep = (kind: string, id: string, step: string): Route => {
  if (kind === "d" && isDraftStep(step)) return { page: "draft", id, step };
  if (kind === "r" && isRunStep(step)) return { page: "run", id, step };
  return { page: "unknown" };
};

/** The page of a path; a path that names none is `unknown`. */
export const parseRoute = (path: string): Route => {
  const parts = path.split("/").filter((part) => part !== "");
  const [first, rawId, step] = parts;
  if (first === undefined || (first === "products" && parts.length === 1)) {
    return { page: "products" };
  }
  const plain = findPlainPage(first);
  if (plain !== undefined && parts.length === 1) return { page: plain };
  if (rawId === undefined || parts.length > 3) return { page: "unknown" };
  const id = decode(rawId);
  if (id === null) return { page: "unknown" };
  return parseItem(first, id, step);
};

/** The path of a page; {@link parseRoute} reads it back. */
export const formatRoute = (route: Route): string => {
  if (route.page === "draft") return `/d/${encodeURIComponent(route.id)}/${route.step}`;
  if (route.page === "run") return `/r/${encodeURIComponent(route.id)}/${route.step}`;
  if (route.page === "products") return `/products${route.search ?? ""}`;
  if (route.page === "shared") return `/shared/${encodeURIComponent(route.id)}`;
  if (route.page === "product") return `/products/${encodeURIComponent(route.id)}`;
  return route.page === "unknown" ? "/" : `/${route.page}`;
};

/** The address of a page of the store that is shown. */
export const toAddress = (route: Route): string => inStore(formatRoute(route));

/** Shows another page without loading the document anew, with a dialog of it open where one is named. */
export const goTo = (route: Route, dialog: string | null = null): void => {
  const path = toAddress(route);
  if (path !== location.pathname + location.search) history.pushState(dialog, "", path);
  dispatchEvent(new PopStateEvent("popstate"));
};

/** The dialog with which the page was asked for; only once, as a reload must not open it again. */
export const takeDialog = (): string | null => {
  const dialog: unknown = history.state;
  if (typeof dialog !== "string") return null;
  history.replaceState(null, "");
  return dialog;
};

/** As {@link goTo}, in place of the page that is shown. */
export const replaceTo = (route: Route): void => {
  history.replaceState(null, "", toAddress(route));
  dispatchEvent(new PopStateEvent("popstate"));
};

const subscribe = (listener: () => void): (() => void) => {
  addEventListener("popstate", listener);
  return () => removeEventListener("popstate", listener);
};

const getPath = (): string => location.pathname;

export const useRoute = (): Route => {
  const path = useSyncExternalStore(subscribe, getPath);
  return useMemo(() => parseRoute(withoutStore(path)), [path]);
};

/** The store of the address, on a server of several people. */
export const useStoreName = (): string | null => {
  const path = useSyncExternalStore(subscribe, getPath);
  return isTeamServer() ? storeOfPath(path) : null;
};

/** Shows the same page of a store where the address names none. */
export const enterStore = (store: string): void => {
  const path = `/s/${store}${withoutStore(location.pathname)}${location.search}`;
  history.replaceState(history.state, "", path);
  dispatchEvent(new PopStateEvent("popstate"));
};

const getSearch = (): string => location.search;

/** The query of the address, from its question mark on. */
export const useSearch = (): string => useSyncExternalStore(subscribe, getSearch);

/** Shows another query of the page; a replaced one is no step of the browser's way back. */
export const setSearch = (search: string, isReplaced: boolean): void => {
  if (search === location.search) return;
  const path = location.pathname + search;
  if (isReplaced) history.replaceState(history.state, "", path);
  else history.pushState(null, "", path);
  dispatchEvent(new PopStateEvent("popstate"));
};

const focusHeading = (main: HTMLElement): void => {
  const heading = main.querySelector("h1");
  if (heading === null) return;
  heading.tabIndex = -1;
  heading.focus();
};

/** Whether no control has the focus, as the one that had it is gone. */
export const isFocusLost = (): boolean =>
  document.activeElement === null || document.activeElement === document.body;

const findMain = (): HTMLElement | null => document.querySelector("main");

/**
 * After each change of the address the focus is on the heading of the new screen, also where it
 * takes a while and replaces a heading that was there first. A person who continues ends the wait.
 */
export const useHeadingFocus = (path: string): void => {
  const shown = useRef(path);
  useEffect(() => {
    const main = findMain();
    if (shown.current === path || main === null) return undefined;
    shown.current = path;
    focusHeading(main);
    const observer = new MutationObserver(() => {
      if (isFocusLost()) focusHeading(main);
    });
    observer.observe(main, { childList: true, subtree: true });
    const onFocus = ({ target }: FocusEvent): void => {
      if (target instanceof Element && target.matches("main h1")) return;
      end();
    };
    const end = (): void => {
      observer.disconnect();
      removeEventListener("focusin", onFocus);
      removeEventListener("pointerdown", end);
    };
    addEventListener("focusin", onFocus);
    addEventListener("pointerdown", end);
    return end;
  }, [path]);
};

/** As {@link useHeadingFocus} within a screen: where its state takes the focused control away. */
export const useFocusAfter = (state: string): void => {
  const shown = useRef(state);
  useEffect(() => {
    const main = findMain();
    if (shown.current === state || main === null) return;
    shown.current = state;
    if (isFocusLost()) focusHeading(main);
  }, [state]);
};
