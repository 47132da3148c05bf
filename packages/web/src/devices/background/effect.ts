import type { Cover } from './choice.ts'

/** The background was not ready in time or broke, or the machine is too slow for it. */
export type EffectProblem = 'background_failed' | 'background_slow'

/** Hides what is behind the person in front of a camera. */
export interface BackgroundEffect {
  isSupported(): boolean
  /**
   * Resolves when the first frame has been processed, and rejects where it cannot. `onProblem`: it has stopped since; its track
   * has no further frames.
   */
  start(
    device: MediaStreamTrack,
    cover: Cover,
    onProblem: (problem: EffectProblem) => void,
  ): Promise<RunningEffect>
}

export interface RunningEffect {
  /** The track to send instead of the device's. Stopping it releases everything but the device. */
  track: MediaStreamTrack
  /** From the next frame on. */
  change(cover: Cover): void
}

/** The effect where there is none. */
export const noBackground: BackgroundEffect = {
  isSupported: () => false,
  start: () => Promise.reject(new Error('unsupported')),
}
