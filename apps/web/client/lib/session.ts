/**
 * The key that every change is sent with, and the command that prints a new link.
 * The key lives in the storage of the page's own address, which tells ports apart as cookies do not,
 * and opens nothing without the cookie of its session.
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

const COMMAND = "catalog web";

/** The command in the answer about the page, which names it with and without a session. */
export const parseCommand = (text: string): string => {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || !("command" in value)) return COMMAND;
    return typeof value.command === "string" ? value.command : COMMAND;
  } catch {
    // The answer came from something else than the program.
    return COMMAND;
  }
};

/** Asks the program for its command; the plain one where it does not answer. */
export const readCommand = async (): Promise<string> => {
  try {
    const response = await fetch("/api/me");
    return parseCommand(await response.text());
  } catch {
    return COMMAND;
  }
};
