/** A larger young generation saves a worker 3 % of its CPU time, and takes 25 MB more. */
const NODE_OPTIONS = '--max-semi-space-size=4'

/**
 * Environment variables that limit the memory of workers that the server starts; deploy/ has the same for standalone ones.
 * MALLOC_… is for glibc. By default each of a dozen threads has an arena of its own, and what is free in it is neither
 * returned nor used by others. Thresholds that are not fixed rise with the largest buffer that was ever freed: later ones
 * then fragment the heap. For what Vosk computes, fixed thresholds cost too much (decision 84).
 */
export const workerMemory = {
  recorder: {
    NODE_OPTIONS,
    MALLOC_ARENA_MAX: '1',
    MALLOC_MMAP_THRESHOLD_: '131072',
    MALLOC_TRIM_THRESHOLD_: '131072',
  },
  transcriber: { NODE_OPTIONS, MALLOC_ARENA_MAX: '1' },
  // Pictures come and go.
  converter: {
    NODE_OPTIONS,
    MALLOC_ARENA_MAX: '1',
    MALLOC_MMAP_THRESHOLD_: '131072',
    MALLOC_TRIM_THRESHOLD_: '131072',
  },
}
