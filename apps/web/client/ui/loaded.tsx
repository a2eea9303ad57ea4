import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { usePage } from "../lib/page.tsx";
import { Button } from "./button.tsx";
import { Message } from "./message.tsx";
import { Waiting } from "./progress.tsx";

interface LoadedProps<Value> {
  readonly query: UseQueryResult<Value>;
  readonly children: (value: Value) => ReactNode;
}

/** What a query has read; until then that it is under way, or why it failed. */
export const Loaded = <Value,>({ query, children }: LoadedProps<Value>): ReactNode => {
  const { texts } = usePage();
  if (query.data !== undefined) return children(query.data);
  if (query.isPending && query.failureCount === 0) return <Waiting text={texts.app.loading} />;
  return (
    <Message
      tone="error"
      title={texts.app.failed}
      actions={<Button onPress={() => void query.refetch()}>{texts.app.retry}</Button>}
    >
      {query.error?.name === "RefusedError" ? query.error.message : texts.app.offline}
    </Message>
  );
};
