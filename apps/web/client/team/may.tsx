/** What a person may not do is not offered; in its place stands who could do it. */

import { allows, type Role } from "@catalog/team/roles";
import type { ReactNode } from "react";

import { usePage } from "../lib/page.tsx";
import { useMay, useMembers } from "../lib/team.ts";

/** So many names are told; a store where more may do something needs none. */
const MAX_NAMES = 6;

/** Names of those who may do what needs the role. */
export const useWhoMay = (role: Role): readonly string[] => {
  const { account } = usePage();
  const { data } = useMembers(account !== null);
  return (data ?? [])
    .filter((member) => allows(member.role, role))
    .map(({ name }) => name)
    .slice(0, MAX_NAMES);
};

/** Says who may do what is not offered here. */
export const WhoMay = ({ role }: { readonly role: Exclude<Role, "viewer"> }): ReactNode => {
  const { texts } = usePage();
  const names = useWhoMay(role);
  return <p className="muted who-may">{texts.team.needs[role](names.join(", "))}</p>;
};

interface OnlyForProps {
  readonly role: Exclude<Role, "viewer">;
  /** Whether it says who could. @default true */
  readonly isSaid?: boolean;
  readonly children: ReactNode;
}

/** Shows its children to those who may do what they offer. */
export const OnlyFor = ({ role, isSaid = true, children }: OnlyForProps): ReactNode => {
  const may = useMay(role);
  if (may) return children;
  return isSaid ? <WhoMay role={role} /> : null;
};
