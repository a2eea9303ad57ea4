/** The team: who may do what in which store, inviting people, and taking them out. */

import { type Role, ROLES } from "@catalog/team/roles";
import { type FormEvent, type ReactNode, useState } from "react";

import type { AccountStore, PersonRole, PersonView } from "../../src/api/index.ts";
import { usePage } from "../lib/page.tsx";
import { useStoreName } from "../lib/route.ts";
import {
  useInvite,
  useMembers,
  useNewLink,
  usePeople,
  useSetActive,
  useSetRole,
} from "../lib/team.ts";
import { Button, SelectField, TextField } from "../ui/controls.tsx";
import { Dialog, Failure, Loaded } from "../ui/messages.tsx";
import { Card, TableHead, TitledScreen } from "../ui/sections.tsx";
import { Sessions } from "./account.tsx";
import { OnceShown } from "./once-shown.tsx";

/** The value of a choice that stands for all stores; no store is called so. */
const ALL = "*";
const NONE = "";

const toRole = (text: string): Role | null => ROLES.find((role) => role === text) ?? null;

interface InviteProps {
  readonly onClose: () => void;
  readonly onInvited: (invited: { readonly name: string; readonly link: string }) => void;
}

/** Asks who may come in, to which store, and to do what. */
const InviteDialog = ({ onClose, onInvited }: InviteProps): ReactNode => {
  const { texts, account } = usePage();
  const words = texts.team.people;
  const current = useStoreName();
  const stores = account?.stores ?? [];
  const [login, setLogin] = useState("");
  const [name, setName] = useState("");
  const [store, setStore] = useState(current ?? stores[0]?.name ?? ALL);
  const [role, setRole] = useState<Role>("editor");
  const invite = useInvite();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const roles = [{ store: store === ALL ? null : store, role }];
    invite.mutate(
      { login: login.trim(), name: name.trim(), roles },
      { onSuccess: ({ person, link }) => onInvited({ name: person.name, link }) },
    );
  };
  return (
    <Dialog title={words.inviteTitle} isOpen onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <TextField label={words.name} value={name} isRequired isFocused onChange={setName} />
        <TextField
          label={words.login}
          hint={words.loginHint}
          value={login}
          isRequired
          onChange={setLogin}
        />
        <SelectField
          label={words.where}
          value={store}
          choices={[
            ...stores.map((one) => ({ value: one.name, label: one.name })),
            { value: ALL, label: words.all },
          ]}
          onChange={setStore}
        />
        <SelectField
          label={words.role}
          hint={texts.team.roleHints[role]}
          value={role}
          choices={ROLES.map((one) => ({ value: one, label: texts.team.roles[one] }))}
          onChange={(text) => setRole(toRole(text) ?? role)}
        />
        <Failure error={invite.error} />
        <Button type="submit" kind="primary" isBusy={invite.isPending}>
          {invite.isPending ? words.submitting : words.submit}
        </Button>
      </form>
    </Dialog>
  );
};

interface RoleFieldProps {
  readonly person: PersonView;
  /** `null` for all stores. */
  readonly store: string | null;
}

/** The role of a person in one store; a choice takes effect at once. */
const RoleField = ({ person, store }: RoleFieldProps): ReactNode => {
  const { texts } = usePage();
  const words = texts.team.people;
  const set = useSetRole();
  const roleIn = (place: string | null): Role | undefined =>
    person.roles.find((one) => one.store === place)?.role;
  const role = roleIn(store) ?? NONE;
  const ofAll = store === null ? undefined : roleIn(null);
  return (
    <>
      <SelectField
        label={store ?? words.all}
        hint={store === null ? words.allHint : undefined}
        value={set.isPending ? (set.variables.role ?? NONE) : role}
        choices={[
          {
            value: NONE,
            label: ofAll === undefined ? words.noRole : words.asEverywhere(texts.team.roles[ofAll]),
          },
          ...ROLES.map((one) => ({ value: one, label: texts.team.roles[one] })),
        ]}
        onChange={(text) => set.mutate({ id: person.id, store, role: toRole(text) })}
      />
      <p className="muted small" role="status">
        {set.isSuccess ? words.saved : null}
      </p>
      <Failure error={set.error} />
    </>
  );
};

