/** Numbers of rows: those that a request names, and lists of them as answers. */

import { endianness } from "node:os";

import type { FastifyReply } from "fastify";
import { z } from "zod";

import { MAX_ROWS_READ } from "../api/drafts.ts";
import { notUnderstood, parseInput } from "./site.ts";

const numbersQuery = z.object({ n: z.string().max(MAX_ROWS_READ * 8) });

/** The rows that a request asks for as `n=1,2,3`. */
export function readNumbers(query: unknown): readonly number[] {
  const { n } = parseInput(numbersQuery, query);
  const numbers = n.split(",").map(Number);
  const isSound = numbers.every((number) => Number.isSafeInteger(number) && number > 0);
  if (!isSound || numbers.length > MAX_ROWS_READ) throw notUnderstood();
  return numbers;
}

/** Sends 32-bit numbers, the lowest byte first. */
export async function sendNumbers(
  reply: FastifyReply,
  numbers: Uint32Array,
): Promise<FastifyReply> {
  const bytes = Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  const ordered = endianness() === "LE" ? bytes : Buffer.from(bytes).swap32();
  return await reply.type("application/octet-stream").send(ordered);
}
