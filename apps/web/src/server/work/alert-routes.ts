/** Routes of alerts: the channels by which people are told when syncs do not work. */

import type { Connection } from "@catalog/connection";
import { InputError, type Lang, type Localized } from "@catalog/i18n";
import type { Alerts } from "@catalog/jobs";
import type { FastifyInstance } from "fastify";

import { alertBody, type AlertBody, type AlertChannelView, alertNameBody } from "../../api/work.ts";
import { needs } from "../needs.ts";
import { parseInput, RequestError, requestLang, type Site } from "../site.ts";

const noChannel = (): RequestError =>
  new RequestError(404, "E_ALERT_UNKNOWN", {
    tr: "Bu kanal artık yok; liste yenilendiğinde görünmez.",
    en: "This channel is not there any more; the list will no longer show it.",
  });

const notHttps = (): RequestError =>
  new RequestError(400, "E_ALERT_ADDRESS", {
    tr: "Adres https:// ile başlamalı ve bu makinenin dışında bir sunucunun adını taşımalı.",
    en: "The address must begin with https:// and name a server that is not this machine.",
  });

const notArrived = (reason: Localized): RequestError =>
  new RequestError(422, "E_ALERT_NOT_ARRIVED", {
    tr: `Deneme iletisi ulaşmadı: ${reason.tr}.`,
    en: `The test message did not arrive: ${reason.en}.`,
  });

/** Adds the routes; each change answers with all channels. */
export function addAlerts(app: FastifyInstance, { store, openAlerts }: Site): void {
  const open = async (): Promise<{ connection: Connection; alerts: Alerts | undefined }> => ({
    connection: await store.connection(),
    alerts: await openAlerts?.(),
  });
  const list = async (lang: Lang): Promise<readonly AlertChannelView[]> => {
    const { connection, alerts } = await open();
    return ((await alerts?.list(connection)) ?? []).map((view) => toView(view, lang));
  };
  const find = async (name: string) => {
    const { connection, alerts } = await open();
    const views = (await alerts?.list(connection)) ?? [];
    const found = views.find(({ channel }) => channel.name === name);
    if (alerts === undefined || found === undefined) throw noChannel();
    return { connection, alerts, channel: found.channel };
  };
  app.get("/alerts", needs("administrator"), async (request) => await list(requestLang(request)));
  app.post("/alerts", needs("administrator"), async (request) => {
    const lang = requestLang(request);
    const body = parseInput(alertBody, request.body);
    assertPublic(body);
    const { connection, alerts } = await open();
    if (alerts === undefined) throw noChannel();
    const secret = { secret: body.secret.trim(), place: "keyring" } as const;
    const { tried } = await alerts
      .add(connection, toChannel(body, lang), secret)
      .catch((error: unknown) => {
        if (!(error instanceof InputError)) throw error;
        throw new RequestError(400, "E_ALERT_CHANNEL", error.localized, { cause: error });
      });
    if (tried?.failure) throw notArrived(tried.failure.message);
    return await list(lang);
  });
  app.post("/alerts/test", needs("administrator"), async (request) => {
    const { name } = parseInput(alertNameBody, request.body);
    const { connection, alerts, channel } = await find(name);
    // The list says how it ended.
    await alerts.test(connection, channel);
    return await list(requestLang(request));
  });
  app.post("/alerts/remove", needs("administrator"), async (request) => {
    const { name } = parseInput(alertNameBody, request.body);
    const { connection, alerts, channel } = await find(name);
    await alerts.remove(connection, channel);
    return await list(requestLang(request));
  });
}

type ChannelView = Awaited<ReturnType<Alerts["list"]>>[number];

const toIso = (ms: number | undefined): string | null =>
  ms === undefined ? null : new Date(ms).toISOString();

const toView = (
  { channel, quiet, health, arrivedAtMs, failedAtMs, failure }: ChannelView,
  lang: Lang,
): AlertChannelView => ({
  name: channel.name,
  kind: channel.kind,
  place: channel.place,
  quiet: quiet ?? null,
  health,
  arrivedAt: toIso(arrivedAtMs),
  failedAt: toIso(failedAtMs),
  failure: failure?.message[lang] ?? null,
});

const given = (text: string): string | undefined => (text === "" ? undefined : text);

const toChannel = (
  { kind, name, chat, smtp, user, to, quiet }: AlertBody,
  lang: Lang,
): Parameters<Alerts["add"]>[1] => ({
  kind,
  lang,
  name: given(name),
  chat: given(chat),
  smtp: given(smtp),
  user: given(user),
  to: to.split(/[\s,;]+/u).filter((part) => part !== ""),
  quiet: given(quiet),
});

/** A person at the page has no business with servers of this machine. */
function assertPublic({ kind, secret }: AlertBody): void {
  if (kind !== "webhook" && kind !== "slack") return;
  const url = URL.canParse(secret.trim()) ? new URL(secret.trim()) : undefined;
  const isNamed = /^(?!localhost$)[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z-]{2,}$/iu;
  if (url?.protocol !== "https:" || !isNamed.test(url.hostname)) throw notHttps();
}
