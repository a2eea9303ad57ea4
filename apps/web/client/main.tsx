/** The client half of the page. */

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createRoot } from "react-dom/client";

import { readAhead } from "./grid/row-window.ts";
import { createLanguage } from "./lib/format.ts";
import { NoAnswerError, RefusedError } from "./lib/requests.ts";
import { App } from "./shell/app.tsx";

const RETRY_MS = 1_500;

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // A server that starts again is waited for; a refusal is an answer.
      retry: (failures, error) => !(error instanceof RefusedError) && failures < 3,
      retryDelay: RETRY_MS,
      networkMode: "always",
      refetchOnWindowFocus: (query) => query.state.error instanceof NoAnswerError,
    },
    mutations: { networkMode: "always" },
  },
});

const root = document.querySelector("#root");
if (root === null) throw new Error("The document has no element #root.");

const language = createLanguage(localStorage);
readAhead(client, language.get());
createRoot(root).render(
  <QueryClientProvider client={client}>
    <App language={language} />
  </QueryClientProvider>,
);
