/**
 * Where the page is. A server of several people is reached by TLS only, and the page of one person by
 * none, as its address is of this computer; on a server, the address begins with the store.
 */

/** Whether people sign in here. */
export const isTeamServer = (): boolean => location.protocol === "https:";

const STORE = /^\/s\/(?<name>[a-z0-9-]{1,40})(?=\/|$)/u;

/** The store of a path on a server of several people; `null` where it names none. */
export const storeOfPath = (path: string): string | null =>
  STORE.exec(path)?.groups?.["name"] ?? null;

/** What addresses of a store begin with. */
export const toStoreBase = (store: string | null): string => (store === null ? "" : `/s/${store}`);

/** The store of the address; `null` in the page of one person, which has one only. */
export const currentStore = (): string | null =>
  isTeamServer() ? storeOfPath(location.pathname) : null;

/** An address of the store that is shown: of its page, or of a route or a file of the server. */
export const inStore = (path: string): string => toStoreBase(currentStore()) + path;

/** The path within the store that is shown. */
export const withoutStore = (path: string): string => {
  const base = toStoreBase(isTeamServer() ? storeOfPath(path) : null);
  return path.slice(base.length);
};

const LAST_STORE = "catalog-last-store";

/** The store that this browser has shown last. */
export const readLastStore = (): string | null => localStorage.getItem(LAST_STORE);

export const writeLastStore = (store: string): void => localStorage.setItem(LAST_STORE, store);
