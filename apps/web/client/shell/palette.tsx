/**
 * The command palette: one box, opened with Ctrl+K, that leads to every page, product, file and run,
 * and does what the header does. Answers of an earlier text are never shown for a later one.
 */

import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useId, useMemo, useState } from "react";
import { Dialog as AriaDialog, Modal, ModalOverlay } from "react-aria-components";

import type { DraftSummary, ProductView, RunList } from "../../src/api/index.ts";
import { foldText } from "../lib/format.ts";
import { usePage } from "../lib/page.tsx";
import { formatParts, formatRunsQuery, useDebounced } from "../lib/queries.ts";
import {
  createExternalValue,
  type ExternalValue,
  requestJson,
  requestNumbers,
  useExternal,
} from "../lib/requests.ts";
import { goTo, PLAIN_PAGES, type Route, useStoreName } from "../lib/route.ts";
import { useSignOut } from "../lib/team.ts";
import { useTeamPages } from "../team/menu.tsx";
import { goToStore, useStoreAddress } from "../team/stores.tsx";
import { Icon } from "../ui/controls.tsx";

/** Something that the palette leads to or does. */
interface Command {
  readonly key: string;
  readonly group: "pages" | "stores" | "products" | "files" | "runs" | "actions";
  readonly label: string;
  readonly note?: string | undefined;
  readonly run: () => void;
}

/** Of each group of answers, so that every group is in sight. */
const MAX_EACH = 6;
/** From which the best are taken. */
const MAX_SOUGHT = 24;
const DELAY_MS = 150;

/** Whether each word of the text begins a word of one of the labels. */
const matches = (text: string, ...labels: readonly string[]): boolean => {
  const words = labels.flatMap((label) => foldText(label).split(/[^\p{L}\p{N}]+/u));
  return foldText(text)
    .split(/\s+/u)
    .every((sought) => words.some((word) => word.startsWith(sought)));
};

const leadTo = (route: Route) => (): void => goTo(route);

const usePageCommands = (text: string): readonly Command[] => {
  const { texts } = usePage();
  const teamPages = useTeamPages();
  return useMemo(() => {
    const { pages } = texts.app;
    const all = (["products", ...PLAIN_PAGES] as const).map((page): Command => ({
      key: page,
      group: "pages",
      label: pages[page],
      run: leadTo({ page }),
    }));
    const ofTeam = teamPages.map((page): Command => ({
      key: page,
      group: "pages",
      label: texts.team.menu.pages[page],
      run: leadTo({ page }),
    }));
    const parts = texts.palette.settings.filter(({ label, also }) => matches(text, label, also));
    return [
      ...[...all, ...ofTeam].filter(({ label }) => matches(text, label)),
      // The parts of the settings are many, and named only where they are sought.
      ...(text.trim() === "" ? [] : parts).map(({ label }): Command => ({
        key: label,
        group: "pages",
        label,
        note: pages.settings,
        run: leadTo({ page: "settings" }),
      })),
    ];
  }, [texts, text, teamPages]);
};

/** The other stores of a server. */
const useStoreCommands = (text: string): readonly Command[] => {
  const { texts, account } = usePage();
  const current = useStoreName();
  const addressOf = useStoreAddress();
  return (account?.stores ?? [])
    .filter(({ name }) => name !== current && matches(text, name, texts.team.stores.label))
    .map(({ name, role }) => ({
      key: `store ${name}`,
      group: "stores",
      label: name,
      note: texts.team.roles[role],
      run: () => goToStore(addressOf(name)),
    }));
};

/** Those whose code has the text come first: a marketplace id has almost any number in it. */
export const rankProducts = <T extends Pick<ProductView, "code">>(
  products: readonly T[],
  text: string,
): readonly T[] => {
  const sought = foldText(text.trim());
  const hasCode = ({ code }: T): boolean => code !== null && foldText(code).includes(sought);
  return products.toSorted((one, other) => Number(hasCode(other)) - Number(hasCode(one)));
};

