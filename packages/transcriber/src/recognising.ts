/** `@lectern/transcriber/recognising`: from samples to text, without a server. For benchmarks. */
export { Gate } from './audio/gate.ts'
export { loudness } from './audio/samples.ts'
export { openEngine } from './engines/index.ts'
export { type Engine, SAMPLE_RATE } from './engines/port.ts'
export { Recognition } from './recognition/recognition.ts'
