/** Who has signed in, and the pages that are about people. */

import type { ReactNode } from "react";
import { Button as AriaButton, Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components";

import { usePage } from "../lib/page.tsx";
import { goTo, TEAM_PAGES, type TeamPage } from "../lib/route.ts";
import { useMay, useSignOut } from "../lib/team.ts";
import { Failure } from "../ui/messages.tsx";

/** The pages about people that this person may open. */
export const useTeamPages = (): readonly TeamPage[] => {
  const { account } = usePage();
  const isAdministrator = useMay("administrator");
  if (account === null) return [];
  return isAdministrator || account.isAdministrator ? TEAM_PAGES : OWN_PAGES;
};

const OWN_PAGES = ["account"] as const;

/** First letters of the first and the last name. */
export const toInitials = (name: string): string => {
  const words = name.split(/\s+/u).filter((word) => word !== "");
  const ends = words.length < 2 ? words : [words[0], words.at(-1)];
  return ends.map((word = "") => word.slice(0, 1).toLocaleUpperCase("tr")).join("");
};

const HELP = "help";
const SIGN_OUT = "sign-out";

export const AccountMenu = ({ onHelp }: { readonly onHelp: () => void }): ReactNode => {
  const { texts, account } = usePage();
  const words = texts.team.menu;
  const pages = useTeamPages();
  const signOut = useSignOut();
  if (account === null) return null;
  const { name, login } = account.person;
  return (
    <>
      <MenuTrigger>
        <AriaButton className="initials" aria-label={words.label(name)}>
          {toInitials(name)}
        </AriaButton>
        <Popover className="popover popover-menu" placement="bottom end">
          <p className="menu-head">
            <strong>{name}</strong>
            <small className="muted">{login}</small>
          </p>
          <Menu
            className="menu-list"
            aria-label={words.label(name)}
            onAction={(key) => {
              const page = pages.find((one) => one === key);
              if (page !== undefined) goTo({ page });
              else if (key === HELP) onHelp();
              else signOut.mutate();
            }}
          >
            {pages.map((page) => (
              <MenuItem key={page} id={page} className="menu-item" textValue={words.pages[page]}>
                {words.pages[page]}
              </MenuItem>
            ))}
            <MenuItem id={HELP} className="menu-item" textValue={texts.app.help}>
              {texts.app.help}
            </MenuItem>
            <MenuItem id={SIGN_OUT} className="menu-item menu-apart" textValue={words.signOut}>
              {words.signOut}
            </MenuItem>
          </Menu>
        </Popover>
      </MenuTrigger>
      <Failure error={signOut.error} />
    </>
  );
};
