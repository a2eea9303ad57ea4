/** Keys of programs that work on the store: made, shown once, and ended. */

import { allows, type Role, ROLES } from "@catalog/team/roles";
import { type FormEvent, type ReactNode, useState } from "react";

import type { KeyView } from "../../src/api/index.ts";
import { usePage } from "../lib/page.tsx";
import { useEndKey, useKeys, useMakeKey } from "../lib/team.ts";
import { Button, SelectField, TextField } from "../ui/controls.tsx";
import { Dialog, Failure, Loaded } from "../ui/messages.tsx";
import { Card, List } from "../ui/sections.tsx";
import { OnceShown } from "./once-shown.tsx";

interface MadeKey {
  readonly name: string;
  readonly secret: string;
}

const MakeKey = ({ onMade }: { readonly onMade: (made: MadeKey) => void }): ReactNode => {
  const { texts, me } = usePage();
  const words = texts.team.keys;
  const [name, setName] = useState("");
  const [role, setRole] = useState<Role>("editor");
  const make = useMakeKey();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    make.mutate(
      { name: name.trim(), role },
      { onSuccess: ({ key, secret }) => onMade({ name: key.name, secret }) },
    );
  };
  return (
    <form className="stack-tight" onSubmit={submit}>
      <TextField
        label={words.name}
        hint={words.nameHint}
        value={name}
        isRequired
        isFocused
        onChange={setName}
      />
      <SelectField
        label={words.role}
        hint={texts.team.roleHints[role]}
        value={role}
        choices={ROLES.filter((one) => allows(me.role, one)).map((one) => ({
          value: one,
          label: texts.team.roles[one],
        }))}
        onChange={(text) => setRole(ROLES.find((one) => one === text) ?? role)}
      />
      <Failure error={make.error} />
      <Button type="submit" isBusy={make.isPending} isDisabled={name.trim() === ""}>
        {make.isPending ? words.submitting : words.submit}
      </Button>
    </form>
  );
};

const EndDialog = ({
  shown,
  onClose,
}: {
  readonly shown: KeyView;
  readonly onClose: () => void;
}): ReactNode => {
  const words = usePage().texts.team.keys;
  const end = useEndKey();
  return (
    <Dialog
      title={words.endTitle(shown.name)}
      isOpen
      onClose={onClose}
      confirm={{
        kind: "danger",
        isBusy: end.isPending,
        children: words.end,
        onPress: () => end.mutate(shown.id, { onSuccess: onClose }),
      }}
    >
      <p>{words.endText}</p>
      <Failure error={end.error} />
    </Dialog>
  );
};

const Key = ({ shown }: { readonly shown: KeyView }): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.team.keys;
  const [isAsked, setIsAsked] = useState(false);
  const { name, role, by, createdAt, usedAt, endedAt } = shown;
  const use = usedAt === null ? words.unused : words.used(format.date(usedAt));
  return (
    <li className="session">
      <div>
        <p>
          <strong>{name}</strong> <span className="badge">{texts.team.roles[role]}</span>
        </p>
        <p className="muted small">
          {words.made(by, format.date(createdAt))} ·{" "}
          {endedAt === null ? use : words.ended(format.date(endedAt))}
        </p>
      </div>
      {endedAt === null ? (
        <Button label={words.endName(name)} onPress={() => setIsAsked(true)}>
          {words.end}
        </Button>
      ) : null}
      {isAsked ? <EndDialog shown={shown} onClose={() => setIsAsked(false)} /> : null}
    </li>
  );
};

const toItem = (key: KeyView): ReactNode => <Key key={key.id} shown={key} />;

const KeyList = ({ keys }: { readonly keys: readonly KeyView[] }): ReactNode => {
  const words = usePage().texts.team.keys;
  const ended = keys.filter(({ endedAt }) => endedAt !== null);
  return (
    <>
      <List
        className="lined"
        none={words.none}
        items={keys.filter(({ endedAt }) => endedAt === null).map(toItem)}
      />
      {ended.length === 0 ? null : (
        <details className="fold">
          <summary>{words.endedOnes(ended.length)}</summary>
          <ul className="lined">{ended.map(toItem)}</ul>
        </details>
      )}
    </>
  );
};

/** The keys of the store, for its administrators. */
export const Keys = (): ReactNode => {
  const words = usePage().texts.team.keys;
  const [isOpen, setIsOpen] = useState(false);
  const [made, setMade] = useState<MadeKey | null>(null);
  return (
    <Card title={words.title} intro={words.intro}>
      <p>
        {/* A page of the server, beside this one. */}
        <a href="/v1/docs" target="_blank" rel="noreferrer">
          {words.docs}
        </a>
      </p>
      <Loaded query={useKeys()}>{(keys) => <KeyList keys={keys} />}</Loaded>
      {isOpen ? (
        <MakeKey
          onMade={(key) => {
            setIsOpen(false);
            setMade(key);
          }}
        />
      ) : (
        <Button onPress={() => setIsOpen(true)}>{words.open}</Button>
      )}
      {made === null ? null : (
        <OnceShown
          title={words.secretTitle(made.name)}
          text={words.secretText}
          label={words.secret}
          value={made.secret}
          onClose={() => setMade(null)}
        />
      )}
    </Card>
  );
};
