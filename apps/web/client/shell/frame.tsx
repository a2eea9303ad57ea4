/** The bar at the top of every screen. */

import { useQuery } from "@tanstack/react-query";
import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from "react";

import type { StoreView } from "../../src/api/index.ts";
import { usePage } from "../lib/page.tsx";
import { runQuery, useFeedAlarm } from "../lib/queries.ts";
import { formatRoute, PLAIN_PAGES, type Route, useHeadingFocus, useRoute } from "../lib/route.ts";
import { Link } from "../ui/controls.tsx";
import { Dialog } from "../ui/messages.tsx";
import { LanguageSwitch } from "./login.tsx";

interface HelpDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

const HelpDialog = ({ isOpen, onClose }: HelpDialogProps): ReactNode => {
  const { help } = usePage().texts;
  return (
    <Dialog title={help.title} isOpen={isOpen} onClose={onClose}>
      <p>{help.intro}</p>
      <ol className="help-steps">
        {help.items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ol>
      <h3>{help.keysTitle}</h3>
      <dl className="keys">
        {help.keys.map(([keys, does]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
};

/** The kind of a store: each has its word and its colour. */
const toKind = ({ isSandbox, isLocal }: StoreView): "sandbox" | "local" | "live" => {
  if (isSandbox) return "sandbox";
  return isLocal ? "local" : "live";
};

const StoreBadge = (): ReactNode => {
  const { me, texts } = usePage();
  if (me.store === null) return null;
  const { storeId, isSandbox, baseUrl, busyWith, preparing } = me.store;
  const kind = toKind(me.store);
  const busy = preparing === null ? texts.app.busy : texts.report.preparingRun[preparing];
  return (
    <div className="store" title={isSandbox ? texts.app.sandboxHint : baseUrl}>
      <span className="store-name">{texts.app.store(storeId)}</span>
      <span className={`badge badge-${kind}`}>{texts.app[kind]}</span>
      {busyWith === null && preparing === null ? null : (
        <span className="store-busy" title={texts.app.busyHint}>
          {busy}
        </span>
      )}
    </div>
  );
};

/** The item of the navigation that the shown page belongs to; a draft's run is part of its upload. */
const useCurrentPage = (): Route["page"] => {
  const route = useRoute();
  const { lang } = usePage();
  const isRun = route.page === "run";
  // The screen reads the run; here it is only looked at.
  const run = useQuery({ ...runQuery(isRun ? route.id : "", lang), enabled: false }).data;
  if (route.page === "draft") return "upload";
  if (!isRun) return route.page;
  if (run === undefined) return "run";
  return run.draft === null ? "history" : "upload";
};

/** Says at the item of the syncs that some of them no longer do their job. */
const FeedAlarm = (): ReactNode => {
  const { texts, format } = usePage();
  const unhealthy = useFeedAlarm();
  if (unhealthy === 0) return null;
  return (
    <span className="badge badge-error alarm" title={texts.work.feeds.alarm(unhealthy)}>
      <span aria-hidden="true">{format.number(unhealthy)}</span>
      <span className="unseen">{texts.work.feeds.alarm(unhealthy)}</span>
    </span>
  );
};

const Navigation = (): ReactNode => {
  const { texts } = usePage();
  const current = useCurrentPage();
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    // A narrow window shows some of the pages only.
    const item = nav.current?.querySelector("[aria-current]");
    item?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [current]);
  return (
    <nav ref={nav} className="navigation" aria-label={texts.app.navigation}>
      {(["upload", ...PLAIN_PAGES] as const).map((page) => (
        <Link key={page} to={{ page }} isCurrent={page === current ? "page" : undefined}>
          {texts.app.pages[page]}
          {page === "feeds" ? <FeedAlarm /> : null}
        </Link>
      ))}
    </nav>
  );
};

/** Moves the focus to the button that leads on, where the step has one. */
const focusMainAction = (event: MouseEvent): void => {
  const action = document.querySelector<HTMLElement>("main .button-primary:not([disabled])");
  if (action === null) return;
  event.preventDefault();
  action.focus();
};

export const Frame = ({ children }: { readonly children: ReactNode }): ReactNode => {
  const { texts, me } = usePage();
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  const route = useRoute();
  useHeadingFocus(formatRoute(route));
  return (
    <>
      <a className="skip" href="#content">
        {texts.app.skip}
      </a>
      {route.page === "draft" || route.page === "run" ? (
        <a className="skip" href="#content" onClick={focusMainAction}>
          {texts.app.skipToAction}
        </a>
      ) : null}
      <header className={me.store?.isSandbox === true ? "top top-sandbox" : "top"}>
        <Link to={{ page: "upload" }} className="brand">
          {texts.app.title}
        </Link>
        {me.store === null ? null : <Navigation />}
        <StoreBadge />
        <button type="button" className="link" onClick={() => setIsHelpOpen(true)}>
          {texts.app.help}
        </button>
        <LanguageSwitch isShort />
      </header>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <HelpDialog isOpen={isHelpOpen} onClose={() => setIsHelpOpen(false)} />
    </>
  );
};
