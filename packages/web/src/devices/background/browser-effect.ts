import type { BackgroundEffect } from './effect.ts'
import { BUDGET_MS } from './frame-pace.ts'

/** A model on the processor of this machine (decision 173). It is loaded when it is chosen. */
export const browserBackground: BackgroundEffect = {
  isSupported: () =>
    typeof WebAssembly !== 'undefined' &&
    typeof OffscreenCanvas !== 'undefined' &&
    'captureStream' in HTMLCanvasElement.prototype,
  async start(device, cover, onProblem) {
    if (!this.isSupported()) throw new Error('unsupported')
    const { startPipeline } = await import('./pipeline.ts')
    return startPipeline(device, cover, onProblem, { budgetMs: BUDGET_MS })
  },
}
