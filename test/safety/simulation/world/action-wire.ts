/** The calls of one process in a world of actions. */

import type { ActionName, ActionPort, Answer, Marketplace } from "@catalog/runs";
import { createFakeMarketplace } from "@catalog/runs/testing";

import { arrived, idOf, left, type Sent, tagOf, type World } from "./action-oracle.ts";
import { drawFate, type Fate, type FaultWeather, GOOD_FATE } from "./faults.ts";
import { ReadFailed } from "./marketplace-port.ts";
import type { Random } from "./random.ts";
import { type SimProcess, START_MS } from "./sim-process.ts";

interface Caller {
  readonly process: SimProcess;
  readonly random: Random;
}

const MAX_LATENCY_MS = 50;
const LONGEST_WAIT_MS = 10_000;

export function createPort(world: World, { process, random }: Caller): Marketplace {
  const { timeline, market, scenario } = world;
  const read: ActionPort["readSubjects"] = (kind, ids) =>
    process.yield(
      () => {
        if (!world.isCalm && random.chance(scenario.weather.readShare)) {
          throw new ReadFailed("the marketplace does not answer");
        }
        return { views: market.views(), calls: 1 };
      },
      { delayMs: random.next() * MAX_LATENCY_MS, what: `READ ${kind} ${ids.join(" ")}` },
    );
  return {
    ...createFakeMarketplace({ serverTimeMs: () => START_MS + Math.floor(timeline.nowMs) }),
    takeSlot: () => pause(process, random, 0.05),
    actions: {
      readSubjects: read,
      send: (action, call, options) =>
        send(world, { process, random }, { action, call, ...options }),
    },
  };
}

async function pause(process: SimProcess, random: Random, longShare: number): Promise<void> {
  const longestMs = random.chance(longShare) ? LONGEST_WAIT_MS : MAX_LATENCY_MS;
  await process.yield(() => undefined, { delayMs: random.next() * longestMs, what: "waits" });
}

const never = (): Promise<never> => new Promise(() => undefined);

async function send(world: World, { process, random }: Caller, sent: Sent): Promise<Answer> {
  const fate = world.isCalm ? GOOD_FATE : drawActionFate(random, world.scenario.weather);
  await pause(process, random, 0.15);
  sent.signal?.throwIfAborted();
  if (fate.begins) {
    try {
      sent.beforeSend();
    } catch (error) {
      // A process that died meanwhile gets no error.
      if (process.isDead) return await never();
      throw error;
    }
  }
  const answer = fate.updateAnswer ?? fate.answer;
  if (answer?.phase === "none") return await process.yield(() => answer, { what: fate.name });
  return await exchange(world, { process, random }, { ...sent, fate });
}

function drawActionFate(random: Random, weather: FaultWeather): Fate {
  const { liar } = weather;
  if (liar === undefined || !random.chance(liar.share)) return drawFate(random, weather);
  const { status } = liar;
  const message = "no";
  const answer: Answer =
    status === 200
      ? { kind: "answered", data: { success: false, message }, phase: "body" }
      : { kind: "refused", status, phase: "body", message };
  return { name: `refused with ${status}, carried out`, begins: true, effect: "now", answer };
}

async function exchange(
  world: World,
  { process, random }: Caller,
  sent: Sent & { readonly fate: Fate },
): Promise<Answer> {
  const { timeline, market, scenario } = world;
  const { fate, action, call } = sent;
  const [id, tag] = [idOf(sent), tagOf(sent)];
  left(world, sent);
  const answer = fate.updateAnswer ?? fate.answer;
  const isLost = answer?.kind === "lost";
  const latencyMs = random.next() * MAX_LATENCY_MS;
  const slowestMs = isLost ? scenario.weather.slowestAnswerMs : MAX_LATENCY_MS;
  const answerMs = latencyMs + random.next() * slowestMs;
  const lateMs = answerMs + random.next() * scenario.weather.latestEffectMs;
  if (fate.effect !== "none") {
    timeline.add(fate.effect === "now" ? latencyMs : lateMs, undefined, () => {
      world.onEvent?.(`${action} ${id} of ${tag} is carried out`);
      market.carryOut(action, id, { tag, call });
      if (fate.effect === "late") arrived(world, sent);
    });
  }
  // Who has died learns nothing, and its request has come in all the same.
  if (fate.effect !== "late") {
    timeline.add(answerMs, undefined, () => arrived(world, sent));
  }
  const what = `${action} ${id} of ${tag}: ${fate.name}`;
  await process.yield(() => undefined, { delayMs: answerMs + 0.001, what });
  return answer ?? { kind: "answered", data: toData(action, tag), phase: "body" };
}

const toData = (action: ActionName, tag: string): object =>
  action === "shipping-code" ? { shippingCode: `CODE of ${tag}` } : { success: true };
