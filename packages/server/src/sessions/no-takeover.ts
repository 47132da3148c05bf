import type { ParticipantStore, SessionDependencies } from './ports.ts'

const forgetful: ParticipantStore = {
  add: async () => true,
  rename: async () => {},
  remove: async () => {},
  list: async () => [],
  clear: async () => {},
  findByConnection: async () => [],
}

/** For a server whose media ends with it: the next one restores no participants. */
export const noTakeover: Pick<SessionDependencies, 'participants' | 'takeOverMedia'> = {
  participants: forgetful,
  takeOverMedia: async () => null,
}