/** Products whose code, title, brand or id has the text. */
const useProductCommands = (text: string): readonly Command[] => {
  const { lang } = usePage();
  const { data } = useQuery({
    queryKey: ["palette-products", text, lang],
    queryFn: async ({ signal }) => {
      const options = { lang, signal };
      const order = await requestNumbers(`/api/products/order${formatParts({ text })}`, options);
      const first = order.slice(0, MAX_SOUGHT);
      if (first.length === 0) return [];
      const path = `/api/products/rows?n=${first.join(",")}`;
      const products = await requestJson<readonly ProductView[]>(path, options);
      return rankProducts(products, text).slice(0, MAX_EACH);
    },
    enabled: text !== "",
    retry: false,
  });
  return (data ?? []).map(({ number, code, title, price }) => ({
    key: `product ${number}`,
    group: "products",
    label: title,
    note: [code, price].filter((part) => part !== null).join(" · "),
    run: leadTo({ page: "product", id: String(number) }),
  }));
};

const useFileCommands = (text: string): readonly Command[] => {
  const { lang } = usePage();
  const { data } = useQuery({
    queryKey: ["drafts", lang, "palette"],
    queryFn: ({ signal }) => requestJson<readonly DraftSummary[]>("/api/drafts", { lang, signal }),
    retry: false,
  });
  return (data ?? [])
    .filter(({ name }) => matches(text, name))
    .slice(0, text === "" ? 3 : MAX_EACH)
    .map(({ id, name }) => ({
      key: `file ${id}`,
      group: "files",
      label: name,
      run: leadTo({ page: "draft", id, step: "fix" }),
    }));
};

const useRunCommands = (text: string): readonly Command[] => {
  const { lang, format } = usePage();
  const { data } = useQuery({
    queryKey: ["runs", lang, "palette", text],
    queryFn: ({ signal }) =>
      requestJson<RunList>(`/api/runs${formatRunsQuery({ text })}`, { lang, signal }),
    retry: false,
  });
  return (data?.runs ?? []).slice(0, text === "" ? 3 : MAX_EACH).map((run) => ({
    key: `run ${run.id}`,
    group: "runs",
    label: run.name,
    note: `${run.stateText} · ${format.date(run.createdAt)}`,
    run: leadTo({ page: "run", id: run.id, step: "report" }),
  }));
};

interface ActionsProps {
  readonly onHelp: () => void;
}

const useActionCommands = (text: string, { onHelp }: ActionsProps): readonly Command[] => {
  const { texts, lang, setLang, account } = usePage();
  const signOut = useSignOut();
  const other = lang === "tr" ? "en" : "tr";
  const all: readonly Command[] = [
    { key: "help", group: "actions", label: texts.palette.keys, note: "?", run: onHelp },
    {
      key: "language",
      group: "actions",
      label: texts.palette.language,
      run: () => setLang(other),
    },
    ...(account === null
      ? []
      : [
          {
            key: "sign-out",
            group: "actions",
            label: texts.team.menu.signOut,
            run: () => signOut.mutate(),
          } as const,
        ]),
  ];
  return all.filter(({ label }) => matches(text, label));
};

const GROUPS = ["products", "stores", "pages", "files", "runs", "actions"] as const;

const useCommands = (typed: string, actions: ActionsProps): readonly Command[] => {
  const text = useDebounced(typed.trim(), DELAY_MS);
  // Until the typing rests, what is there matches what is typed no more.
  const isSettled = text === typed.trim();
  const pages = usePageCommands(typed);
  const products = useProductCommands(text);
  const files = useFileCommands(typed.trim());
  const runs = useRunCommands(text);
  const done = useActionCommands(typed, actions);
  const stores = useStoreCommands(typed);
  const all = [
    ...stores,
    ...pages,
    ...(isSettled ? [...products, ...runs] : []),
    ...files,
    ...done,
  ];
  return GROUPS.flatMap((group) => all.filter((command) => command.group === group));
};

interface ListProps {
  readonly id: string;
  readonly commands: readonly Command[];
  readonly active: number;
  readonly onChoose: (command: Command) => void;
}

