// Makes a picture of a page small: at most 256 colours, one byte per pixel. A page has few colours and their
// blends at the edges of letters; the most frequent stay exact, and each other becomes the nearest of them.
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = 8;
const COLOURS = 256;

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue of each pixel in one number. */
  readonly colours: Uint32Array;
}

function* chunksOf(png: Buffer): Generator<{ readonly type: string; readonly data: Buffer }> {
  for (let at = SIGNATURE; at < png.length; ) {
    const length = png.readUInt32BE(at);
    yield { type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) };
    at += length + 12;
  }
}

/** The nearest of left, up and corner to their gradient: the predictor of PNG. */
function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [toLeft, toUp, toCorner] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

/** The pixels of a PNG of eight bits per channel, as browsers write it. */
function pixelsOf(png: Buffer): Pixels {
  const data: Buffer[] = [];
  let [width, height, channels] = [0, 0, 0];
  for (const chunk of chunksOf(png)) {
    if (chunk.type === 'IHDR') {
      [width, height] = [chunk.data.readUInt32BE(0), chunk.data.readUInt32BE(4)];
      channels = chunk.data[9] === 6 ? 4 : 3;
    }
    if (chunk.type === 'IDAT') data.push(chunk.data);
  }
  const raw = inflateSync(Buffer.concat(data));
  const stride = width * channels;
  const colours = new Uint32Array(width * height);
  let above = new Uint8Array(stride);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (stride + 1)];
    const line = Uint8Array.from(raw.subarray(y * (stride + 1) + 1, (y + 1) * (stride + 1)));
    for (let x = 0; x < stride; x += 1) {
      const left = x >= channels ? (line[x - channels] ?? 0) : 0;
      const up = above[x] ?? 0;
      const corner = x >= channels ? (above[x - channels] ?? 0) : 0;
      const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter ?? 0] ?? 0;
      line[x] = ((line[x] ?? 0) + predicted) & 255;
    }
    for (let x = 0; x < width; x += 1) {
      const at = x * channels;
      colours[y * width + x] = ((line[at] ?? 0) << 16) | ((line[at + 1] ?? 0) << 8) | (line[at + 2] ?? 0);
    }
    above = line;
  }
  return { width, height, colours };
}

function distance(left: number, right: number): number {
  const part = (shift: number) => ((left >> shift) & 255) - ((right >> shift) & 255);
  return 2 * part(16) ** 2 + 4 * part(8) ** 2 + 3 * part(0) ** 2;
}

/** The most frequent colours, without those that the eye cannot tell from one before them. */
function paletteOf(frequent: readonly number[]): number[] {
  const palette: number[] = [];
  for (const colour of frequent) {
    if (palette.length === COLOURS) break;
    if (palette.every((each) => distance(each, colour) > 24)) palette.push(colour);
  }
  return palette;
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

export function withPalette(png: Buffer): Buffer {
  const { width, height, colours } = pixelsOf(png);
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const frequent = [...counts].sort((left, right) => right[1] - left[1]).map(([colour]) => colour);
  const palette = paletteOf(frequent);
  const indexes = new Map<number, number>();
  for (const colour of frequent) {
    let best = 0;
    palette.forEach((each, index) => {
      if (distance(each, colour) < distance(palette[best] ?? 0, colour)) best = index;
    });
    indexes.set(colour, best);
  }
  const lines = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      lines[y * (width + 1) + 1 + x] = indexes.get(colours[y * width + x] ?? 0) ?? 0;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    png.subarray(0, SIGNATURE),
    chunk('IHDR', header),
    chunk('PLTE', Uint8Array.from(palette.flatMap((each) => [each >> 16, (each >> 8) & 255, each & 255]))),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', new Uint8Array()),
  ]);
}
