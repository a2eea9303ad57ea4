/** What people may do in a store. Each role may do what those before it may. */

/** From the least to the most. */
export const ROLES = ["viewer", "editor", "approver", "administrator"] as const;

export type Role = (typeof ROLES)[number];

/** Whether a person with this role may do what needs another one; nobody without a role may. */
export function allows(role: Role | undefined, needed: Role): boolean {
  return role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(needed);
}
