import { createContext } from 'react'

/** The error that a form announces; after each submit anew. */
export interface Announced {
  errorId: string
  submits: number
}

export const AnnouncedError = createContext<Announced | null>(null)
