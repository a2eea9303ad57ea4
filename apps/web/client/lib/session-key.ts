/**
 * The key that every change is sent with. It lives in this tab; another tab of the same page gets
 * it over a channel of the browser, never from the server.
 */

const KEY = "catalog-write-key";
const CHANNEL = "catalog-session";
const WAIT_MS = 400;

interface KeyMessage {
  readonly about: "asked" | "told";
  readonly key: string | null;
}

const isKeyMessage = (value: unknown): value is KeyMessage =>
  typeof value === "object" && value !== null && "about" in value && "key" in value;

/** The key of the link that opened the page; `null` where it has none. */
export const readLinkKey = (hash: string): string | null => {
  const key = new URLSearchParams(hash.startsWith("#") ? hash.slice(1) : hash).get("k");
  return key === null || key === "" ? null : key;
};

export const readWriteKey = (): string | null => sessionStorage.getItem(KEY);

export const writeWriteKey = (key: string | null): void => {
  if (key === null) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, key);
};

/** Answers other tabs that ask for the key. */
export const answerTabs = (): void => {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener("message", (event: MessageEvent<unknown>) => {
    const key = readWriteKey();
    if (!isKeyMessage(event.data) || event.data.about !== "asked" || key === null) return;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
    channel.postMessage({ about: "told", key } satisfies KeyMessage);
  });
};

/** Asks the other tabs for the key; `null` where none answers. */
export const askTabs = async (): Promise<string | null> => {
  const channel = new BroadcastChannel(CHANNEL);
  const { promise, resolve } = Promise.withResolvers<string | null>();
  channel.addEventListener("message", (event: MessageEvent<unknown>) => {
    if (isKeyMessage(event.data) && event.data.about === "told") resolve(event.data.key);
  });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
  channel.postMessage({ about: "asked", key: null } satisfies KeyMessage);
  setTimeout(() => resolve(null), WAIT_MS);
  const key = await promise;
  channel.close();
  return key;
};
