import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";

import type { Me } from "../../src/api/index.ts";
import { usePage } from "../lib/page.tsx";
import {
  isReachable,
  isSessionOver,
  NoAnswerError,
  RefusedError,
  requestJson,
  waitsFor,
} from "../lib/requests.ts";
import { unsaved } from "../lib/unsaved.ts";
import { useExternal } from "../lib/use-external.ts";
import { Message } from "../ui/message.tsx";

const ASK_EVERY_MS = 2_000;

/** A change that is not confirmed after this time is told of. */
const SLOW_MS = 2_000;

/** Whether something has been so for {@link SLOW_MS}. */
const useLasting = (isSo: boolean): boolean => {
  const [isLasting, setIsLasting] = useState(false);
  useEffect(() => {
    if (!isSo) return undefined;
    const timer = setTimeout(() => setIsLasting(true), SLOW_MS);
    return () => {
      clearTimeout(timer);
      setIsLasting(false);
    };
  }, [isSo]);
  return isLasting;
};

/**
 * Says that the program does not answer, waits for its database, or has not confirmed a change for a while; asks it again,
 * and goes when it does.
 */
export const OfflineBanner = (): ReactNode => {
  const { texts, lang } = usePage();
  const client = useQueryClient();
  const isShown = !useExternal(isReachable);
  const waits = useExternal(waitsFor);
  const changes = useExternal(unsaved.count);
  const isSlow = useLasting(changes > 0);
  const isOver = useExternal(isSessionOver);
  useEffect(() => {
    if (changes === 0) return undefined;
    // The browser asks whether to close the tab, with words of its own.
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [changes]);
  useEffect(() => {
    if (!isShown) return undefined;
    const ask = async (): Promise<void> => {
      try {
        await requestJson<Me>("/api/me", { lang });
      } catch (error) {
        // An answer is enough, even a refusal; without one it is asked again.
        if (!(error instanceof NoAnswerError || error instanceof RefusedError)) throw error;
      }
    };
    const timer = setInterval(() => void ask(), ASK_EVERY_MS);
    return () => {
      clearInterval(timer);
      // Whichever request was answered first: what has failed meanwhile is read again. The rows of a
      // table that is shown stay where they are.
      void client.invalidateQueries({
        predicate: ({ queryKey, state }) => queryKey[0] !== "order" || state.data === undefined,
      });
    };
  }, [isShown, client, lang]);
  // A session that is over has a message of its own.
  if (!isShown && (!isSlow || isOver)) return null;
  const isAlone = changes === 0;
  const offline = waits ?? (isAlone ? texts.app.offline : texts.app.offlineUnsaved(changes));
  return (
    <div className="offline">
      <Message tone={isShown ? "warning" : "info"}>
        <p role="status">{isShown ? offline : texts.app.saving(changes)}</p>
        {waits === null || isAlone ? null : <p>{texts.app.unsavedWhile(changes)}</p>}
      </Message>
    </div>
  );
};
