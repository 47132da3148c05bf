/** What all audio is, from the decoder to the engine: one channel of 16 bits, so many samples a second. */
export const SAMPLE_RATE = 16_000

/** Turns speech into text. Nothing of it works on the main thread. */
export interface Engine {
  /** As it stands in results, e.g. `vosk`. */
  readonly name: string
  /** BCP 47; `und` when the model does not say. */
  readonly language: string
  /** For one voice. */
  stream(): Promise<EngineStream>
  close(): Promise<void>
}

/** One call after another: nobody calls while a call is under way. */
export interface EngineStream {
  /** Keeps nothing of the samples after it has resolved. */
  accept(samples: Int16Array): Promise<Heard>
  /** What was said since the last whole phrase. It is the end of the stream. */
  finish(): Promise<string>
}

export interface Heard {
  /** A phrase that came to its end, maybe of no words; null while one goes on. */
  final: string | null
  /** What there is of the phrase that goes on. */
  partial: string
}

/** There is no speech to text here, and why. Meant for operators. */
export class Unavailable extends Error {
  override name = 'Unavailable'
}
