/** Files for several stores: what the server says of them, and what is asked of each store. */

import type { Role } from "@catalog/team";
import { allows } from "@catalog/team/roles";
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";

import type {
  AccountStore,
  DecisionResult,
  DraftView,
  NewSharedFile,
  SharedFileBody,
  SharedFileSummary,
  SharedFileView,
  SharedRowsShown,
  SharedRowView,
  SharedStoreView,
} from "../../src/api/index.ts";
import { RowWindow } from "../grid/row-window.ts";
import type { Lang } from "./format.ts";
import { usePage } from "./page.tsx";
import { isTeamServer, toStoreBase } from "./place.ts";
import { requestJson, requestNumbers } from "./requests.ts";
import { formatRoute, type Route } from "./route.ts";

const PATH = "/api/shared-files";
const POLL_MS = 1_500;
const IDLE_POLL_MS = 15_000;

/** States that change by themselves. */
const CHANGING: ReadonlySet<SharedStoreView["step"]> = new Set(["working", "queued", "sending"]);

const isChanging = ({ stores, isComparing }: SharedFileView): boolean =>
  isComparing || stores.some(({ step }) => CHANGING.has(step));

/** The page of the file, which is that of no store. */
export const sharedAddress = (id: number): string =>
  formatRoute({ page: "shared", id: String(id) });

/** A page of one of the stores. */
export const addressIn = (store: string, route: Route): string =>
  toStoreBase(store) + formatRoute(route);

export const useSharedFile = (id: string) => {
  const { lang } = usePage();
  return useQuery({
    queryKey: ["shared-file", id, lang],
    queryFn: ({ signal }) =>
      requestJson<SharedFileView>(`${PATH}/${encodeURIComponent(id)}`, {
        lang,
        signal,
        isOfServer: true,
      }),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && isChanging(data) ? POLL_MS : IDLE_POLL_MS,
  });
};

/** The newest files of several stores; none in the page of one person. */
export const useSharedFiles = () => {
  const { lang, account } = usePage();
  return useQuery({
    ...queryOptions({
      queryKey: ["shared-files", lang],
      queryFn: ({ signal }) =>
        requestJson<readonly SharedFileSummary[]>(PATH, { lang, signal, isOfServer: true }),
    }),
    enabled: isTeamServer() && (account?.stores.length ?? 0) > 1,
  });
};

/** The file that a draft of the store belongs to; `undefined` for one of its own. */
export const useSharedFileOf = (
  store: string | null,
  draft: string | null,
): SharedFileSummary | undefined =>
  useSharedFiles().data?.find(({ drafts }) =>
    drafts.some((each) => each.store === store && each.draft === draft),
  );

export const useSharedOrder = (id: string, show: SharedRowsShown, version: string) => {
  const { lang } = usePage();
  return useQuery({
    queryKey: ["shared-order", id, show, version],
    queryFn: ({ signal }) =>
      requestNumbers(`${PATH}/${encodeURIComponent(id)}/order?show=${show}`, {
        lang,
        signal,
        isOfServer: true,
      }),
    placeholderData: keepPreviousData,
    structuralSharing: false,
  });
};

const readRows = async (
  id: string,
  numbers: readonly number[],
  lang: Lang,
): Promise<readonly SharedRowView[]> =>
  numbers.length === 0
    ? []
    : await requestJson<readonly SharedRowView[]>(
        `${PATH}/${encodeURIComponent(id)}/rows?n=${numbers.join(",")}`,
        { lang, isOfServer: true },
      );

/** A screen of rows is read at once, as those that differ may stand far apart. */
const PAGE_ROWS = 60;

/** The rows that the table has read; they are read anew after each change of a plan. */
export const useSharedRows = (id: string, version: string): RowWindow<SharedRowView> => {
  const { lang } = usePage();
  const rows = useMemo(
    () =>
      new RowWindow<SharedRowView>({
        read: (numbers) => readRows(id, numbers, lang),
        numberOf: ({ row }) => row,
        pageRows: PAGE_ROWS,
      }),
    [id, lang],
  );
  useEffect(() => rows.invalidate(), [rows, version]);
  return rows;
};

/** The stores for which the person may upload. */
export const useUploadStores = (): readonly AccountStore[] =>
  usePage().account?.stores.filter(({ role }) => allows(role, "editor")) ?? [];

/** Takes the file of a draft to other stores. */
export const shareFile = (body: SharedFileBody, lang: Lang): Promise<NewSharedFile> =>
  requestJson<NewSharedFile>(PATH, { lang, method: "POST", body, isOfServer: true });

/** Whether the store waits for somebody to make its preview. */
export const canPlan = ({ step, role }: { readonly step: string; readonly role: Role }): boolean =>
  step === "ready" && allows(role, "editor");

/** Rows that approving the store's plan sends. */
export const countSent = ({ run }: Pick<SharedStoreView, "run">): number =>
  run === null ? 0 : run.adds + run.updates + run.stock;

export interface StoreResult {
  readonly store: string;
  readonly error: Error | null;
  /** Whether sending has begun. */
  readonly isStarted: boolean;
}

const toError = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error));

/** Asks the stores one after the other; one that refuses does not keep the others from it. */
const askEach = async (
  stores: readonly SharedStoreView[],
  ask: (store: SharedStoreView) => Promise<boolean>,
): Promise<readonly StoreResult[]> => {
  const results: StoreResult[] = [];
  for (const store of stores) {
    try {
      results.push({ store: store.store, error: null, isStarted: await ask(store) });
    } catch (error) {
      results.push({ store: store.store, error: toError(error), isStarted: false });
    }
  }
  return results;
};

/** What is asked of each store is a request to its own routes, whose checks it passes. */
export const useStoreRequests = (id: string) => {
  const { lang } = usePage();
  const client = useQueryClient();
  const refresh = async (): Promise<void> => {
    await client.invalidateQueries({ queryKey: ["shared-file", id] });
  };
  const post = async <Answer>(store: string, path: string, body: object): Promise<Answer> =>
    await requestJson<Answer>(`${toStoreBase(store)}/api${path}`, {
      lang,
      method: "POST",
      body,
      isOfServer: true,
    });
  return {
    plan: async (stores: readonly SharedStoreView[]): Promise<readonly StoreResult[]> => {
      const results = await askEach(stores, async ({ store, draft, version }) => {
        await post<DraftView>(store, `/drafts/${encodeURIComponent(draft)}/plan`, { version });
        return true;
      });
      await refresh();
      return results;
    },
    approve: async (stores: readonly SharedStoreView[]): Promise<readonly StoreResult[]> => {
      const results = await askEach(stores, async ({ store, run }) => {
        if (run === null) return false;
        const body = { planHash: run.planHash, release: [], hold: [] };
        const path = `/runs/${encodeURIComponent(run.id)}/send`;
        return (await post<DecisionResult>(store, path, body)).isStarted;
      });
      await refresh();
      return results;
    },
  };
};
