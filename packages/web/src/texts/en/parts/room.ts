/** The texts of a session, and of conversations. */
export * from '../chat.ts'
export * from '../lesson-end.ts'
export * from '../moderation.ts'
export * from '../people.ts'
export * from '../room-tools.ts'
export * from '../sharing.ts'
export * from '../stage.ts'
export * from '../transcript.ts'
