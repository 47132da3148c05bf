import { createContext } from 'react'

/** The error that a form announces; again after each submit. */
export interface Announced {
  errorId: string
  submits: number
}

export const AnnouncedError = createContext<Announced | null>(null)
