/** Why strong noise suppression does not run: `waiting` for a click, without which browsers process no audio. */
export type SuppressorFailure = 'unsupported' | 'failed' | 'waiting'

/** Removes noise from the sound of a microphone. */
export interface NoiseSuppressor {
  /** Null: it is ready. Safe to repeat. */
  load(): Promise<SuppressorFailure | null>
  /** Returns the track without noise, which replaces the former one; null when it cannot run after all. */
  suppress(device: MediaStreamTrack): MediaStreamTrack | null
  /** The listener learns when the browser stops and continues to process audio. */
  onChange(listener: (isRunning: boolean) => void): void
  /** Releases everything. It can be loaded again. */
  close(): void
}

/** The suppressor where there is none. */
export const noSuppressor: NoiseSuppressor = {
  load: async () => 'unsupported',
  suppress: () => null,
  onChange: () => {},
  close: () => {},
}