interface EditProps {
  readonly person: PersonView;
  readonly stores: readonly AccountStore[];
  readonly onClose: () => void;
  readonly onLink: (link: string) => void;
}

const EditDialog = ({ person, stores, onClose, onLink }: EditProps): ReactNode => {
  const { texts, account } = usePage();
  const words = texts.team.people;
  const [isRemoving, setIsRemoving] = useState(false);
  const renew = useNewLink();
  const setActive = useSetActive();
  const isOneself = account?.person.id === person.id;
  if (isRemoving) {
    return (
      <Dialog
        title={words.removeTitle(person.name)}
        isOpen
        onClose={onClose}
        isAboutGivingUp
        confirm={{
          kind: "danger",
          isBusy: setActive.isPending,
          children: words.remove,
          onPress: () =>
            setActive.mutate({ id: person.id, isActive: false }, { onSuccess: onClose }),
        }}
      >
        <p>{words.removeText}</p>
        <Failure error={setActive.error} />
      </Dialog>
    );
  }
  return (
    <Dialog title={words.editTitle(person.name)} isOpen onClose={onClose}>
      <div className="stack-tight">
        {stores.map(({ name }) => (
          <RoleField key={name} person={person} store={name} />
        ))}
        <RoleField person={person} store={null} />
      </div>
      <h3>{words.sessions}</h3>
      <Sessions person={person.id} />
      <hr />
      <div className="line">
        <Button
          isBusy={renew.isPending}
          onPress={() => renew.mutate(person.id, { onSuccess: ({ link }) => onLink(link) })}
        >
          {words.newLink}
        </Button>
        {isOneself ? null : (
          <Button kind="danger" onPress={() => setIsRemoving(true)}>
            {words.remove}
          </Button>
        )}
      </div>
      <p className="muted small">{words.newLinkHint}</p>
      <Failure error={renew.error} />
    </Dialog>
  );
};

/** The roles of a person, as one line each. */
const Roles = ({ roles }: { readonly roles: readonly PersonRole[] }): ReactNode => {
  const { texts } = usePage();
  const words = texts.team.people;
  if (roles.length === 0) return <span className="muted">{words.none}</span>;
  return (
    <ul>
      {roles.map(({ store, role }) => (
        <li key={store ?? ALL}>{words.roleIn(store ?? words.all, texts.team.roles[role])}</li>
      ))}
    </ul>
  );
};

const Restore = ({ person }: { readonly person: PersonView }): ReactNode => {
  const words = usePage().texts.team.people;
  const setActive = useSetActive();
  return (
    <>
      <Button
        label={words.restoreName(person.name)}
        isBusy={setActive.isPending}
        onPress={() => setActive.mutate({ id: person.id, isActive: true })}
      >
        {words.restore}
      </Button>
      <Failure error={setActive.error} />
    </>
  );
};

const TONES = { open: "badge-accent", over: "badge-warning", none: "badge-warning" } as const;

/** Whether the person has come in, or can still do so with the link. */
const Invitation = ({ invitation }: Pick<PersonView, "invitation">): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.team.people;
  const { state, endsAt } = invitation;
  if (state === "joined") return <small className="muted">{words.joined}</small>;
  const end = endsAt === null ? "" : format.date(endsAt);
  if (state === "renewing") return <small className="muted">{words.renewing(end)}</small>;
  return (
    <small>
      <span className={`badge ${TONES[state]}`}>{words.invited[state]}</span>{" "}
      <span className="muted">{state === "open" ? words.until(end) : words.inviteAgain}</span>
    </small>
  );
};

interface RowsProps {
  readonly people: readonly PersonView[];
  readonly onEdit: (person: number) => void;
}

