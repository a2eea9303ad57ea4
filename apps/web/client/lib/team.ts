/** What only a server of several people has: who has signed in, its people, and what they may do. */

import type { FourEyes } from "@catalog/team";
import { allows, type Role } from "@catalog/team/roles";
import {
  type QueryClient,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";

import type {
  AccountBody,
  AccountView,
  ApprovalView,
  AuditPage,
  CommentBody,
  CommentView,
  InvitationLink,
  InvitationView,
  InvitedPerson,
  KeyBody,
  KeyView,
  MemberView,
  NewKey,
  OpenedSession,
  OwnerBody,
  PersonBody,
  PersonName,
  PersonView,
  RequestView,
  RoleBody,
  RunView,
  SessionView,
  SignInView,
  StoreBody,
} from "../../src/api/index.ts";
import type { Lang } from "./format.ts";
import { usePage } from "./page.tsx";
import { runPath } from "./queries.ts";
import {
  forgetWriteKey,
  isSessionOver,
  NoAnswerError,
  RefusedError,
  requestJson,
  type RequestOptions,
  writeWriteKey,
} from "./requests.ts";

/** Whether the person may do in the store what needs this role. */
export const useMay = (needed: Role): boolean => allows(usePage().me.role, needed);

/** What each thing that can be done with a run needs. */
const RUN_NEEDS: Readonly<Record<keyof RunView["can"], Role>> = {
  send: "approver",
  resume: "approver",
  stop: "approver",
  unqueue: "approver",
  cancelRest: "approver",
  undo: "approver",
  release: "approver",
  retry: "editor",
};

/** The run with only that in it which the role may do. */
export const forRole = (run: RunView, role: Role): RunView => {
  const may = (name: keyof RunView["can"]): boolean =>
    run.can[name] && allows(role, RUN_NEEDS[name]);
  const { period } = run;
  const mayMove = allows(role, "approver");
  return {
    ...run,
    can: {
      send: may("send"),
      resume: may("resume"),
      stop: may("stop"),
      unqueue: may("unqueue"),
      cancelRest: may("cancelRest"),
      undo: may("undo"),
      retry: may("retry"),
      release: may("release"),
    },
    period: period && {
      ...period,
      can: {
        changeStart: mayMove && period.can.changeStart,
        changeEnd: mayMove && period.can.changeEnd,
      },
    },
  };
};

const serverQuery = <Value>(queryKey: readonly unknown[], path: string, lang: Lang) =>
  queryOptions({
    queryKey,
    queryFn: ({ signal }) => requestJson<Value>(path, { lang, signal, isOfServer: true }),
  });

const storeQuery = <Value>(queryKey: readonly unknown[], path: string, lang: Lang) =>
  queryOptions({
    queryKey,
    queryFn: ({ signal }) => requestJson<Value>(path, { lang, signal }),
    staleTime: 0,
  });

export const accountQuery = (lang: Lang) => ({
  ...serverQuery<AccountView>(["account"], "/api/account", lang),
  staleTime: 0,
});

export const useSignInWays = () =>
  useQuery(serverQuery<SignInView>(["sign-in"], "/api/sign-in", usePage().lang));

interface ServerChange extends Omit<RequestOptions, "lang" | "isOfServer"> {
  readonly path: string;
}

/** Sends a change of the server as a whole, with POST unless the request says otherwise. */
const useServerChange = <Variables, Answer>(
  toRequest: (variables: Variables) => ServerChange,
  stale: readonly string[] = [],
) => {
  const { lang } = usePage();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (variables: Variables) => {
      const { path, ...request } = toRequest(variables);
      return requestJson<Answer>(path, { lang, method: "POST", ...request, isOfServer: true });
    },
    onSettled: () => {
      for (const name of stale) void client.invalidateQueries({ queryKey: [name] });
    },
  });
};

/** As {@link useServerChange}, for a route of the store. */
const useStoreChange = <Variables, Answer>(
  toRequest: (variables: Variables) => ServerChange,
  stale: readonly string[],
) => {
  const { lang } = usePage();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (variables: Variables) => {
      const { path, ...request } = toRequest(variables);
      return requestJson<Answer>(path, { lang, method: "POST", ...request });
    },
    onSettled: () => {
      for (const name of stale) void client.invalidateQueries({ queryKey: [name] });
    },
  });
};

