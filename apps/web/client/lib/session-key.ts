/**
 * The key that every change is sent with. It lives in the storage of the page's own address, which
 * tells ports apart as cookies do not, and opens nothing without the cookie of its session.
 */

const KEY = "catalog-write-key";

/** The key of the link that opened the page; `null` where it has none. */
export const readLinkKey = (hash: string): string | null => {
  const key = new URLSearchParams(hash.startsWith("#") ? hash.slice(1) : hash).get("k");
  return key === null || key === "" ? null : key;
};

export const readWriteKey = (): string | null => localStorage.getItem(KEY);

/** Calls back when another tab of this browser has opened a session. */
export const onOtherTabOpened = (listen: () => void): (() => void) => {
  const hear = ({ key }: StorageEvent): void => {
    if (key === KEY) listen();
  };
  addEventListener("storage", hear);
  return () => removeEventListener("storage", hear);
};

export const writeWriteKey = (key: string): void => localStorage.setItem(KEY, key);