const PeopleTable = ({ people, onEdit }: RowsProps): ReactNode => {
  const { texts, account } = usePage();
  const words = texts.team.people;
  const sorted = people.toSorted((a, b) => Number(b.isActive) - Number(a.isActive));
  return (
    <div className="card people">
      <table className="table">
        <TableHead columns={[words.person, words.roles]} />
        <tbody>
          {sorted.map((person) => (
            <tr key={person.id}>
              <th scope="row">
                {person.name}{" "}
                {person.id === account?.person.id ? (
                  <span className="badge">{words.you}</span>
                ) : null}
                {person.isActive ? null : <span className="badge">{words.removed}</span>}
                <small className="muted">{person.login}</small>
                {person.isActive && person.id !== account?.person.id ? (
                  <Invitation invitation={person.invitation} />
                ) : null}
              </th>
              <td>
                <div className="people-roles">
                  {person.isActive ? <Roles roles={person.roles} /> : <span />}
                  {person.isActive ? (
                    <Button label={words.editName(person.name)} onPress={() => onEdit(person.id)}>
                      {words.edit}
                    </Button>
                  ) : (
                    <Restore person={person} />
                  )}
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

/** For an administrator of this store alone, who sees who has a role in it. */
const Members = (): ReactNode => {
  const { texts } = usePage();
  const words = texts.team.people;
  return (
    <TitledScreen title={words.title} intro={words.onlyAdministrators} isNarrow>
      <Loaded query={useMembers(true)}>
        {(members) => (
          <Card title={words.members}>
            <ul className="lined">
              {members.map(({ id, name, login, role, isOfAllStores }) => (
                <li key={id} className="session">
                  <span>
                    <strong>{name}</strong> <small className="muted">{login}</small>
                  </span>
                  <span>
                    {texts.team.roles[role]}
                    {isOfAllStores ? <small className="muted"> ({words.ofAll})</small> : null}
                  </span>
                </li>
              ))}
            </ul>
          </Card>
        )}
      </Loaded>
    </TitledScreen>
  );
};

const AllPeople = (): ReactNode => {
  const { texts, account } = usePage();
  const words = texts.team.people;
  const query = usePeople(true);
  const [isInviting, setIsInviting] = useState(false);
  const [edited, setEdited] = useState<number | null>(null);
  const [link, setLink] = useState<{ readonly name: string; readonly link: string } | null>(null);
  const person = query.data?.find(({ id }) => id === edited);
  return (
    <TitledScreen
      title={words.title}
      intro={words.intro}
      action={
        <Button kind="primary" onPress={() => setIsInviting(true)}>
          {words.invite}
        </Button>
      }
    >
      <Loaded query={query}>
        {(people) => <PeopleTable people={people} onEdit={setEdited} />}
      </Loaded>
      <RoleLegend />
      {isInviting ? (
        <InviteDialog
          onClose={() => setIsInviting(false)}
          onInvited={(invited) => {
            setIsInviting(false);
            setLink(invited);
          }}
        />
      ) : null}
      {person === undefined ? null : (
        <EditDialog
          person={person}
          stores={account?.stores ?? []}
          onClose={() => setEdited(null)}
          onLink={(made) => {
            setEdited(null);
            setLink({ name: person.name, link: made });
          }}
        />
      )}
      {link === null ? null : (
        <OnceShown
          title={words.linkTitle(link.name)}
          text={words.linkText}
          label={words.link}
          value={link.link}
          onClose={() => setLink(null)}
        />
      )}
    </TitledScreen>
  );
};

/** What each role may do. */
const RoleLegend = (): ReactNode => {
  const { team } = usePage().texts;
  return (
    <dl className="role-legend">
      {ROLES.map((role) => (
        <div key={role}>
          <dt>{team.roles[role]}</dt>
          <dd className="muted">{team.roleHints[role]}</dd>
        </div>
      ))}
    </dl>
  );
};

export const People = (): ReactNode =>
  usePage().account?.isAdministrator === true ? <AllPeople /> : <Members />;
