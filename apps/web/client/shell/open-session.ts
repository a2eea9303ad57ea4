import type { OpenedSession } from "../../src/api/index.ts";
import type { Lang } from "../lib/language.ts";
import { isSessionOver, RefusedError, requestJson } from "../lib/requests.ts";
import { readLinkKey, readWriteKey, writeWriteKey } from "../lib/session-key.ts";

/** Exchanges the key of the link, which never stays in the address. */
const openLink = async (key: string, lang: Lang): Promise<void> => {
  history.replaceState(null, "", location.pathname);
  try {
    const options = { lang, method: "POST", body: { key } } as const;
    const opened = await requestJson<OpenedSession>("/api/session", options);
    writeWriteKey(opened.writeKey);
    isSessionOver.set(false);
  } catch (error) {
    // A link that was used before may belong to the session that is open.
    if (!(error instanceof RefusedError)) return;
    isSessionOver.set(readWriteKey() === null);
  }
};

/** Makes sure of a session: that of the link, or the one of this browser, which outlives its tabs. */
export const openSession = async (lang: Lang): Promise<void> => {
  const key = readLinkKey(location.hash);
  if (key !== null) await openLink(key, lang);
  else if (readWriteKey() === null) isSessionOver.set(true);
};
