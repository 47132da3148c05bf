/** Below the first, a pixel belongs to the room; above the second, to the person. */
const EDGE = [0.6, 0.9] as const
/** The model is wrong by up to two pixels, as between chin and shoulder. */
const NEIGHBOURS = [-2, -1, 0, 1, 2].flatMap(y =>
  [-2, -1, 0, 1, 2].filter(x => Math.abs(x) + Math.abs(y) <= 2).map(x => [x, y] as const),
)

/**
 * The opacity of the person, written into the alpha channel of `target`. A pixel is as opaque as the least opaque of its neighbours, so
 * that the edge is on the person and not on the room. What leaves the person disappears at once, what joins it appears in two steps,
 * which hides flicker.
 */
export function writeMask(probabilities: Float32Array, target: ImageData): void {
  const { width, height, data } = target
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      let least = 1
      for (const [dx, dy] of NEIGHBOURS) {
        // What the frame cuts off has no edge there.
        const i = Math.min(width - 1, Math.max(0, x + dx))
        const j = Math.min(height - 1, Math.max(0, y + dy))
        least = Math.min(least, probabilities[j * width + i] ?? 0)
      }
      const [from, to] = EDGE
      const opacity = 255 * Math.min(1, Math.max(0, (least - from) / (to - from)))
      const at = (y * width + x) * 4 + 3
      const before = data[at] ?? 0
      data[at] = opacity < before ? opacity : (opacity + before) / 2 + 0.5
    }
}
