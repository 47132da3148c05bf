/** TensorFlow Lite with the operations of the model, compiled with Emscripten. */
declare module '@twilio/video-processors/dist/build/tflite-simd-1-0-0.js' {
  export interface TfLite {
    HEAPU8: Uint8Array
    HEAPF32: Float32Array
    _getModelBufferMemoryOffset(): number
    /** 0: success. */
    _loadModel(bytes: number): number
    _getInputMemoryOffset(): number
    _getInputWidth(): number
    _getInputHeight(): number
    _getOutputMemoryOffset(): number
    _runInference(): void
  }
  export interface TfLiteOptions {
    print(line: string): void
    printErr(line: string): void
    instantiateWasm(imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance) => void): object
  }
  export default function create(options: TfLiteOptions): Promise<TfLite>
}
