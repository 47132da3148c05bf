import { FairQueue } from '../platform/fair-queue.ts'

/** Limits how many sign-ins are worked on at once, and how many more wait; any further one is refused at once. */
export const signInQueue = (concurrency: number, waitingMax: number) =>
  new FairQueue(
    { capacity: concurrency, maxWaiting: waitingMax },
    'Too many people are signing in; try again.',
  )
