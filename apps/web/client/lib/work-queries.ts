/** What the screens of the other work read and change. */

import { type QueryClient, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import type {
  CheckView,
  ExportBody,
  ExportKindView,
  ExportView,
  LimitsBody,
  LookupView,
  MadeFile,
  PriceUnitBody,
  RulesView,
  SettingsView,
  TemplateBody,
} from "../../src/api/index.ts";
import { usePage } from "./page.tsx";
import { formatParts } from "./query-text.ts";
import { requestJson } from "./requests.ts";
import { useDebounced } from "./use-debounced.ts";

const POLL_MS = 1_500;

const useRead = <Value>(name: string, path: string) => {
  const { lang } = usePage();
  return useQuery({
    queryKey: [name, lang],
    queryFn: ({ signal }) => requestJson<Value>(path, { lang, signal }),
    // Other screens and commands change what is read here.
    staleTime: 0,
  });
};

export const useExportKinds = () =>
  useRead<readonly ExportKindView[]>("export-kinds", "/api/exports/kinds");
export const useSettings = () => useRead<SettingsView>("settings", "/api/settings");
export const useRules = () => useRead<RulesView>("rules", "/api/rules");

/** Exports, read again and again while one is being made. */
export const useExports = () => {
  const { lang } = usePage();
  return useQuery({
    queryKey: ["exports", lang],
    queryFn: ({ signal }) => requestJson<readonly ExportView[]>("/api/exports", { lang, signal }),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.some((one) => one.state === "running") === true ? POLL_MS : false,
  });
};

export const useStartExport = () => {
  const { lang } = usePage();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: ExportBody) =>
      requestJson<ExportView>("/api/exports", { lang, method: "POST", body }),
    onSettled: () => client.invalidateQueries({ queryKey: ["exports"] }),
  });
};

export const useRemoveExport = () => {
  const { lang } = usePage();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      requestJson(`/api/exports/${encodeURIComponent(id)}`, { lang, method: "DELETE" }),
    onSettled: () => client.invalidateQueries({ queryKey: ["exports"] }),
  });
};

/** A plan that was made with other rules or settings is out of date. */
async function forgetPlans(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ queryKey: ["draft"] });
  await client.invalidateQueries({ queryKey: ["run"] });
}

export interface RulesChange {
  /** The part of the address after `/api/rules`. */
  readonly path: "" | "/remove" | "/forget" | "/default/remove" | "/file";
  readonly body?: object;
  readonly file?: File;
}

/** A change of what is remembered, whose answer is all that is remembered then. */
export const useRulesChange = () => {
  const { lang } = usePage();
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ path, body, file }: RulesChange) =>
      requestJson<RulesView>(`/api/rules${path}`, { lang, method: "POST", body, file }),
    onSuccess: async (rules) => {
      client.setQueryData(["rules", lang], rules);
      await forgetPlans(client);
    },
  });
};

export const useMakeTemplate = () => {
  const { lang } = usePage();
  return useMutation({
    mutationFn: (body: TemplateBody) =>
      requestJson<MadeFile>("/api/templates", { lang, method: "POST", body }),
  });
};

export const useCheck = () => {
  const { lang } = usePage();
  return useMutation({
    mutationFn: () =>
      requestJson<readonly CheckView[]>("/api/settings/check", { lang, method: "POST", body: {} }),
  });
};

const useSettingsChange = <Body extends object>(path: string) => {
  const { lang } = usePage();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Body) =>
      requestJson<SettingsView>(`/api/settings/${path}`, { lang, method: "PUT", body }),
    onSuccess: async (settings) => {
      client.setQueryData(["settings", lang], settings);
      await forgetPlans(client);
    },
  });
};

export const useSaveLimits = () => useSettingsChange<LimitsBody>("limits");
export const useSavePriceUnit = () => useSettingsChange<PriceUnitBody>("price-unit");

/** Categories whose path has the text. */
export const useCategories = (text: string) => {
  const { lang } = usePage();
  const settled = useDebounced(text.trim(), 200);
  return useQuery({
    queryKey: ["categories", lang, settled],
    queryFn: ({ signal }) =>
      requestJson<readonly LookupView[]>(
        `/api/lookup/categories${formatParts({ text: settled })}`,
        { lang, signal },
      ),
    enabled: settled !== "",
    placeholderData: (earlier) => earlier,
  });
};
