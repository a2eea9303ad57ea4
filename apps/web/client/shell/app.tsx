import { useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useCallback, useEffect, useMemo, useState } from "react";
import { I18nProvider } from "react-aria-components";

import type { Me } from "../../src/api/index.ts";
import type { ExternalValue } from "../lib/external-value.ts";
import { createFormat } from "../lib/format.ts";
import { type Lang, writeLanguage } from "../lib/language.ts";
import { type Page, PageContext } from "../lib/page.tsx";
import { meQuery } from "../lib/queries.ts";
import { isSessionOver } from "../lib/requests.ts";
import { onOtherTabOpened } from "../lib/session-key.ts";
import { unsaved } from "../lib/unsaved.ts";
import { useExternal } from "../lib/use-external.ts";
import { TEXTS } from "../texts/texts.ts";
import { Loaded } from "../ui/loaded.tsx";
import { Frame } from "./frame.tsx";
import { Login } from "./login.tsx";
import { OfflineBanner } from "./offline-banner.tsx";
import { openSession } from "./open-session.ts";
import { Screen } from "./screen.tsx";
import { SessionOver, SessionWanted } from "./session-over.tsx";

const NOBODY: Me = { version: "", user: "", command: "", store: null };
const ME_EVERY_MS = 30_000;
/** While something works on the store, so that the page soon says when it ended. */
const BUSY_EVERY_MS = 3_000;

/** Opens the session of the link before anything is read. */
const useSession = (lang: Lang): { readonly isOpened: boolean; readonly isOver: boolean } => {
  const [isOpened, setIsOpened] = useState(false);
  const isOver = useExternal(isSessionOver);
  useEffect(() => {
    void openSession(lang).then(() => setIsOpened(true));
    // The language of the first moment is enough.
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a link is opened once
  }, []);
  useEffect(() => onOtherTabOpened(() => isSessionOver.set(false)), []);
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

/** The whole page: session, store, and the screen of the address. */
export const App = ({ language }: { readonly language: ExternalValue<Lang> }): ReactNode => {
  const [lang, setLang] = useLang(language);
  const { isOpened, isOver } = useSession(lang);
  const me = useQuery({
    ...meQuery(lang),
    enabled: isOpened && !isOver,
    refetchInterval: ({ state: { data } }) =>
      (data?.store?.busyWith ?? data?.store?.preparing) == null ? ME_EVERY_MS : BUSY_EVERY_MS,
  });
  const page: Page = useMemo(
    () => ({
      lang,
      setLang,
      texts: TEXTS[lang],
      format: createFormat(lang),
      me: me.data ?? NOBODY,
    }),
    [lang, setLang, me.data],
  );
  return (
    <I18nProvider locale={lang === "tr" ? "tr-TR" : "en-GB"}>
      <PageContext value={page}>
        <Frame>
          <OfflineBanner />
          <Body isOver={isOver} me={me} />
        </Frame>
      </PageContext>
    </I18nProvider>
  );
};

interface BodyProps {
  readonly isOver: boolean;
  readonly me: UseQueryResult<Me>;
}

/** A session that is over leaves a screen with unsaved changes as it is. */
const Body = ({ isOver, me }: BodyProps): ReactNode => {
  const changes = useExternal(unsaved.count);
  if (isOver && changes === 0) return <SessionOver />;
  return (
    <>
      {isOver ? <SessionWanted changes={changes} /> : null}
      <Loaded query={me}>{({ store }) => (store === null ? <Login /> : <Screen />)}</Loaded>
    </>
  );
};