/** Whether the session is still one of the person whom the page was opened for. */
const isSamePerson = async (client: QueryClient, lang: Lang): Promise<boolean> => {
  const known = client.getQueryData(accountQuery(lang).queryKey);
  if (known === undefined) return true;
  const { person } = await requestJson<AccountView>("/api/account", { lang, isOfServer: true });
  return person.id === known.person.id;
};

/**
 * Goes on once a session is open again. Another person begins with a page of their own: changes that
 * wait for the session are not saved in another name than that of the person who made them.
 */
export const goOn = async (client: QueryClient, lang: Lang): Promise<void> => {
  try {
    if (!(await isSamePerson(client, lang))) {
      location.reload();
      return;
    }
  } catch (error) {
    // The session is over as before, and can be opened again.
    if (error instanceof NoAnswerError || error instanceof RefusedError) return;
    throw error;
  }
  // What was read for nobody, or failed without a session, is read again.
  void client.invalidateQueries();
  isSessionOver.set(false);
};

/** Takes the key of a session that was just opened. */
export const useTakeSession = (): ((opened: OpenedSession) => Promise<void>) => {
  const client = useQueryClient();
  const { lang } = usePage();
  return async ({ writeKey }) => {
    writeWriteKey(writeKey);
    await goOn(client, lang);
  };
};

export const useSignIn = () =>
  useServerChange<{ readonly login: string; readonly password: string }, OpenedSession>((body) => ({
    path: "/api/sign-in",
    body,
  }));

export const useSignOut = () => {
  const { lang } = usePage();
  return useMutation({
    mutationFn: () =>
      requestJson<undefined>("/api/session", { lang, method: "DELETE", isOfServer: true }),
    // Whatever the page has read is gone with it.
    onSuccess: () => {
      forgetWriteKey();
      location.assign("/");
    },
  });
};

export const useInvitation = (secret: string) => {
  const { lang } = usePage();
  return useQuery({
    queryKey: ["invitation", lang],
    queryFn: ({ signal }) =>
      requestJson<InvitationView>("/api/invitations/find", {
        lang,
        signal,
        method: "POST",
        body: { secret },
        isOfServer: true,
      }),
    retry: false,
    refetchOnWindowFocus: false,
  });
};

export const useAcceptInvitation = () =>
  useServerChange<{ readonly secret: string; readonly password: string }, OpenedSession>(
    (body) => ({ path: "/api/invitations/accept", body }),
  );

export const useChangeName = () =>
  useServerChange<AccountBody, PersonName>(
    (body) => ({ path: "/api/account", method: "PUT", body }),
    ["account", "me", "people", "members"],
  );

export const useChangePassword = () =>
  useServerChange<{ readonly current: string; readonly next: string }, OpenedSession>(
    (body) => ({ path: "/api/password", method: "PUT", body }),
    ["sessions"],
  );

/** The sessions of the person, or of another one for administrators. */
export const useSessions = (person: number | null) => {
  const { lang } = usePage();
  return useQuery({
    ...serverQuery<readonly SessionView[]>(["sessions", person], sessionsPath(person), lang),
    staleTime: 0,
  });
};

const sessionsPath = (person: number | null): string =>
  person === null ? "/api/sessions" : `/api/people/${person}/sessions`;

export const useEndSession = (person: number | null) =>
  useServerChange<number, undefined>(
    (id) => ({ path: `${sessionsPath(person)}/${id}`, method: "DELETE" }),
    ["sessions"],
  );

export const usePeople = (isEnabled: boolean) => {
  const { lang } = usePage();
  return useQuery({
    ...serverQuery<readonly PersonView[]>(["people"], "/api/people", lang),
    staleTime: 0,
    enabled: isEnabled,
  });
};

export const useInvite = () =>
  useServerChange<PersonBody, InvitedPerson>((body) => ({ path: "/api/people", body }), ["people"]);

