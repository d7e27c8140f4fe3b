// Divides a rectangle among weights, so that each part is as near to a square as its place allows (Bruls,
// Huizing and van Wijk, "Squarified treemaps", 2000).
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The largest ratio of sides in a row of these areas along a side. */
function worst(areas: readonly number[], side: number): number {
  const sum = areas.reduce((total, area) => total + area, 0);
  const square = (sum / side) ** 2;
  return Math.max(...areas.map((area) => Math.max(area / square, square / area)));
}

/** One box for each weight, in the same order; the weights are positive and descend. */
export function divide(weights: readonly number[], { x, y, width, height }: Box): Box[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const areas = weights.map((weight) => (weight / total) * width * height);
  const boxes: Box[] = [];
  let rest: Box = { x, y, width, height };
  for (let from = 0; from < areas.length; ) {
    const side = Math.min(rest.width, rest.height);
    let to = from + 1;
    while (to < areas.length && worst(areas.slice(from, to + 1), side) <= worst(areas.slice(from, to), side))
      to += 1;
    const row = areas.slice(from, to);
    const depth = row.reduce((sum, area) => sum + area, 0) / side;
    const isWide = rest.width >= rest.height;
    let at = 0;
    for (const area of row) {
      const length = area / depth;
      boxes.push(
        isWide
          ? { x: rest.x, y: rest.y + at, width: depth, height: length }
          : { x: rest.x + at, y: rest.y, width: length, height: depth },
      );
      at += length;
    }
    rest = isWide
      ? { ...rest, x: rest.x + depth, width: rest.width - depth }
      : { ...rest, y: rest.y + depth, height: rest.height - depth };
    from = to;
  }
  return boxes;
}
