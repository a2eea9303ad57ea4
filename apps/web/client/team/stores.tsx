/** The stores of a server: going from one to another, adding one, and what stands where there is none. */

import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { Button as AriaButton, Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components";

import type { AccountStore, StoreBody } from "../../src/api/index.ts";
import { usePage } from "../lib/page.tsx";
import { toStoreBase } from "../lib/place.ts";
import { formatRoute, type Route, useRoute, useStoreName } from "../lib/route.ts";
import { useAddStore, useMay } from "../lib/team.ts";
import { Button, Icon, TextField } from "../ui/controls.tsx";
import { Dialog, Failure, Message } from "../ui/messages.tsx";
import { Card, Notice } from "../ui/sections.tsx";

/** Pages that are of one store alone lead to its products in another. */
const keptPage = (route: Route): Route =>
  ["draft", "run", "product", "products", "shared", "unknown"].includes(route.page)
    ? { page: "products" }
    : route;

/** The address of a store, with the page that is shown where each store has it. */
export const useStoreAddress = (): ((store: string) => string) => {
  const route = useRoute();
  return (store) => toStoreBase(store) + formatRoute(keptPage(route));
};

/** Loads the other store's page anew, so that nothing of this one is left in it. */
export const goToStore = (address: string): void => location.assign(address);

const ADD = "add";

/** The name of the store; with several, a menu of them. */
export const StoreSwitch = (): ReactNode => {
  const { texts, account } = usePage();
  const words = texts.team.stores;
  const current = useStoreName();
  const addressOf = useStoreAddress();
  const [isAdding, setIsAdding] = useState(false);
  if (account === null || current === null) return null;
  const { stores, isAdministrator } = account;
  if (!stores.some(({ name }) => name === current)) return null;
  if (stores.length < 2 && !isAdministrator) return <span className="store-name">{current}</span>;
  return (
    <>
      <MenuTrigger>
        <AriaButton className="button switch" aria-label={words.choose(current)}>
          <span className="store-name">{current}</span>
          <Icon name="down" />
        </AriaButton>
        <Popover className="popover popover-menu" placement="bottom end">
          <Menu
            className="menu-list"
            aria-label={words.label}
            selectionMode="single"
            selectedKeys={[current]}
            onAction={(key) => {
              if (key === ADD) setIsAdding(true);
              else goToStore(addressOf(String(key)));
            }}
          >
            {stores.map(({ name, role }) => (
              <MenuItem key={name} id={name} className="menu-item" textValue={name}>
                <span>{name}</span>
                <small className="muted">{texts.team.roles[role]}</small>
              </MenuItem>
            ))}
            {isAdministrator ? (
              <MenuItem id={ADD} className="menu-item menu-apart" textValue={words.add}>
                {words.add}
              </MenuItem>
            ) : null}
          </Menu>
        </Popover>
      </MenuTrigger>
      {isAdding ? <AddStoreDialog onClose={() => setIsAdding(false)} /> : null}
    </>
  );
};

const AddStoreDialog = ({ onClose }: { readonly onClose: () => void }): ReactNode => {
  const words = usePage().texts.team.stores;
  return (
    <Dialog title={words.addTitle} isOpen onClose={onClose}>
      <p className="muted">{words.addIntro}</p>
      <StoreForm
        submit={words.submit}
        onSaved={({ name }) => goToStore(toStoreBase(name) + formatRoute({ page: "products" }))}
      />
    </Dialog>
  );
};

const EMPTY: StoreBody = { name: "", baseUrl: "", storeId: "", clientKey: "", clientSecret: "" };
const NAME = /^[a-z0-9-]{1,40}$/u;

interface StoreFormProps {
  /** The store whose credentials are replaced. @default a new one */
  readonly store?: AccountStore | undefined;
  readonly submit: string;
  readonly onSaved: (store: { readonly name: string }) => void;
}

export const StoreForm = ({ store, submit, onSaved }: StoreFormProps): ReactNode => {
  const { login: words, team } = usePage().texts;
  const [values, setValues] = useState<StoreBody>({
    ...EMPTY,
    ...(store && { name: store.name, baseUrl: store.baseUrl, storeId: store.storeId }),
  });
  const add = useAddStore();
  const isNameWrong = values.name !== "" && !NAME.test(values.name);
  const fieldOf = (name: keyof StoreBody) => ({
    value: values[name],
    isRequired: true,
    onChange: (value: string) => setValues({ ...values, [name]: value }),
  });
  const save = (event: FormEvent): void => {
    event.preventDefault();
    if (!isNameWrong) add.mutate(values, { onSuccess: onSaved });
  };
  return (
    <form className="stack" onSubmit={save}>
      {store === undefined ? (
        <>
          <TextField
            {...fieldOf("name")}
            label={team.stores.name}
            hint={isNameWrong ? team.stores.nameWrong : team.stores.nameHint}
            isWrong={isNameWrong}
          />
          <TextField
            {...fieldOf("baseUrl")}
            label={words.baseUrl}
            hint={words.baseUrlHint}
            type="url"
          />
          <TextField {...fieldOf("storeId")} label={words.storeId} />
        </>
      ) : null}
      <TextField {...fieldOf("clientKey")} label={words.clientKey} />
      <TextField
        {...fieldOf("clientSecret")}
        label={words.clientSecret}
        type="password"
        autoComplete="new-password"
      />
      <Failure error={add.error} />
      <Button type="submit" kind="primary" isBusy={add.isPending}>
        {add.isPending ? team.stores.submitting : submit}
      </Button>
    </form>
  );
};

/** Replaces the credentials of the store that is shown. */
export const RenewStore = (): ReactNode => {
  const { texts, account } = usePage();
  const words = texts.team.stores;
  const current = useStoreName();
  const [isOpen, setIsOpen] = useState(false);
  const [isRenewed, setIsRenewed] = useState(false);
  const store = account?.stores.find(({ name }) => name === current);
  if (store === undefined || account?.isAdministrator !== true) return null;
  return (
    <Card title={words.renew} intro={words.renewIntro}>
      <div role="status">
        {isRenewed && !isOpen ? <Message tone="success">{words.renewed}</Message> : null}
      </div>
      {isOpen ? (
        <StoreForm
          store={store}
          submit={words.renew}
          onSaved={() => {
            setIsOpen(false);
            setIsRenewed(true);
          }}
        />
      ) : (
        <Button onPress={() => setIsOpen(true)}>{words.renew}</Button>
      )}
    </Card>
  );
};

/** For somebody who has no role in any store; an administrator adds the first one. */
export const NoStore = (): ReactNode => {
  const { texts, account } = usePage();
  const words = texts.team.stores;
  const client = useQueryClient();
  if (account?.isAdministrator === true) {
    return (
      <section className="narrow card login">
        <h1>{words.none}</h1>
        <p>{words.noneAdministrator}</p>
        <p className="muted">{words.addIntro}</p>
        <StoreForm
          submit={words.submit}
          onSaved={({ name }) => goToStore(toStoreBase(name) + formatRoute({ page: "products" }))}
        />
      </section>
    );
  }
  return (
    <Notice title={words.none}>
      <p>{words.noneOther}</p>
      <Button onPress={() => void client.invalidateQueries({ queryKey: ["account"] })}>
        {words.reload}
      </Button>
    </Notice>
  );
};

/** The address names a store that is not there, or not for this person. */
export const UnknownStore = (): ReactNode => {
  const { texts, account } = usePage();
  const words = texts.team.stores;
  const stores = account?.stores ?? [];
  return (
    <Notice title={words.unknown}>
      {stores.length === 0 ? null : <p>{words.unknownText}</p>}
      <ul className="stack-tight">
        {stores.map(({ name }) => (
          <li key={name}>
            <a href={toStoreBase(name) + formatRoute({ page: "products" })}>{name}</a>
          </li>
        ))}
      </ul>
    </Notice>
  );
};

/** The server has no connection to the store. */
export const StoreAway = (): ReactNode => {
  const words = usePage().texts.team.stores;
  const isAdministrator = useMay("administrator");
  return (
    <Notice title={words.away}>
      <p>{words.awayText}</p>
      {isAdministrator ? <RenewStore /> : null}
    </Notice>
  );
};

/** The store to begin with: the one that was shown last, or the first. */
export const chooseStore = (
  stores: readonly Pick<AccountStore, "name">[],
  last: string | null,
): string | undefined => (stores.find(({ name }) => name === last) ?? stores[0])?.name;
