/**
 * Lets a context play as soon as the browser permits it, which may be never: until the user has used the page it waits, and rejects
 * when the context is closed before.
 */
export const resumeAudio = (context: AudioContext): void => void context.resume().catch(() => {})