const CommandList = ({ id, commands, active, onChoose }: ListProps): ReactNode => {
  const { palette } = usePage().texts;
  if (commands.length === 0) return <p className="palette-none">{palette.none}</p>;
  return (
    <div id={id} role="listbox" aria-label={palette.title} className="palette-list">
      {GROUPS.map((group) => {
        const shown = commands.filter((command) => command.group === group);
        if (shown.length === 0) return null;
        return (
          <div key={group} role="group" aria-label={palette.groups[group]}>
            <p className="palette-group" aria-hidden="true">
              {palette.groups[group]}
            </p>
            {shown.map((command) => {
              const position = commands.indexOf(command);
              return (
                <div
                  key={command.key}
                  id={`${id}-${position}`}
                  ref={(item) => {
                    if (position === active) item?.scrollIntoView({ block: "nearest" });
                  }}
                  role="option"
                  tabIndex={-1}
                  aria-selected={position === active}
                  className="palette-item"
                  onMouseDown={(event) => {
                    // The box keeps the focus, which the screen takes over from it.
                    event.preventDefault();
                    onChoose(command);
                  }}
                >
                  <span className="palette-label">{command.label}</span>
                  {command.note === undefined ? null : (
                    <span className="palette-note">{command.note}</span>
                  )}
                </div>
              );
            })}
          </div>
        );
      })}
    </div>
  );
};

interface PaletteProps extends ActionsProps {
  readonly onClose: () => void;
}

const PaletteBody = ({ onClose, onHelp }: PaletteProps): ReactNode => {
  const { palette } = usePage().texts;
  const id = useId();
  const [typed, setTyped] = useState("");
  const [active, setActive] = useState(0);
  const commands = useCommands(typed, { onHelp });
  const shown = Math.min(active, commands.length - 1);
  const choose = (command: Command): void => {
    onClose();
    command.run();
  };
  return (
    <>
      <div className="palette-box">
        <Icon name="search" />
        <input
          className="palette-input"
          role="combobox"
          aria-label={palette.title}
          aria-expanded={commands.length > 0}
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={shown < 0 ? undefined : `${id}-${shown}`}
          placeholder={palette.placeholder}
          autoComplete="off"
          spellCheck={false}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog is there to be typed into
          autoFocus
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            setActive(0);
          }}
          onKeyDown={(event) => {
            const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
            if (step !== undefined && commands.length > 0) {
              event.preventDefault();
              setActive((shown + step + commands.length) % commands.length);
            }
            const command = commands[shown];
            if (event.key === "Enter" && command !== undefined) {
              event.preventDefault();
              choose(command);
            }
          }}
        />
        <kbd>{palette.leave}</kbd>
      </div>
      <CommandList id={id} commands={commands} active={shown} onChoose={choose} />
    </>
  );
};

/** Whether the palette is open; the header and a key open it. */
export const isPaletteOpen: ExternalValue<boolean> = createExternalValue(false);

export const Palette = ({ onHelp }: ActionsProps): ReactNode => {
  const { palette } = usePage().texts;
  const isOpen = useExternal(isPaletteOpen);
  const close = (): void => isPaletteOpen.set(false);
  return (
    <ModalOverlay
      className="overlay overlay-top"
      isOpen={isOpen}
      isDismissable
      onOpenChange={(open) => isPaletteOpen.set(open)}
    >
      <Modal className="modal palette">
        <AriaDialog className="dialog" aria-label={palette.title}>
          <PaletteBody onClose={close} onHelp={onHelp} />
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
};

const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement &&
  target.closest("input, textarea, select, [contenteditable], [role=grid]") !== null;

/** The box that searches what the screen shows. */
const findSearch = (): HTMLInputElement | null =>
  document.querySelector<HTMLInputElement>("main input[type=search]");

const actionOf = (event: KeyboardEvent, onHelp: () => void): (() => void) | null => {
  const isControl = event.ctrlKey || event.metaKey;
  if (isControl && !event.altKey && event.key.toLowerCase() === "k") {
    return () => isPaletteOpen.set(true);
  }
  // A dialog has keys of its own, and a key that is typed is text.
  if (isControl || event.altKey || isTyping(event)) return null;
  if (document.querySelector("[role=dialog]") !== null) return null;
  if (event.key === "?") return onHelp;
  const search = event.key === "/" ? findSearch() : null;
  return search === null ? null : () => search.focus();
};

/** Keys that work on every screen: the palette, the help, and the search of the screen. */
export const useShellKeys = (onHelp: () => void): void => {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented) return;
      const action = actionOf(event, onHelp);
      if (action === null) return;
      event.preventDefault();
      action();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });
};
