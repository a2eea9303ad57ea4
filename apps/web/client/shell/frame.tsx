/** The bar at the top of every screen. */

import { useQuery } from "@tanstack/react-query";
import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from "react";

import type { RunView, StoreView } from "../../src/api/index.ts";
import { usePage } from "../lib/page.tsx";
import { isTeamServer } from "../lib/place.ts";
import { draftQuery, runQuery, useFeedAlarm } from "../lib/queries.ts";
import { formatRoute, type Route, useHeadingFocus, useRoute } from "../lib/route.ts";
import { useMay, useRequests } from "../lib/team.ts";
import { AccountMenu } from "../team/menu.tsx";
import { StoreSwitch } from "../team/stores.tsx";
import { Icon, Link } from "../ui/controls.tsx";
import { Dialog } from "../ui/messages.tsx";
import { LanguageSwitch } from "./login.tsx";
import { isPaletteOpen, Palette, useShellKeys } from "./palette.tsx";
import { UpdateLine } from "./program.tsx";

interface HelpDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

const HelpDialog = ({ isOpen, onClose }: HelpDialogProps): ReactNode => {
  const { help } = usePage().texts;
  return (
    <Dialog title={help.title} isOpen={isOpen} onClose={onClose}>
      <KeyList title={help.shellTitle} keys={help.shellKeys} />
      <KeyList title={help.listTitle} keys={help.listKeys} />
      <KeyList title={help.keysTitle} keys={help.keys} />
      <p>{help.intro}</p>
      <ol className="help-steps">
        {help.items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ol>
    </Dialog>
  );
};

interface KeyListProps {
  readonly title: string;
  readonly keys: readonly (readonly string[])[];
}

const KeyList = ({ title, keys }: KeyListProps): ReactNode => (
  <>
    <h3>{title}</h3>
    <dl className="keys">
      {keys.map(([key, does]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  </>
);

/** The kind of a store: each has its word and its colour. */
const toKind = ({ isSandbox, isLocal }: StoreView): "sandbox" | "local" | "live" => {
  if (isSandbox) return "sandbox";
  return isLocal ? "local" : "live";
};

/** Characters of a store's id that tell it from another at a glance; its title has all of them. */
const SHORT_CHARS = 6;

const StoreBadge = (): ReactNode => {
  const { me, texts, account } = usePage();
  if (me.store === null) return null;
  const { name, storeId, isSandbox, baseUrl, busyWith, preparing } = me.store;
  const kind = toKind(me.store);
  const busy = preparing === null ? texts.app.busy : texts.report.preparingRun[preparing];
  const facts = [
    ...(name === null ? [] : [name]),
    texts.app.store(storeId),
    isSandbox ? texts.app.sandboxHint : baseUrl,
  ];
  return (
    <div className="store" title={facts.join("\n")}>
      {isSandbox || account !== null ? null : (
        <span className="store-name">{name ?? texts.app.store(shortenId(storeId))}</span>
      )}
      <span className={`badge badge-${kind}`}>{texts.app[kind]}</span>
      {busyWith === null && preparing === null ? null : (
        <span className="store-busy" title={texts.app.busyHint}>
          {busy}
        </span>
      )}
    </div>
  );
};

const shortenId = (id: string): string =>
  id.length <= SHORT_CHARS + 2 ? id : `${id.slice(0, SHORT_CHARS)}…`;

/**
 * The item of the navigation that the shown page belongs to: a draft is part of the uploads, or of the
 * products where it was made of them, and a run is part of its draft.
 */
const useCurrentPage = (): Route["page"] => {
  const route = useRoute();
  const { lang } = usePage();
  const isRun = route.page === "run";
  // The screen reads the run; here it is only looked at.
  const run = useQuery({ ...runQuery(isRun ? route.id : "", lang), enabled: false }).data;
  const id = route.page === "draft" ? route.id : run?.draft;
  const draft = useQuery({ ...draftQuery(id ?? "", lang), enabled: false }).data;
  const ofDraft = draft?.shownAt == null ? "upload" : "products";
  if (route.page === "draft") return ofDraft;
  if (route.page === "product") return "products";
  if (!isRun) return route.page;
  return run === undefined ? "run" : pageOfRun(run, ofDraft);
};

const pageOfRun = ({ actions, draft }: RunView, ofDraft: "upload" | "products"): Route["page"] => {
  if (actions === "answers") return "questions";
  return draft === null ? "history" : ofDraft;
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

/** Says to those who may approve how many plans of others wait for it. */
const RequestAlarm = (): ReactNode => {
  const { texts, format, account } = usePage();
  const mayApprove = useMay("approver");
  const requests = useRequests().filter(({ person }) => person !== account?.person.name);
  if (!mayApprove || requests.length === 0) return null;
  const text = texts.team.approval.alarm(requests.length);
  return (
    <span className="badge badge-warning alarm" title={text}>
      <span aria-hidden="true">{format.number(requests.length)}</span>
      <span className="unseen">{text}</span>
    </span>
  );
};

/** Work on products, what is done without a person, and the rest. */
const GROUPS = [
  ["products", "questions", "upload", "history", "exports"],
  ["feeds", "rules", "templates"],
  ["settings"],
] as const;

const Navigation = (): ReactNode => {
  const { texts } = usePage();
  const current = useCurrentPage();
  return (
    <nav className="navigation" aria-label={texts.app.navigation}>
      {GROUPS.map((pages) => (
        <ul key={pages[0]}>
          {pages.map((page) => (
            <li key={page}>
              <Link to={{ page }} isCurrent={page === current ? "page" : undefined}>
                {texts.app.pages[page]}
                {page === "feeds" ? <FeedAlarm /> : null}
                {page === "history" ? <RequestAlarm /> : null}
              </Link>
            </li>
          ))}
        </ul>
      ))}
    </nav>
  );
};

const PaletteButton = (): ReactNode => {
  const { palette } = usePage().texts;
  return (
    <button
      type="button"
      className="palette-button"
      aria-keyshortcuts="Control+K"
      aria-label={palette.title}
      onClick={() => isPaletteOpen.set(true)}
    >
      <Icon name="search" />
      <span className="palette-hint">{palette.open}</span>
      <kbd>{palette.key}</kbd>
    </button>
  );
};

/** The menu of a narrow window; going to a page, Escape and a press beside it close it. */
const useMenu = () => {
  const [isOpen, setIsOpen] = useState(false);
  const bar = useRef<HTMLElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    const close = (): void => setIsOpen(false);
    const onPress = ({ target }: Event): void => {
      if (!(target instanceof Node && bar.current?.contains(target) === true)) close();
    };
    const onKey = ({ key }: KeyboardEvent): void => {
      if (key !== "Escape") return;
      close();
      button.current?.focus();
    };
    addEventListener("popstate", close);
    addEventListener("pointerdown", onPress);
    addEventListener("keydown", onKey);
    return () => {
      removeEventListener("popstate", close);
      removeEventListener("pointerdown", onPress);
      removeEventListener("keydown", onKey);
    };
  }, [isOpen]);
  return { isOpen, toggle: () => setIsOpen((wasOpen) => !wasOpen), bar, button };
};

const MENU_ID = "menu";

/** Where the page can go, whose store it is, and the language. */
const TopBar = ({ onHelp }: { readonly onHelp: () => void }): ReactNode => {
  const { texts, me, account } = usePage();
  const menu = useMenu();
  const kind = me.store?.isSandbox === true ? " top-sandbox" : "";
  return (
    <header ref={menu.bar} className={`top${kind}${account === null ? "" : " top-team"}`}>
      <button
        ref={menu.button}
        type="button"
        className="menu-button"
        aria-expanded={menu.isOpen}
        aria-controls={MENU_ID}
        aria-label={texts.app.menu}
        onClick={menu.toggle}
      >
        <Icon name="menu" />
      </button>
      <Link to={{ page: "products" }} className="brand">
        {texts.app.title}
      </Link>
      <div id={MENU_ID} className={menu.isOpen ? "menu menu-open" : "menu"}>
        {me.store === null ? null : <Navigation />}
        <div className="top-tools">
          {account === null ? (
            <button type="button" className="link" onClick={onHelp}>
              {texts.app.help}
            </button>
          ) : null}
          <LanguageSwitch isShort />
        </div>
      </div>
      <StoreSwitch />
      <StoreBadge />
      {me.store === null ? null : <PaletteButton />}
      <AccountMenu onHelp={onHelp} />
    </header>
  );
};

/** Moves the focus to the button that leads on, where the step has one. */
const focusMainAction = (event: MouseEvent): void => {
  const action = document.querySelector<HTMLElement>("main .button-primary:not([disabled])");
  if (action === null) return;
  event.preventDefault();
  action.focus();
};

interface FrameProps {
  readonly isSignedIn: boolean;
  readonly children: ReactNode;
}

export const Frame = ({ isSignedIn, children }: FrameProps): ReactNode => {
  const { texts, me } = usePage();
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  const route = useRoute();
  useHeadingFocus(isSignedIn || !isTeamServer() ? formatRoute(route) : "sign-in");
  // A step has its actions at the end of the screen.
  const hasUpdateLine = me.store !== null && route.page !== "draft" && route.page !== "run";
  const openHelp = (): void => setIsHelpOpen(true);
  useShellKeys(openHelp);
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
      <TopBar onHelp={openHelp} />
      <main id="content" tabIndex={-1}>
        {children}
        {hasUpdateLine ? <UpdateLine /> : null}
      </main>
      {me.store === null ? null : <Palette onHelp={openHelp} />}
      <HelpDialog isOpen={isHelpOpen} onClose={() => setIsHelpOpen(false)} />
    </>
  );
};
