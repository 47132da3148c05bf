import type { Language } from '@lectern/protocol'

/** A mail of a missed call in the queue. */
export interface MissedCallDelivery {
  id: string
  userId: number
  /** With the present one. */
  attempts: number
}

/** The content and the receiver of the mail. */
export interface MissedCallNotice {
  callId: number
  userId: number
  email: string
  language: Language | null
  name: string
  caller: string
  calledAtMs: number
}

/** `done`: it was sent, was refused for good, or nobody wants it any more. */
export type MailSettlement = { is: 'done' } | { is: 'retry'; atMs: number } | { is: 'returned'; atMs: number } // nothing was sent, and it does not count
