// A treemap: rectangles whose areas are their sizes, as close to squares as their order allows (Bruls,
// Huizing and van Wijk, 2000).
interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const sum = (areas: readonly number[]): number => areas.reduce((total, each) => total + each, 0);

/** How far the worst rectangle of a row along `side` is from a square; 1: all are squares. */
function worst(areas: readonly number[], side: number): number {
  const total = sum(areas);
  const [most, least] = [Math.max(...areas), Math.min(...areas)];
  return Math.max((side * side * most) / (total * total), (total * total) / (side * side * least));
}

/** The boxes of the sizes, which are above 0 and in descending order, in a rectangle of this size. */
export function squarify(sizes: readonly number[], width: number, height: number): Box[] {
  const scale = (width * height) / sum(sizes);
  const areas = sizes.map((size) => size * scale);
  const boxes: Box[] = [];
  let [x, y, right, below] = [0, 0, width, height];
  for (let first = 0; first < areas.length; ) {
    const side = Math.min(right, below);
    let last = first + 1;
    while (
      last < areas.length &&
      worst(areas.slice(first, last + 1), side) <= worst(areas.slice(first, last), side)
    )
      last += 1;
    const row = areas.slice(first, last);
    const depth = sum(row) / side;
    let along = 0;
    for (const area of row) {
      const length = area / depth;
      boxes.push(
        right >= below
          ? { x, y: y + along, width: depth, height: length }
          : { x: x + along, y, width: length, height: depth },
      );
      along += length;
    }
    if (right >= below) [x, right] = [x + depth, right - depth];
    else [y, below] = [y + depth, below - depth];
    first = last;
  }
  return boxes;
}
