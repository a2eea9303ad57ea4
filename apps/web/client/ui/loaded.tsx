import { type Query, type UseQueryResult, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";

import { explainError } from "../lib/explain-error.ts";
import { usePage } from "../lib/page.tsx";
import { NoAnswerError, RefusedError } from "../lib/requests.ts";
import { Button } from "./button.tsx";
import { Link } from "./link.tsx";
import { Message } from "./message.tsx";
import { Waiting } from "./progress.tsx";

/** An answer that takes longer is called slow. */
const SLOW_MS = 15_000;

const isUnread = ({ state }: Query): boolean => state.data === undefined;

/** Asks again for everything that has not come; a request that hangs is given up. */
const useRetry = (): (() => void) => {
  const client = useQueryClient();
  return () =>
    void client
      .cancelQueries({ predicate: isUnread })
      .then(() => client.refetchQueries({ type: "active", predicate: isUnread }));
};

/** Stands where something will be; after a while it offers to ask again. */
export const Loading = ({ text }: { readonly text: string }): ReactNode => {
  const { texts } = usePage();
  const askAgain = useRetry();
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    if (isSlow) return undefined;
    const timer = setTimeout(() => setIsSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, [isSlow]);
  const retry = (): void => {
    setIsSlow(false);
    askAgain();
  };
  if (!isSlow) return <Waiting text={text} />;
  return (
    <Message tone="warning" actions={<Button onPress={retry}>{texts.app.retry}</Button>}>
      <Waiting text={texts.app.slow} />
    </Message>
  );
};

/** A thing that is not there, and the lists where others are. */
const NotFound = ({ error }: { readonly error: Error }): ReactNode => {
  const { texts } = usePage();
  return (
    <Message
      tone="warning"
      title={texts.app.notFound}
      actions={
        <>
          <Link to={{ page: "upload" }}>{texts.app.goHome}</Link>
          <Link to={{ page: "history" }}>{texts.app.goToHistory}</Link>
        </>
      }
    >
      {explainError(error, texts)}
    </Message>
  );
};

interface LoadedProps<Value> {
  readonly query: UseQueryResult<Value>;
  readonly children: (value: Value) => ReactNode;
}

/** What a query has read; until then that it is under way, or why it failed. */
export const Loaded = <Value,>({ query, children }: LoadedProps<Value>): ReactNode => {
  const { texts } = usePage();
  const retry = useRetry();
  if (query.data !== undefined) return children(query.data);
  const error = query.error ?? query.failureReason;
  // The banner says what the program waits for.
  const isWaiting = error instanceof NoAnswerError && error.waitsFor !== null;
  if (isWaiting || (query.isPending && query.failureCount === 0)) {
    return <Loading text={texts.app.loading} />;
  }
  if (error instanceof RefusedError && error.status === 404) return <NotFound error={error} />;
  return (
    <Message
      tone="error"
      title={texts.app.failed}
      actions={<Button onPress={retry}>{texts.app.retry}</Button>}
    >
      {explainError(error, texts)}
    </Message>
  );
};