export const useNewLink = () =>
  useServerChange<number, InvitationLink>((id) => ({
    path: `/api/people/${id}/invitation`,
    body: {},
  }));

export const useSetActive = () =>
  useServerChange<{ readonly id: number; readonly isActive: boolean }, PersonView>(
    ({ id, isActive }) => ({
      path: `/api/people/${id}/active`,
      method: "PUT",
      body: { isActive },
    }),
    ["people", "members", "sessions"],
  );

export const useSetRole = () =>
  useServerChange<RoleBody & { readonly id: number }, PersonView>(
    ({ id, ...body }) => ({ path: `/api/people/${id}/role`, method: "PUT", body }),
    ["people", "members", "account", "me"],
  );

export const useAddStore = () =>
  useServerChange<StoreBody, { readonly name: string }>(
    (body) => ({ path: "/api/stores", body }),
    ["account", "me"],
  );

/** Who has a role in the store; nobody is known where the person may not read it. */
export const useMembers = (isEnabled: boolean) =>
  useQuery({
    ...storeQuery<readonly MemberView[]>(["members"], "/api/members", usePage().lang),
    enabled: isEnabled,
    retry: false,
  });

export const useHandOver = (schedule: string) =>
  useStoreChange<OwnerBody, undefined>(
    (body) => ({ path: `/api/schedules/${schedule}/owner`, method: "PUT", body }),
    ["feeds"],
  );

export const useKeys = () =>
  useQuery(storeQuery<readonly KeyView[]>(["keys"], "/api/keys", usePage().lang));

export const useMakeKey = () =>
  useStoreChange<KeyBody, NewKey>((body) => ({ path: "/api/keys", body }), ["keys"]);

export const useEndKey = () =>
  useStoreChange<number, undefined>(
    (id) => ({ path: `/api/keys/${id}`, method: "DELETE" }),
    ["keys"],
  );

export const useFourEyes = () =>
  useQuery(storeQuery<FourEyes>(["four-eyes"], "/api/four-eyes", usePage().lang));

export const useSetFourEyes = () =>
  useStoreChange<FourEyes, FourEyes>(
    (body) => ({ path: "/api/four-eyes", method: "PUT", body }),
    ["four-eyes", "approval"],
  );

/** Whether the person may approve the run; not asked in the page of one person. */
export const useApproval = (run: string) => {
  const { lang, account } = usePage();
  return useQuery({
    ...storeQuery<ApprovalView>(["approval", run], `${runPath(run)}/approval`, lang),
    enabled: account !== null,
  });
};

/** Plans of others that wait for approval; none in the page of one person. */
export const useRequests = (): readonly RequestView[] => {
  const { lang, account } = usePage();
  const { data } = useQuery({
    ...storeQuery<readonly RequestView[]>(["requests"], "/api/requests", lang),
    enabled: account !== null,
    refetchInterval: COMMENTS_EVERY_MS,
  });
  return data ?? [];
};

/** Somebody else may write meanwhile. */
const COMMENTS_EVERY_MS = 15_000;

export const useComments = (run: string) => {
  const { lang, account } = usePage();
  return useQuery({
    ...storeQuery<readonly CommentView[]>(["comments", run], `${runPath(run)}/comments`, lang),
    enabled: account !== null,
    refetchInterval: COMMENTS_EVERY_MS,
  });
};

export const useAddComment = (run: string) =>
  useStoreChange<CommentBody, CommentView>(
    (body) => ({ path: `${runPath(run)}/comments`, body }),
    ["comments", "requests"],
  );

/** The entries before this one; `0` for the newest. */
export const auditPath = (before: number): string =>
  before === 0 ? "/api/audit" : `/api/audit?before=${before}`;

/** The audit of the store, or of the whole server. */
export const useAudit = (isOfServer: boolean) => {
  const { lang } = usePage();
  return useInfiniteQuery({
    queryKey: ["audit", isOfServer],
    queryFn: ({ pageParam, signal }) =>
      requestJson<AuditPage>(auditPath(pageParam), { lang, signal, isOfServer }),
    initialPageParam: 0,
    getNextPageParam: (last) => last.before,
    staleTime: 0,
  });
};
