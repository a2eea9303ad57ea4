import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";

import { usePage } from "../lib/page.tsx";
import { isReachable, unsavedChanges } from "../lib/requests.ts";
import { useExternal } from "../lib/use-external.ts";
import { Message } from "../ui/message.tsx";

const ASK_EVERY_MS = 2_000;

/** Says that the program does not answer, asks it again, and goes when it does. */
export const OfflineBanner = (): ReactNode => {
  const { texts } = usePage();
  const client = useQueryClient();
  const isShown = !useExternal(isReachable);
  const unsaved = useExternal(unsavedChanges);
  useEffect(() => {
    if (unsaved === 0) return undefined;
    // The browser asks whether to close the tab, with words of its own.
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [unsaved]);
  useEffect(() => {
    if (!isShown) return undefined;
    const ask = async (): Promise<void> => {
      try {
        await fetch("/api/me");
      } catch {
        // It still does not answer, and is asked again.
        return;
      }
      isReachable.set(true);
    };
    const timer = setInterval(() => void ask(), ASK_EVERY_MS);
    return () => {
      clearInterval(timer);
      // Whichever request was answered first: what has failed meanwhile is read again.
      void client.invalidateQueries();
    };
  }, [isShown, client]);
  return isShown ? (
    <div className="offline">
      <Message tone="warning">
        <p role="status">{unsaved === 0 ? texts.app.offline : texts.app.offlineUnsaved(unsaved)}</p>
      </Message>
    </div>
  ) : null;
};
