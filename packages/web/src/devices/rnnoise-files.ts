import wasm from '@sapphi-red/web-noise-suppressor/rnnoise.wasm?url'
import simd from '@sapphi-red/web-noise-suppressor/rnnoise_simd.wasm?url'
import worklet from '@sapphi-red/web-noise-suppressor/rnnoiseWorklet.js?url'

/** RNNoise, as a bundle of its own: most users do without it. */
export { loadRnnoise, RnnoiseWorkletNode } from '@sapphi-red/web-noise-suppressor'

/** The addresses of the files on this server. */
export const files = { wasm, simd, worklet }
