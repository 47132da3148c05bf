import createModule, {
  type TfLite,
  type TfLiteOptions,
} from '@twilio/video-processors/dist/build/tflite-simd-1-0-0.js'

/** Loaded by the page, because the policy of scripts that are workers allows them to load nothing. */
export interface SegmenterFiles {
  module: WebAssembly.Module
  model: ArrayBuffer
}

/** Tells a person from what is behind. */
export interface Segmenter {
  width: number
  height: number
  /** Takes RGBA pixels. Returns, for each, the probability that it belongs to a person; valid until the next call. */
  segment(pixels: Uint8ClampedArray): Float32Array
  memoryBytes(): number
}

/** TensorFlow Lite on the processor (decision 173). */
export async function createSegmenter({ module, model }: SegmenterFiles): Promise<Segmenter> {
  const lite = await new Promise<TfLite>((resolve, reject) => {
    const instantiateWasm: TfLiteOptions['instantiateWasm'] = (imports, receive) => {
      // Otherwise a refusal would leave the module waiting for ever.
      WebAssembly.instantiate(module, imports).then(receive).catch(reject)
      return {}
    }
    createModule({ print: () => {}, printErr: () => {}, instantiateWasm }).then(resolve, reject)
  })
  lite.HEAPU8.set(new Uint8Array(model), lite._getModelBufferMemoryOffset())
  if (lite._loadModel(model.byteLength) !== 0) throw new Error('the model cannot be loaded')
  const width = lite._getInputWidth()
  const height = lite._getInputHeight()
  const input = lite._getInputMemoryOffset() / Float32Array.BYTES_PER_ELEMENT
  const output = lite._getOutputMemoryOffset() / Float32Array.BYTES_PER_ELEMENT
  return {
    width,
    height,
    memoryBytes: () => lite.HEAPU8.byteLength,
    segment(pixels) {
      // The memory may have grown since the last call.
      const memory = lite.HEAPF32
      let to = input
      for (let from = 0; from < width * height * 4; from += 4) {
        memory[to++] = (pixels[from] ?? 0) / 255
        memory[to++] = (pixels[from + 1] ?? 0) / 255
        memory[to++] = (pixels[from + 2] ?? 0) / 255
      }
      lite._runInference()
      return lite.HEAPF32.subarray(output, output + width * height)
    },
  }
}
