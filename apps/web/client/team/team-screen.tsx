/** The pages about people. */

import type { ReactNode } from "react";

import type { TeamPage } from "../lib/route.ts";
import { Account } from "./account.tsx";
import { Audit } from "./audit.tsx";
import { People } from "./people.tsx";

const SCREENS: Readonly<Record<TeamPage, () => ReactNode>> = {
  account: Account,
  people: People,
  audit: Audit,
};

export const TeamScreen = ({ page }: { readonly page: TeamPage }): ReactNode => {
  const Screen = SCREENS[page];
  return <Screen />;
};
