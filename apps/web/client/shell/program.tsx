/** The program behind the page: it is ended with a button, and says when there is a newer version. */

import { useMutation, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";

import type { UpdateView } from "../../src/api/index.ts";
import { usePage } from "../lib/page.tsx";
import { useFeeds } from "../lib/queries.ts";
import { isClosed, requestJson, unsaved, useExternal } from "../lib/requests.ts";
import { Button } from "../ui/controls.tsx";
import { Dialog, Failure } from "../ui/messages.tsx";
import { Card, Notice } from "../ui/sections.tsx";

/** What a person should know before the program ends; nothing where nothing is lost or left. */
const useConsequences = (): readonly string[] => {
  const { me, texts } = usePage();
  const words = texts.program;
  const changes = useExternal(unsaved.count);
  const schedules = (useFeeds().data ?? []).filter(
    ({ schedule }) => schedule !== null && !schedule.isPaused,
  ).length;
  const isBusy = me.store !== null && me.store.busyWith !== null;
  const busy = me.store?.isSandbox === true ? words.stopsInDemo : words.goesOn;
  return [
    ...(changes > 0 ? [words.unsaved(changes)] : []),
    ...(isBusy ? [busy] : []),
    ...(schedules > 0 ? [words.schedules(schedules)] : []),
  ];
};

const CloseDialog = ({ onCancel }: { readonly onCancel: () => void }): ReactNode => {
  const { texts, lang } = usePage();
  const words = texts.program;
  const consequences = useConsequences();
  const close = useMutation({
    mutationFn: () => requestJson<undefined>("/api/close", { lang, method: "POST" }),
    onSuccess: () => isClosed.set(true),
  });
  return (
    <Dialog
      title={words.question}
      isOpen
      onClose={onCancel}
      confirm={{
        children: words.close,
        kind: "danger",
        isBusy: close.isPending,
        onPress: () => close.mutate(),
      }}
    >
      {consequences.length === 0 ? (
        <p>{words.nothingLost}</p>
      ) : (
        <ul>
          {consequences.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      <Failure error={close.error} />
    </Dialog>
  );
};

/** Ends the program, once a person has read what goes on without it. */
export const CloseProgram = (): ReactNode => {
  const words = usePage().texts.program;
  const [isAsked, setIsAsked] = useState(false);
  return (
    <Card title={words.title} intro={words.intro}>
      <Button onPress={() => setIsAsked(true)}>{words.close}</Button>
      {isAsked ? <CloseDialog onCancel={() => setIsAsked(false)} /> : null}
    </Card>
  );
};

/** In place of the page, whose program has ended. */
export const ClosedProgram = (): ReactNode => {
  const { me, texts } = usePage();
  const words = texts.program;
  return (
    <main id="content" tabIndex={-1}>
      <Notice title={words.closed}>
        <p role="status">{words.closedHow}</p>
        <p>
          <code className="command">{words.openCommand(me.command)}</code>
        </p>
        <p className="muted">{words.closedIcon(me.command)}</p>
        <Button onPress={() => location.reload()}>{words.reload}</Button>
      </Notice>
    </main>
  );
};

/** Says quietly that there is a newer version; it is asked for once while the page is open. */
export const UpdateLine = (): ReactNode => {
  const { me, lang, texts, account } = usePage();
  const { data } = useQuery({
    queryKey: ["update"],
    queryFn: ({ signal }) => requestJson<UpdateView | null>("/api/update", { lang, signal }),
    // Those who use a server do not install it.
    enabled: me.version !== "" && account === null,
    staleTime: Infinity,
    retry: false,
  });
  if (data === undefined || data === null) return null;
  return (
    <p className="update-line">
      {texts.program.update(data.version)} <code>{data.command}</code>
    </p>
  );
};
