/**
 * Rate at which images are prepared in processes of their own, against the same library with the
 * same settings in this process. JPEG, 3000 by 3000; medians of five alternating rounds.
 *
 * node test/bench/rows/images.ts
 */

import { availableParallelism } from "node:os";

import { createDecoder, DEFAULT_PREPARE } from "@catalog/images";
import sharp from "sharp";

const EDGE = 3000;
const IMAGES = 16;
const ROUNDS = 5;
const CORES = availableParallelism();
const { maxEdge, quality } = DEFAULT_PREPARE;
// Accepts the first attempt at any size, as the bare library does.
const SETTINGS = { maxEdge, quality, targetBytes: Number.MAX_SAFE_INTEGER };

async function drawImage(seed: number): Promise<Buffer> {
  const shapes = Array.from({ length: 400 }, (_, index) => {
    const at = (prime: number): number => ((index + 1) * (seed + 3) * prime) % EDGE;
    return `<circle cx="${at(31)}" cy="${at(53)}" r="${20 + (at(71) % 200)}" fill="hsl(${at(13)}, 60%, ${30 + (at(17) % 50)}%)"/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${EDGE}" height="${EDGE}"><rect width="100%" height="100%" fill="#ccc"/>${shapes.join("")}</svg>`;
  return await sharp(Buffer.from(svg)).jpeg({ quality: 90 }).toBuffer();
}

function prepareBare(bytes: Buffer): Promise<Buffer> {
  return sharp(bytes, { failOn: "warning", sequentialRead: true })
    .autoOrient()
    .toColourspace("srgb")
    .resize({ width: maxEdge, height: maxEdge, fit: "inside", withoutEnlargement: true })
    .jpeg({ quality })
    .toBuffer();
}

/** Images a second, with a number of images in progress at a time. */
async function measure(
  inFlight: number,
  prepare: (bytes: Buffer) => Promise<unknown>,
): Promise<number> {
  const begun = performance.now();
  const waiting = images.values();
  const work = async (): Promise<void> => {
    for (const bytes of waiting) await prepare(bytes);
  };
  await Promise.all(Array.from({ length: inFlight }, work));
  return (images.length * 1000) / (performance.now() - begun);
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

sharp.concurrency(1);
sharp.cache(false);
const images = await Promise.all(Array.from({ length: IMAGES }, (_, index) => drawImage(index)));
await using decoder = createDecoder({ processes: CORES });
const ours = async (bytes: Buffer): Promise<void> => {
  const made = await decoder.prepare(bytes, SETTINGS);
  if (!made.ok) throw new Error(made.problem.code);
};
// Both sides work on as many images as there are cores; the processes have the next one queued.
const measureBare = (): Promise<number> => measure(CORES, prepareBare);
const measureOurs = (): Promise<number> => measure(2 * CORES, ours);
await measureOurs();
await measureBare();

const rates: { ours: number; bare: number }[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  rates.push({ bare: await measureBare(), ours: await measureOurs() });
}
const bare = median(rates.map((rate) => rate.bare));
const prepared = median(rates.map((rate) => rate.ours));
const sizeMb = images.reduce((sum, { byteLength }) => sum + byteLength, 0) / IMAGES / 1e6;
console.log(`${IMAGES} JPEG of ${EDGE} x ${EDGE}, ${sizeMb.toFixed(1)} MB each, ${CORES} cores`);
console.log(`bare sharp   ${bare.toFixed(1)} a second`);
console.log(`prepared     ${prepared.toFixed(1)} a second`);
console.log(`ratio        ${(prepared / bare).toFixed(3)}`);
