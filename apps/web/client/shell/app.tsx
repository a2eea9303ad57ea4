/** The whole page: its session, whether the program answers, and the screen of the address. */

import { useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { I18nProvider } from "react-aria-components";

import type { AccountView, Me, OpenedSession } from "../../src/api/index.ts";
import { createFormat, type Lang, writeLanguage } from "../lib/format.ts";
import { type Page, PageContext, usePage } from "../lib/page.tsx";
import { isTeamServer, readLastStore, writeLastStore } from "../lib/place.ts";
import { meQuery } from "../lib/queries.ts";
import {
  type ExternalValue,
  isClosed,
  isReachable,
  isSessionOver,
  NoAnswerError,
  onOtherTab,
  readCommand,
  readLinkPart,
  readWriteKey,
  RefusedError,
  requestJson,
  unsaved,
  useExternal,
  waitsFor,
  writeWriteKey,
} from "../lib/requests.ts";
import { enterStore, isTeamPage, useRoute, useStoreName } from "../lib/route.ts";
import { accountQuery, goOn } from "../lib/team.ts";
import { Invitation, SignIn, SignInAgain } from "../team/sign-in.tsx";
import { chooseStore, NoStore, StoreAway, UnknownStore } from "../team/stores.tsx";
import { TEXTS } from "../texts/texts.ts";
import { Loaded, Message, Waiting } from "../ui/messages.tsx";
import { Notice } from "../ui/sections.tsx";
import { Frame } from "./frame.tsx";
import { Login } from "./login.tsx";
import { ClosedProgram } from "./program.tsx";
import { Screen } from "./screen.tsx";

/** Exchanges the key of the link, which never stays in the address. */
const openLink = async (key: string, lang: Lang): Promise<void> => {
  history.replaceState(null, "", location.pathname);
  try {
    const options = { lang, method: "POST", body: { key }, isOfServer: true } as const;
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
const openSession = async (lang: Lang): Promise<void> => {
  const key = readLinkPart(location.hash, "k");
  if (key !== null) await openLink(key, lang);
  else if (readWriteKey() === null) isSessionOver.set(true);
};

/** What to do for a session; an ellipsis stands for the command until the program has named it. */
const OpenAgain = (): ReactNode => {
  const { texts } = usePage();
  const [command, setCommand] = useState("…");
  useEffect(() => {
    void readCommand().then(setCommand);
  }, []);
  return (
    <>
      <p>{texts.session.text}</p>
      <p>
        <code className="command">{command}</code>
      </p>
    </>
  );
};

/** The server knows no session, or this browser has no key of one. */
const SessionOver = (): ReactNode => {
  const { session } = usePage().texts;
  return (
    <Notice title={session.title}>
      <OpenAgain />
      <p className="muted">{session.why}</p>
    </Notice>
  );
};

const ASK_EVERY_MS = 2_000;

/** A change that is not confirmed within this time is mentioned. */
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
 * Says that the program does not answer, waits for its database, or has not confirmed a change for
 * a while; asks it again, and goes when it does.
 */
const OfflineBanner = (): ReactNode => {
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
        await requestJson(isTeamServer() ? "/api/sign-in" : "/api/me", { lang, isOfServer: true });
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

const NOBODY: Me = {
  version: "",
  user: "",
  role: "administrator",
  isOverAll: false,
  command: "",
  store: null,
};
/** Until the role of the person is known, nothing is offered. */
const UNKNOWN: Me = { ...NOBODY, role: "viewer" };
const ME_EVERY_MS = 30_000;
/** While something works on the store, so that the page soon says when it ended. */
const BUSY_EVERY_MS = 3_000;

/** Opens the session of the link before anything is read. */
const useSession = (lang: Lang): { readonly isOpened: boolean; readonly isOver: boolean } => {
  const [isOpened, setIsOpened] = useState(false);
  const isOver = useExternal(isSessionOver);
  const client = useQueryClient();
  useEffect(() => {
    void openSession(lang).then(() => setIsOpened(true));
    // The language of the first moment is enough.
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a link is opened once
  }, []);
  useEffect(
    () =>
      onOtherTab((isNowOpened) => {
        if (isNowOpened) void goOn(client, lang);
        else isSessionOver.set(true);
      }),
    [client, lang],
  );
  return { isOpened, isOver };
};

const useLang = (language: ExternalValue<Lang>): [Lang, (lang: Lang) => void] => {
  const lang = useExternal(language);
  const client = useQueryClient();
  useEffect(() => {
    document.documentElement.lang = lang;
    document.title = TEXTS[lang].app.title;
  }, [lang]);
  const setLang = useCallback(
    (next: Lang): void => {
      language.set(next);
      writeLanguage(localStorage, next);
      // Sentences of the server come in the language of the request.
      client.removeQueries({ predicate: (query) => query.queryKey.includes(lang) });
    },
    [language, client, lang],
  );
  return [lang, setLang];
};

/** Who has signed in; another person than before begins with a page of their own. */
const useAccount = (lang: Lang, isEnabled: boolean): UseQueryResult<AccountView> => {
  const account = useQuery({ ...accountQuery(lang), enabled: isEnabled && isTeamServer() });
  const person = account.data?.person.id;
  const known = useRef(person);
  useEffect(() => {
    if (known.current !== undefined && person !== undefined && known.current !== person) {
      location.reload();
    }
    known.current = person ?? known.current;
  }, [person]);
  return account;
};

/** The store of the address, where the person has a role in it. */
const useOwnStore = (account: AccountView | undefined): string | null => {
  const name = useStoreName();
  const isOwn = account?.stores.some((store) => store.name === name) === true;
  useEffect(() => {
    if (isOwn && name !== null) writeLastStore(name);
  }, [isOwn, name]);
  return isOwn ? name : null;
};

/** On a server, a store has the name that its address has. */
const nameStore = (me: Me, name: string | null): Me =>
  me.store === null || name === null ? me : { ...me, store: { ...me.store, name } };

export const App = ({ language }: { readonly language: ExternalValue<Lang> }): ReactNode => {
  const [lang, setLang] = useLang(language);
  const { isOpened, isOver } = useSession(lang);
  const isEnded = useExternal(isClosed);
  const isReady = isOpened && !isOver && !isEnded;
  const account = useAccount(lang, isReady);
  const store = useOwnStore(account.data);
  const me = useQuery({
    ...meQuery(lang),
    enabled: isReady && (store !== null || !isTeamServer()),
    refetchInterval: ({ state: { data } }) =>
      (data?.store?.busyWith ?? data?.store?.preparing) == null ? ME_EVERY_MS : BUSY_EVERY_MS,
  });
  const page: Page = useMemo(
    () => ({
      lang,
      setLang,
      texts: TEXTS[lang],
      format: createFormat(lang),
      me: nameStore(me.data ?? (isTeamServer() ? UNKNOWN : NOBODY), store),
      account: account.data ?? null,
    }),
    [lang, setLang, me.data, account.data, store],
  );
  return (
    <I18nProvider locale={lang === "tr" ? "tr-TR" : "en-GB"}>
      <PageContext value={page}>
        {isEnded ? (
          <ClosedProgram />
        ) : (
          <Frame isSignedIn={!isOver}>
            <OfflineBanner />
            <Body isOver={isOver} me={me} account={account} />
          </Frame>
        )}
      </PageContext>
    </I18nProvider>
  );
};

interface BodyProps {
  readonly isOver: boolean;
  readonly me: UseQueryResult<Me>;
  readonly account: UseQueryResult<AccountView>;
}

const Body = (props: BodyProps): ReactNode => {
  const invitation = useInvitationSecret();
  if (!isTeamServer()) return <OneStore {...props} />;
  return invitation === null ? <ManyStores {...props} /> : <Invitation secret={invitation} />;
};

/** The link of an invitation may also be pasted into a tab that shows the page. */
const useInvitationSecret = (): string | null => {
  const [secret, setSecret] = useState(() => readLinkPart(location.hash, "i"));
  useEffect(() => {
    const read = (): void => setSecret(readLinkPart(location.hash, "i"));
    addEventListener("hashchange", read);
    return () => removeEventListener("hashchange", read);
  }, []);
  return secret;
};

/** A session that is over leaves a screen with unsaved changes as it is. */
const OneStore = ({ isOver, me }: BodyProps): ReactNode => {
  const { texts } = usePage();
  const changes = useExternal(unsaved.count);
  if (isOver && changes === 0) return <SessionOver />;
  return (
    <>
      {isOver ? (
        <Message tone="warning" title={texts.session.wanted(changes)}>
          <OpenAgain />
        </Message>
      ) : null}
      <Loaded query={me}>{({ store }) => (store === null ? <Login /> : <Screen />)}</Loaded>
    </>
  );
};

/** As {@link OneStore}, on a server of several people, who sign in. */
const ManyStores = ({ isOver, me, account }: BodyProps): ReactNode => {
  const changes = useExternal(unsaved.count);
  if (isOver && changes === 0) return <SignIn />;
  return (
    <>
      {isOver ? <SignInAgain /> : null}
      <Loaded query={account}>{({ stores }) => <OwnStores stores={stores} me={me} />}</Loaded>
    </>
  );
};

interface OwnStoresProps extends Pick<AccountView, "stores"> {
  readonly me: UseQueryResult<Me>;
}

const OwnStores = ({ stores, me }: OwnStoresProps): ReactNode => {
  const name = useStoreName();
  const { page } = useRoute();
  if (name === null && page === "shared" && stores.length > 0) return <Screen />;
  if (name === null) {
    const first = chooseStore(stores, readLastStore());
    if (first !== undefined) return <Entering store={first} />;
    return isTeamPage(page) ? <Screen /> : <NoStore />;
  }
  if (!stores.some((store) => store.name === name)) return <UnknownStore />;
  // People, the audit and the own account are there whatever the store's marketplace says.
  if (isTeamPage(page)) return <Loaded query={me}>{() => <Screen />}</Loaded>;
  return <Loaded query={me}>{({ store }) => (store === null ? <StoreAway /> : <Screen />)}</Loaded>;
};

/** Goes on to a store where the address names none. */
const Entering = ({ store }: { readonly store: string }): ReactNode => {
  const { texts } = usePage();
  useEffect(() => enterStore(store), [store]);
  return <Waiting text={texts.app.loading} />;
};
