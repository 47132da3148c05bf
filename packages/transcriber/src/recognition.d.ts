/** `@lectern/transcriber/recognition`: speech recognition without a server, for benchmarks. */
export { rms } from './audio/samples.ts';
export { VoiceActivityGate } from './audio/voice-activity-gate.ts';
export { openEngine } from './engines/index.ts';
export { type Engine, SAMPLE_RATE } from './engines/port.ts';
export { recognitionLimits } from './recognition/limits.ts';
export { RecognitionScheduler } from './recognition/recognition-scheduler.ts';
