import { createContext, useContext } from 'react'

/** The i18next context that selects how texts name moderators: partner rooms have a teacher. */
type Term = { context: 'teacher' } | Record<never, never>

export const TEACHER: Term = { context: 'teacher' }
export const MODERATOR: Term = {}

export const ModeratorTerm = createContext(MODERATOR)

export const useModeratorTerm = (): Term => useContext(ModeratorTerm)
